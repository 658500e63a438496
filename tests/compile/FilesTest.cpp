// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/compile/FilesTest.h"

#include "core/files/ScratchFolder.h"
#include "gpu/compile/Ptxas.h"
#include "tests/TestRegistry.h"
#include "tests/compile/CompilerFixture.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>
#include <filesystem>
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

using namespace kernelarium;
using namespace kernelarium::compile;
namespace fs = std::filesystem;

namespace {

const QByteArray planted = "planted_7f3a", present = "present_9c1d";

/// A user's files: "in" is what -I may name, "out" is not.
struct UsersFiles {
    QTemporaryDir top;
    fs::path folder = top.path().toStdString();

    UsersFiles() {
        fs::create_directories(folder / "in/sub");
        fs::create_directories(folder / "in/.private");
        fs::create_directories(folder / "out");
        for (const char* name : {"out/secret", "out/secret.h", "in/.private/key.h", "in/.token"})
            std::ofstream(folder / name) << planted.constData() << " = 1;\n";
        std::ofstream(folder / "in/good.h") << "#define GOOD 1\n";
        std::ofstream(folder / "in/sub/near.h") << "#include \"../good.h\"\n#define NEAR 1\n";
        std::ofstream(folder / "in/sub/far.h") << "#include \"../../out/secret.h\"\n";
        std::ofstream(folder / "in/next.h") << "#include_next \"../out/secret.h\"\n";
        fs::create_symlink("../out/secret.h", folder / "in/leads_out.h");
        fs::create_symlink("../out", folder / "in/door");
        fs::create_symlink("good.h", folder / "in/alias.h");
        ::mkfifo((folder / "in/pipe.h").c_str(), 0600);
        ::mkfifo((folder / "out/pipe.h").c_str(), 0600);
    }

    [[nodiscard]] std::string filled(QByteArray text) const {
        text.replace("ROOTOFSELF", "/proc/self/root");
        text.replace("SELF", "/proc/self");
        text.replace("OUT", (folder / "out").c_str());
        text.replace("UP", QByteArray("../").repeated(40));
        text.replace("IN", (folder / "in").c_str());
        return text.toStdString();
    }
};

std::string allOf(const CompiledUnit& unit) {
    return unit.log + unit.ptx + unit.kernelPtx + describe(unit);
}

CompiledUnit compiledNear(Compiler& compiler, const std::string& source, const std::vector<std::string>& folders = {}) {
    CompileOptions options;
    options.settings.folders = folders;
    auto unit = compiler.compile(source, options);
    return unit ? std::move(*unit) : CompiledUnit();
}

} // namespace

