// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/NcuProfile.h"
#include "tests/TestRegistry.h"
#include "tests/Waiting.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <vector>

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
        return "// SPDX-License-Identifier: GPL-3.0-or-later\n//\n// Task:    " + task + "\n// Name:    " + name +
               "\n// Parent:  " + parent + "\n// Idea:    " + idea + "\n// Look at: " + look +
               "\n#include <torch/extension.h>\n" + body;
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

/// Of a row's text below archive_data/kernels.
QString pathOf(const QJsonObject& row) {
    return QStringLiteral("level_%1/%2/%3.cu")
        .arg(row["Level_ID"].toInt())
        .arg(row["Task_ID"].toInt(), 3, 10, QLatin1Char('0'))
        .arg(row["Kernel_Name"].toString());
}

/// Of a kernel's code: its text without comments.
QString hashOf(const QByteArray& text) {
    QString code = QString::fromUtf8(text);
    code.remove(QRegularExpression(QStringLiteral("[ \\t]*//[^\\n]*")));
    return QCryptographicHash::hash(code.toUtf8(), QCryptographicHash::Sha256).toHex();
}

bool write(const QString& path, const QByteArray& text) {
    QFile file(path);
    return file.open(QIODevice::WriteOnly) && file.write(text) == text.size();
}

/// Runs the build's script over `text` planted as `file` in a folder of its own, with `times` where there are
/// some.
Made makeRows(const QString& file, const QByteArray& text, const QJsonObject& times = {}) {
    QTemporaryDir folder;
    const QString path = folder.filePath("kernels/" + file);
    QDir().mkpath(QFileInfo(path).path());
    Made made;
    if (!write(path, text)) return made;
    QStringList arguments = {"-DKERNELS=" + folder.filePath("kernels"), "-DOUT=" + folder.filePath("rows.jsonl")};
    if (!times.isEmpty()) {
        const QString timesPath = folder.filePath("times.json");
        if (!write(timesPath, QJsonDocument(times).toJson())) return made;
        arguments.append("-DTIMES=" + timesPath);
    }
    QProcess cmake;
    cmake.start("cmake", arguments + QStringList{"-P", root + "/archive_data/MakeStarterRows.cmake"});
    cmake.waitForFinished(longWait);
    made.ok = cmake.exitCode() == 0;
    made.messages = cmake.readAllStandardError();
    made.rows = readRows(folder.filePath("rows.jsonl"));
    return made;
}

const QStringList measuredColumns = {"CUDA_Runtime",
                                     "PyTorch_Native_Runtime",
                                     "PyTorch_Compile_Runtime",
                                     "CUDA_Speedup_Native",
                                     "CUDA_Speedup_Compile",
                                     "Correct",
                                     "Max_Diff",
                                     "Measured_On"};

/// A report of one measurement of level_1/019/planted.cu.
QJsonObject report(const QJsonObject& entry) {
    return {{"device", "A GPU; of sorts"},
            {"pytorch", "9.1"},
            {"cuda", "20.2"},
            {"date", "2030-01-02"},
            {"method", "Fast; and [loose]"},
            {"kernels", QJsonObject{{"level_1/019/planted.cu", entry}}}};
}

