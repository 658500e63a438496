// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/TestRegistry.h"
#include "tests/compile/CompilerFixture.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>

using namespace kernelarium::compile;

/// Headers of the user's own folders (-I).
class IncludedFilesTest : public QObject {
    Q_OBJECT
private slots:
    void includedFilesAreReadAsTheSourceIs();
    void foldersMayHaveFilesOfOneName();
    void aFolderThatIsNoneIsNamed();
};

void IncludedFilesTest::includedFilesAreReadAsTheSourceIs() {
    COMPILER_OR_SKIP(compiler);
    QTemporaryDir folder;
    QVERIFY(QDir(folder.path()).mkpath("inner"));
    const auto write = [&folder](const char* name, const char* text) {
        QFile file(folder.filePath(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
    };
    write("inner/check.h", "#include \"limit.h\"\ninline void check(int n) {\n"
                           "    if (n > LIMIT) throw std::runtime_error(\"too many\");\n}\n");
    write("inner/limit.h", "#define LIMIT 4\n");
    write("limit.h", "#define TOP 3 // of another folder than the other limit.h\n");
    write("kernel_file.cu", "#include <torch/extension.h>\n#include \"inner/check.h\"\n#include \"limit.h\"\n"
                            "static_assert(LIMIT + TOP == 7);\n"
                            "torch::Tensor forward(torch::Tensor x) { check(x.dim()); return x; }\n"
                            "PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def(\"forward\", &forward); }\n");
    CompileOptions options;
    options.settings.folders = {folder.path().toStdString()};
    options.settings.macros = {"-DKERNEL=\"kernel_file.cu\""};
    const auto unit = compiler->compile("#include KERNEL\n", options);
    QVERIFY(unit.ok());
    QVERIFY2(unit->ok, describe(*unit).c_str());
    QVERIFY(unit->usesTensorExtension);
    QCOMPARE(unit->settings.folders, options.settings.folders);
}

/// Each header means its neighbour, whichever of the folders comes first; and a file has one name.
void IncludedFilesTest::foldersMayHaveFilesOfOneName() {
    COMPILER_OR_SKIP(compiler);
    QTemporaryDir top;
    for (const QByteArray name : {"one", "two"}) {
        const auto write = [&](const QByteArray& file, const QByteArray& text) {
            const QString path = top.filePath(QString::fromUtf8(name + '/' + file));
            QVERIFY(QDir().mkpath(QFileInfo(path).path()));
            QFile out(path);
            QVERIFY(out.open(QIODevice::WriteOnly));
            out.write("#pragma once\n" + text);
        };
        write("config.h", "#include \"deep/config.h\"\nconst int " + name + "_config = " + name + "_deep;\n");
        write("deep/config.h", "#include \"../more.h\"\nconst int " + name + "_deep = " + name + "_more;\n");
        write("more.h", "const int " + name + "_more = 1;\n");
        write(name + ".h",
              "#include \"config.h\"\n#include \"more.h\"\nconst int " + name + " = " + name + "_config;\n");
    }
    CompileOptions options;
    options.settings.folders = {top.filePath("one").toStdString(), top.filePath("two").toStdString()};
    const auto unit = compiler->compile("#include \"two.h\"\n#include <one.h>\n#include \"config.h\"\n"
                                        "static_assert(one == one_config && two == two_more);\n"
                                        "__global__ void k(int* x) { *x = one + two; }\n",
                                        options);
    QVERIFY(unit.ok());
    QVERIFY2(unit->ok, describe(*unit).c_str());
}

void IncludedFilesTest::aFolderThatIsNoneIsNamed() {
    COMPILER_OR_SKIP(compiler);
    CompileOptions options;
    options.settings.folders = {"/tmp", "/nowhere/at/all"};
    const auto unit = compiler->compile("__global__ void k() {}", options);
    QVERIFY(!unit.ok());
    QCOMPARE(unit.error().code, std::string("bad_input"));
    QVERIFY(unit.error().message.find("/nowhere/at/all") != std::string::npos);
}

namespace {
KERNELARIUM_TEST(IncludedFilesTest);
}
#include "IncludedFilesTest.moc"