void FilesTest::filesOutsideAreNotThere_data() {
    QTest::addColumn<QByteArray>("source");
    const auto add = [](const char* name, const QByteArray& source) { QTest::newRow(name) << source; };
    for (const char* path : {"OUT/secret",
                             "OUT/secret.h",
                             "UPOUT/secret.h",
                             "ROOTOFSELFOUT/secret.h",
                             "OUT/../out/./secret.h",
                             "OUT/pipe.h",
                             "OUT",
                             "IN/good.h",
                             "IN/leads_out.h",
                             "/proc/self/environ",
                             "/proc/self/maps",
                             "/proc/self/mem",
                             "/proc/self/fd/0",
                             "/proc/self/cmdline",
                             "/dev/stdin",
                             "/dev/zero",
                             "/dev/urandom",
                             "/dev/tty",
                             "/etc/passwd",
                             "/etc/hostname",
                             "/tmp",
                             "."}) {
        const QByteArray name = path;
        add(("include " + name).constData(), "int v[] = {\n#include \"" + name + "\"\n};\n");
        add(("angle " + name).constData(), "int v[] = {\n#include <" + name + ">\n};\n");
        add(("macro " + name).constData(),
            "#define TEXT(x) #x\n#define NAME(x) TEXT(x)\n#define P \"" + name + "\"\n#include P\n");
        add(("has " + name).constData(), "#if __has_include(\"" + name + "\")\n#error " + present + "\n#endif\n");
        add(("has angle " + name).constData(), "#if __has_include(<" + name + ">)\n#error " + present + "\n#endif\n");
        add(("next " + name).constData(), "#include_next \"" + name + "\"\n");
    }
    add("has by macro", "#define CAT(a, b) a##b\n#define P \"OUT/secret\"\n#if CAT(__has_, include)(P)\n#error " +
                            present + "\n#endif\n#if __has_include(P)\n#error " + present + "\n#endif\n");
    add("has embed", "#ifdef __has_embed\n#if __has_embed(\"OUT/secret\")\n#error " + present + "\n#endif\n#endif\n");
    add("embed", "const char v[] = {\n#embed \"OUT/secret\"\n};\n");
    add("digraph", "%:include \"OUT/secret\"\n");
    add("spliced", "#inc\\\nlude \"OUT/sec\\\nret\"\n");
    add("comment", "#/* */include/* */\"OUT/secret\"\n");
    add("in a string that is none", "#if 0\nR\"(\n#endif\n#include \"OUT/secret\"\n//)\"\n");
    add("pragma", "_Pragma(\"include \\\"OUT/secret\\\"\")\n#pragma include_alias(\"a.h\", \"OUT/secret\")\n"
                  "#include \"a.h\"\n");
    add("line", "#line 1 \"OUT/secret\"\nint v = ;\n#include __FILE__\n");
    add("import", "import \"OUT/secret\";\nimport <OUT/secret.h>;\nstruct S { int a; };\nauto s = S{.a = 1};\n");
    add("module", "module;\nimport \"OUT/secret\";\nexport module m;\ntemplate <class T> concept C = true;\n");
    add("itself", "#include \"kernel.cu\"\n#include __FILE__\n");
    add("torch", "#include_next <torch/extension.h>\n#include \"OUT/secret\"\n#include <torch/extension.h>\n");
    add("assembly",
        "asm(\".include \\\"OUT/secret\\\";\");\n__global__ void k() { asm(\".include \\\"OUT/secret\\\";\"); }\n");
}

/// Alone, and where a folder is named.
void FilesTest::filesOutsideAreNotThere() {
    QFETCH(const QByteArray, source);
    COMPILER_OR_SKIP(compiler);
    const UsersFiles files;
    for (const bool named : {false, true}) {
        // What lies in the folder may be found once it is named.
        if (named && source.contains("IN/good.h")) continue;
        const CompiledUnit unit =
            compiledNear(*compiler, files.filled(source),
                         named ? std::vector<std::string>{files.folder / "in"} : std::vector<std::string>());
        const std::string said = allOf(unit);
        QVERIFY2(said.find(planted.constData()) == std::string::npos, said.c_str());
        QVERIFY2(describe(unit).find(present.constData()) == std::string::npos, said.c_str());
        for (const Diagnostic& d : unit.diagnostics)
            QVERIFY2(d.file == "kernel.cu" || d.file == "secret", said.c_str()); // the latter by #line
    }
}

void FilesTest::namedFoldersAreRead_data() {
    QTest::addColumn<QByteArray>("source");
    QTest::addColumn<bool>("compiles");
    const auto add = [](const char* name, const QByteArray& source, bool compiles) {
        QTest::newRow(name) << source << compiles;
    };
    const QByteArray good = "\n#if !GOOD\n#error not read\n#endif\n";
    add("plain", "#include \"good.h\"" + good, true);
    add("angle", "#include <good.h>" + good, true);
    add("whole path", "#include \"IN/good.h\"" + good, true);
    add("macro", "#define P \"good.h\"\n#include P" + good, true);
    add("computed", "#define T(x) #x\n#define N(x) T(x.h)\n#include N(good)" + good, true);
    add("up and down", "#include \"sub/../good.h\"" + good, true);
    add("up from its own folder", "#include \"sub/near.h\"" + good, true);
    add("link inside", "#include \"alias.h\"" + good, true);
    add("has", "#if !__has_include(\"good.h\") || !__has_include(<sub/near.h>)\n#error no\n#endif\n", true);
    add("toolkit", "#define P <cuda_fp16.h>\n#include P\n__global__ void k(__half* x) { x[0] = __float2half(1); }\n",
        true);
    for (const char* name : {"leads_out.h", "door/secret.h", "../out/secret.h", "sub/../../out/secret.h", "pipe.h",
                             ".token", ".private/key.h", "sub/.././.private/key.h", "sub/far.h", "next.h", "sub", ""}) {
        const QByteArray text = name;
        add(("outside: " + text).constData(), "#include \"" + text + "\"\n", false);
        add(("outside by macro: " + text).constData(), "#define P <" + text + ">\n#include P\n", false);
        if (text != "sub/far.h" && text != "next.h") // which exist
            add(("outside, asked for: " + text).constData(),
                "#if __has_include(\"" + text + "\")\n#error " + present + "\n#endif\n#include \"no-such-file\"\n",
                false);
    }
}