bool nearlyEqual(double a, double b) {
    return std::abs(a - b) <= 1e-5 * std::abs(b);
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
        for (const QString& column : measuredColumns + QStringList{"Parent", "NCU_Profile"})
            QVERIFY2(row.contains(column) && row[column].isNull(), qPrintable(column));
    }

    void measuredTextGetsItsTimes() {
        const QByteArray text = Kernel().text();
        const Made made = makeRows("level_1/019/planted.cu", text,
                                   report({{"code_sha256", hashOf(text)},
                                           {"correct", false},
                                           {"max_diff", 1.25e-7},
                                           {"runtime_ms", 0.346176},
                                           {"native_ms", 0.692352},
                                           {"compile_ms", 0.173088},
                                           {"speedup_native", 2},
                                           {"speedup_compile", 0.5}}));
        QVERIFY2(made.ok && made.rows.size() == 1, made.messages.constData());
        const QJsonObject row = made.rows.first();
        QCOMPARE(row["CUDA_Runtime"].toDouble(), 0.346176);
        QCOMPARE(row["PyTorch_Native_Runtime"].toDouble(), 0.692352);
        QCOMPARE(row["PyTorch_Compile_Runtime"].toDouble(), 0.173088);
        QCOMPARE(row["CUDA_Speedup_Native"].toDouble(), 2.0);
        QCOMPARE(row["CUDA_Speedup_Compile"].toDouble(), 0.5);
        QVERIFY(row["Correct"].isBool() && !row["Correct"].toBool());
        QCOMPARE(row["Max_Diff"].toDouble(), 1.25e-7);
        QCOMPARE(row["Measured_On"].toString(), QString("A GPU; of sorts, PyTorch 9.1, CUDA 20.2, 2030-01-02"));
        QCOMPARE(row["CUDA_Code"].toString().toUtf8(), text);
    }

    void wordsMayChangeAfterwards() {
        QByteArray text = Kernel().text();
        const QJsonObject entry{{"code_sha256", hashOf(text)}, {"correct", true}, {"runtime_ms", 1.5}};
        text.replace("The time.", "The clock.");
        QVERIFY(text.endsWith('\n'));
        text.insert(text.size() - 1, "  // tune: 1, 2 # said later; [as a remark]");
        const Made made = makeRows("level_1/019/planted.cu", text, report(entry));
        QVERIFY2(made.ok && made.rows.size() == 1, made.messages.constData());
        QCOMPARE(made.rows.first()["CUDA_Runtime"].toDouble(), 1.5);
        QCOMPARE(made.rows.first()["Look_At"].toString(), QString("The clock."));
    }

    void othersGetNone_data() {
        QTest::addColumn<QJsonObject>("times");
        QJsonObject entry{
            {"code_sha256", hashOf(Kernel().text() + "int another;\n")}, {"correct", true}, {"runtime_ms", 1.5}};
        QTest::newRow("edited since") << report(entry);
        entry = {{"code_sha256", hashOf(Kernel().text())}, {"error", "an illegal memory access was encountered"}};
        QTest::newRow("did not run") << report(entry);
        QJsonObject another = report({});
        another["kernels"] = QJsonObject{{"level_1/019/other.cu", entry}};
        QTest::newRow("another kernel") << another;
    }

    void othersGetNone() {
        QFETCH(QJsonObject, times);
        const Made made = makeRows("level_1/019/planted.cu", Kernel().text(), times);
        QVERIFY2(made.ok && made.rows.size() == 1, made.messages.constData());
        for (const QString& column : measuredColumns)
            QVERIFY2(made.rows.first()[column].isNull(), qPrintable(column));
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
        QTest::newRow("other name") << "level_1/019/other.cu" << kernel.text() << QByteArray("level_1/019/planted.cu");
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
        const QByteArray message = QString::fromUtf8(made.messages).replace(QRegularExpression("\\s+"), " ").toUtf8();
        QVERIFY2(message.contains(complaint), message.constData());
        QVERIFY(made.rows.isEmpty());
    }

    /// A row has times exactly if its code is what starter_times.json measured.
    void builtRowsCarryTheirOwnTimes() {
        QFile file(root + "/archive_data/starter_times.json");
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QJsonObject entries = QJsonDocument::fromJson(file.readAll()).object()["kernels"].toObject();
        const QList<QJsonObject> rows = readRows(KERNELARIUM_STARTER_ROWS);
        QVERIFY(!rows.isEmpty());
        for (const QJsonObject& row : rows) {
            const QString path = pathOf(row);
            const QJsonObject entry = entries[path].toObject();
            const bool measured = entry.contains("runtime_ms") &&
                                  entry["code_sha256"].toString() == hashOf(row["CUDA_Code"].toString().toUtf8());
            QVERIFY2(measured == row["CUDA_Runtime"].isDouble(), qPrintable(path));
            if (!measured) continue;
            const double runtime = row["CUDA_Runtime"].toDouble();
            QVERIFY2(runtime > 0 && runtime == entry["runtime_ms"].toDouble(), qPrintable(path));
            for (const auto& [speedup, other] : {std::pair("CUDA_Speedup_Native", "PyTorch_Native_Runtime"),
                                                 std::pair("CUDA_Speedup_Compile", "PyTorch_Compile_Runtime")})
                QVERIFY2(nearlyEqual(row[speedup].toDouble(), row[other].toDouble() / runtime), qPrintable(path));
            QCOMPARE(row["Correct"], entry["correct"]);
        }
    }

    /// A row has a profile exactly if its code is what counters were read of.
    void builtRowsCarryTheirOwnProfiles() {
        QFile file(root + "/archive_data/starter_counters.json");
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QJsonObject entries = QJsonDocument::fromJson(file.readAll()).object()["kernels"].toObject();
        QVERIFY(!entries.isEmpty());
        for (const QJsonObject& row : readRows(KERNELARIUM_STARTER_ROWS)) {
            const QJsonObject entry = entries[pathOf(row)].toObject();
            const bool measured = entry["code_sha256"].toString() == hashOf(row["CUDA_Code"].toString().toUtf8());
            QVERIFY2(measured == row["NCU_Profile"].isString(), qPrintable(pathOf(row)));
            if (!measured) continue;
            const auto profile = kernelarium::profile::parseNcuProfile(row["NCU_Profile"].toString().toStdString());
            QVERIFY2(bool(profile), qPrintable(pathOf(row)));
            QVERIFY2(profile->metrics.size() >= 20, qPrintable(pathOf(row)));
            const kernelarium::profile::NcuRoofInputs inputs = kernelarium::profile::roofInputs(*profile);
            QVERIFY2(inputs.bytesPerSecond && inputs.achievedOccupancy && inputs.l2HitRate, qPrintable(pathOf(row)));
        }
    }

    /// Every time is the median of the samples that were kept.
    void timesAreOfTheSamples() {
        QFile times(root + "/archive_data/starter_times.json"), samples(root + "/archive_data/starter_samples.json");
        QVERIFY(times.open(QIODevice::ReadOnly) && samples.open(QIODevice::ReadOnly));
        const QJsonObject entries = QJsonDocument::fromJson(times.readAll()).object()["kernels"].toObject();
        const QJsonObject kept = QJsonDocument::fromJson(samples.readAll()).object();
        QVERIFY(!entries.isEmpty());
        for (auto entry = entries.begin(); entry != entries.end(); ++entry) {
            const QString task = entry.key().section('/', 0, 1), name = entry.key().section('/', 2);
            for (const auto& [series, key] : {std::pair(name, "runtime_ms"), std::pair(QString("native"), "native_ms"),
                                              std::pair(QString("compile"), "compile_ms")}) {
                const QJsonObject ofTask = kept[task].toObject();
                const QString beside = series + " beside " + name; // measured on another day than its task's others
                std::vector<double> all;
                for (const QJsonValue& round : ofTask[ofTask.contains(beside) ? beside : series].toArray())
                    for (const QJsonValue& one : round.toArray())
                        all.push_back(one.toDouble());
                QVERIFY2(all.size() >= 10, qPrintable(entry.key()));
                std::sort(all.begin(), all.end());
                const double median = (all[(all.size() - 1) / 2] + all[all.size() / 2]) / 2;
                const double told = entry.value().toObject()[key].toDouble();
                // Rounded to six digits, the times to the nanosecond.
                QVERIFY2(std::abs(median - told) <= 1e-6 + 1e-5 * told, qPrintable(entry.key()));
            }
        }
    }

    /// Every task of the starter archive has one kernel that its others come from; the twenty tasks that are there to
    /// be learned from have at least three.
    void builtRowsAreComplete() {
        QMap<QString, QStringList> tasks;
        for (const QJsonObject& row : readRows(KERNELARIUM_STARTER_ROWS)) {
            tasks[row["Op_Name"].toString()].append(row["Parent"].toString());
            const QString code = row["CUDA_Code"].toString();
            QVERIFY(code.contains("#include <torch/extension.h>") &&
                    code.contains("PYBIND11_MODULE(TORCH_EXTENSION_NAME, m)"));
        }
        const auto ladders = std::count_if(tasks.cbegin(), tasks.cend(), [](const auto& of) { return of.size() >= 3; });
        QCOMPARE(ladders, 20);
        for (auto task = tasks.cbegin(); task != tasks.cend(); ++task) {
            QVERIFY2(task->size() == 1 || task->size() >= 3, qPrintable(task.key()));
            QCOMPARE(task->count(QString()), 1); // no parent: null, which reads as an empty string
        }
    }
};

KERNELARIUM_TEST(TestStarterRows);
#include "TestStarterRows.moc"
