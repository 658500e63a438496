// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QtTest>

namespace {

const QString root = QStringLiteral(KERNELARIUM_SOURCE_DIR);

struct Kernel {
    QByteArray task = "1/19 19_ReLU";
    QByteArray name = "planted";
    QByteArray parent = "none";
    QByteArray idea = "An idea that goes on\n//          over a line.";
    QByteArray look = "The time.";
    QByteArray body = "int i;\n";

    [[nodiscard]] QByteArray text() const {
        return "// SPDX-License-Identifier: GPL-3.0-or-later\n//\n// Task:    " + task +
               "\n// Name:    " + name + "\n// Parent:  " + parent + "\n// Idea:    " + idea +
               "\n// Look at: " + look + "\n#include <torch/extension.h>\n" + body;
    }
};

struct Made {
    bool ok = false;
    QByteArray messages;
    QList<QJsonObject> rows;
};

QList<QJsonObject> readRows(const QString& path) {
    QList<QJsonObject> rows;
    QFile file(path);
    if (file.open(QIODevice::ReadOnly))
        while (!file.atEnd())
            rows.append(QJsonDocument::fromJson(file.readLine()).object());
    return rows;
}

/// Runs the build's script over `text` planted as `file` in a folder of its own.
Made makeRows(const QString& file, const QByteArray& text) {
    QTemporaryDir folder;
    const QString path = folder.filePath("kernels/" + file);
    QDir().mkpath(QFileInfo(path).path());
    QFile kernel(path);
    Made made;
    if (!kernel.open(QIODevice::WriteOnly) || kernel.write(text) != text.size()) return made;
    kernel.close();
    QProcess cmake;
    cmake.start("cmake", {"-DKERNELS=" + folder.filePath("kernels"), "-DOUT=" + folder.filePath("rows.jsonl"),
                          "-P", root + "/archive_data/MakeStarterRows.cmake"});
    cmake.waitForFinished();
    made.ok = cmake.exitCode() == 0;
    made.messages = cmake.readAllStandardError();
    made.rows = readRows(folder.filePath("rows.jsonl"));
    return made;
}

} // namespace

class TestStarterRows : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        if (QStandardPaths::findExecutable("cmake").isEmpty()) QSKIP("cmake is not in the path");
    }

    void textSurvives() {
        Kernel kernel;
        kernel.body = "const char* s = \"a;b\\n\\\\ [x] ${y} @z@ \\\"q\\\" <=>\"; // "
                      "\xc3\xa9\t;\n\n[[nodiscard]] int f();\n";
        const Made made = makeRows("level_1/019/planted.cu", kernel.text());
        QVERIFY2(made.ok, made.messages.constData());
        QCOMPARE(made.rows.size(), 1);
        const QJsonObject row = made.rows.first();
        QCOMPARE(row["CUDA_Code"].toString().toUtf8(), kernel.text());
        QCOMPARE(row["Op_Name"].toString(), QString("19_ReLU"));
        QCOMPARE(row["Level_ID"].toInt(), 1);
        QCOMPARE(row["Task_ID"].toInt(), 19);
        QCOMPARE(row["Kernel_Name"].toString(), QString("planted"));
        QCOMPARE(row["Idea"].toString(), QString("An idea that goes on over a line."));
        QCOMPARE(row["Look_At"].toString(), QString("The time."));
        for (const char* column : {"CUDA_Runtime", "Correct", "Max_Diff", "Parent", "NCU_Profile"})
            QVERIFY2(row.contains(column) && row[column].isNull(), column);
    }

    void badHeadsAreRefused_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("complaint");
        const QString right = "level_1/019/planted.cu";
        Kernel kernel;
        QTest::newRow("no head") << right << QByteArray("int i;\n") << QByteArray("no field \"Task:\"");
        QTest::newRow("no idea") << right << kernel.text().replace("// Idea:", "// Ides:")
                                 << QByteArray("no field \"Idea:\"");
        QTest::newRow("other task") << "level_1/020/planted.cu" << kernel.text()
                                    << QByteArray("level_1/019/planted.cu");
        QTest::newRow("other name") << "level_1/019/other.cu" << kernel.text()
                                    << QByteArray("level_1/019/planted.cu");
        kernel.parent = "ghost";
        QTest::newRow("no such parent") << right << kernel.text() << QByteArray("parent ghost");
        kernel = {};
        kernel.task = "1-19";
        QTest::newRow("bad task") << right << kernel.text() << QByteArray("LEVEL/TASK");
    }

    void badHeadsAreRefused() {
        QFETCH(QString, file);
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, complaint);
        const Made made = makeRows(file, text);
        QVERIFY(!made.ok);
        // CMake wraps its messages.
        const QByteArray message =
            QString::fromUtf8(made.messages).replace(QRegularExpression("\\s+"), " ").toUtf8();
        QVERIFY2(message.contains(complaint), message.constData());
        QVERIFY(made.rows.isEmpty());
    }

    /// Every task of the starter archive has at least three kernels, one of them the naive one to start from.
    void builtRowsAreComplete() {
        QMap<QString, QStringList> tasks;
        for (const QJsonObject& row : readRows(KERNELARIUM_STARTER_ROWS)) {
            tasks[row["Op_Name"].toString()].append(row["Parent"].toString());
            const QString code = row["CUDA_Code"].toString();
            QVERIFY(code.contains("#include <torch/extension.h>") &&
                    code.contains("PYBIND11_MODULE(TORCH_EXTENSION_NAME, m)"));
        }
        QCOMPARE(tasks.size(), 20);
        for (auto task = tasks.cbegin(); task != tasks.cend(); ++task) {
            QVERIFY2(task->size() >= 3, qPrintable(task.key()));
            QCOMPARE(task->count(QString()), 1); // no parent: null, which reads as an empty string
        }
    }
};

QTEST_GUILESS_MAIN(TestStarterRows)
#include "TestStarterRows.moc"