void FilesTest::namedFoldersAreRead() {
    QFETCH(const QByteArray, source);
    QFETCH(const bool, compiles);
    COMPILER_OR_SKIP(compiler);
    const UsersFiles files;
    const CompiledUnit unit = compiledNear(*compiler, files.filled(source), {files.folder / "in"});
    QVERIFY2(unit.ok == compiles, describe(unit).c_str());
    QVERIFY2(allOf(unit).find(planted.constData()) == std::string::npos, allOf(unit).c_str());
    QVERIFY2(describe(unit).find(present.constData()) == std::string::npos, describe(unit).c_str());
    // These checks can fail: the same file, its folder named.
    if (!compiles) {
        const CompiledUnit seen = compiledNear(*compiler, "#include \"secret.h\"\n", {files.folder / "out"});
        QVERIFY(allOf(seen).find(planted.constData()) != std::string::npos);
    }
}

/// NVRTC makes a file of a name that anybody can guess, and follows a link that lies there.
void FilesTest::temporaryFilesOfOthersAreNotWritten() {
    COMPILER_OR_SKIP(compiler);
    const UsersFiles files;
    const fs::path guessed = files::ScratchFolder::parent() / ("edg0_" + std::to_string(::getpid()));
    fs::create_symlink(files.folder / "out/secret", guessed);
    const std::string source = "#include <torch/extension.h>\n__global__ void k(float* x) { x[0] = 1; }\n";
    for (int i = 0; i < 3; ++i)
        QVERIFY(compiledNear(*compiler, source).ok);
    QVERIFY(fs::is_symlink(guessed));
    fs::remove(guessed);
    std::ifstream file(files.folder / "out/secret");
    std::string text;
    file >> text;
    QCOMPARE(text, planted.toStdString());
}

void FilesTest::precompiledHeadersAreStillMade() {
    const Toolkit toolkit = Toolkit::find();
    if (!toolkit.check()) QSKIP("There is no toolkit here.");
    QTemporaryDir temporary;
    const QByteArray before = qgetenv("TMPDIR");
    qputenv("TMPDIR", temporary.path().toUtf8());
    const auto left = [&] {
        return QDir(temporary.path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot);
    };
    {
        auto compiler = Compiler::create(toolkit);
        QVERIFY(compiler.ok());
        for (int i = 0; i < 2; ++i)
            QVERIFY(compiledNear(**compiler, "__global__ void k(float* x) { x[0] = 1; }\n").ok);
        QCOMPARE(left().size(), 1);
        const QFileInfoList made = QDir(temporary.filePath(left().first())).entryInfoList({"*.pch"});
        QCOMPARE(made.size(), 1);
        QVERIFY(made.first().size() > 100000);
    }
    QVERIFY2(left().isEmpty(), qPrintable(left().join(' ')));
    if (before.isNull())
        qunsetenv("TMPDIR");
    else
        qputenv("TMPDIR", before);
}

void FilesTest::assemblersSeeNoFiles() {
    const Toolkit toolkit = Toolkit::find();
    if (toolkit.ptxas.empty()) QSKIP("There is no ptxas here.");
    const UsersFiles files;
    const std::string head = ".version 8.0\n.target sm_90\n.address_size 64\n", end = ".visible .entry k() { ret; }\n";
    for (const char* line : {".include \"OUT/secret\"\n", "#include \"OUT/secret\"\n", "# 1 \"OUT/secret\"\n",
                             ".file 1 \"OUT/secret\"\n"}) {
        const auto out =
            Ptxas(toolkit.ptxas, {"-arch=sm_90", "-lineinfo"}).assemble(head + files.filled(line) + end, {});
        const std::string said = out ? out->errors + out->info : std::string();
        QVERIFY2(said.find(planted.constData()) == std::string::npos, said.c_str());
    }
    const auto plain = Ptxas(toolkit.ptxas, {"-arch=sm_90"}).assemble(head + end, {});
    QVERIFY(plain && plain->ok);
}

KERNELARIUM_TEST(FilesTest);
