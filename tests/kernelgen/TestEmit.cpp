// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernelgen/Emit.h"
#include "core/tuning/space/SpaceText.h"
#include "tests/TestRegistry.h"
#include "tests/Waiting.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QtTest>

namespace kernelarium::kernelgen {

/// Emitted files: verified in the emulator at the small and the odd size, and in the form of the house.
class TestEmit : public QObject {
    Q_OBJECT

private slots:
    void emittedFilesAreVerified_data() {
        QTest::addColumn<QString>("task");
        QTest::addColumn<bool>("naive");
        for (const char* task : {"1/4", "1/23", "1/42", "1/51", "1/58", "1/89", "1/95", "2/1", "3/1", "3/39"})
            QTest::addRow("naive %s", task) << QString::fromLatin1(task) << true;
        for (const char* task : {"1/12", "1/21", "1/23", "1/24", "1/33", "1/35", "1/36", "1/38", "1/39", "1/40", "1/45",
                                 "1/51", "1/88", "1/91", "1/94", "1/95", "1/97", "1/98"})
            QTest::addRow("fused %s", task) << QString::fromLatin1(task) << false;
        // Products: batched, masked, transposed twice, split, with rows after them, a chain; then 16-bit ones.
        for (const char* task : {"1/3", "1/15", "1/18", "2/12", "2/22", "3/3", "4/3", "4/4", "4/5", "4/6", "4/8"})
            QTest::addRow("product %s", task) << QString::fromLatin1(task) << false;
        for (const char* task : {"4/1", "4/2", "4/7"})
            QTest::addRow("attention %s", task) << QString::fromLatin1(task) << false;
        // Convolutions, one of each class: grouped, in one direction, with a tail, a pool, all filters in registers, a
        // stream of them, rows, lines, windows, sums, two norms, a mean beside its values, norms of rows.
        for (const char* task : {"1/75", "1/82", "1/76", "2/31", "2/50", "2/38", "2/58", "2/89", "2/24", "2/36", "2/78",
                                 "2/6", "2/44", "2/11", "2/15", "2/3", "2/49"})
            QTest::addRow("convolution %s", task) << QString::fromLatin1(task) << false;
    }

    void emittedFilesAreVerified() {
        QFETCH(QString, task);
        QFETCH(bool, naive);
        const QString file = m_folder.filePath(QStringLiteral("kernel.cu"));
        QStringList command{"superopt", "emit", "--task", task, "--out", file};
        if (naive) command << "--naive";
        QCOMPARE(run(command), 0);
        QFile text(file);
        QVERIFY(text.open(QIODevice::ReadOnly));
        const QByteArray source = text.readAll();
        QVERIFY2(source.contains("// Task:    " + task.toLatin1() + " "), source.constData());
        const Result<tuning::TunableText> space = tuning::spaceOfText(source.toStdString());
        QVERIFY2(space.ok(), space.ok() ? "" : space.error().text().c_str());
        const int code = run({"verify", file, "--task", task, "--time-limit", "900"});
        constexpr int missingComponent = 3;
        if (code == missingComponent) QSKIP(("a component is missing: " + m_output).constData());
        QVERIFY2(code == 0, m_output.constData());
    }

    /// Written for other sizes than the published ones: tiles of tensor cores whose sums are split, large ones whose
    /// sums are not, strips of 16 rows. One task has its right factors transposed, and with few rows warps share a sum.
    void formsForOtherSizesAreVerified_data() {
        QTest::addColumn<QString>("task");
        QTest::addColumn<QString>("size");
        QTest::addColumn<QString>("holds");
        const auto row = [](const QString& task, const char* size, const char* holds) {
            QTest::addRow("%s %s", qPrintable(task.section('/', -2)), size)
                << task << QString::fromLatin1(size) << QString::fromLatin1(holds);
        };
        const QString linear = QStringLiteral(KERNELARIUM_SOURCE_DIR "/tests/kernelgen/cards/gated_linear.json");
        row("4/5", "full_batch8", "constexpr int gateParts = ");
        row("4/8", "full_512", "constexpr int tileRows = ");
        row("4/8", "full_2048", "constexpr int tileRows = 128;");
        row("4/3", "full_batch8", "constexpr int rowEights = 2;");
        row(linear, "full", "constexpr int warpsDeep = 4;");
        row(linear, "many_rows", "constexpr int tileRows = 64;");
    }
    void formsForOtherSizesAreVerified() {
        QFETCH(QString, task);
        QFETCH(QString, size);
        QFETCH(QString, holds);
        const QStringList of{task.endsWith(QLatin1String(".json")) ? "--card" : "--task", task};
        const QString file = m_folder.filePath(QStringLiteral("sized.cu"));
        QCOMPARE(run(QStringList{"superopt", "emit", "--size", size, "--candidate", "product", "--out", file} + of), 0);
        QFile text(file);
        QVERIFY(text.open(QIODevice::ReadOnly));
        const QByteArray source = text.readAll();
        QVERIFY2(source.contains(holds.toLatin1()), source.left(6000).constData());
        const Result<tuning::TunableText> space = tuning::spaceOfText(source.toStdString());
        QVERIFY2(space.ok(), space.ok() ? "" : space.error().text().c_str());
        const int code = run(QStringList{"verify", file, "--time-limit", "900"} + of);
        constexpr int missingComponent = 3;
        if (code == missingComponent) QSKIP(("a component is missing: " + m_output).constData());
        QVERIFY2(code == 0, m_output.constData());
    }

    /// At the published size: as few launches as the form needs, and each element read as often as it has to be.
    void rowsMoveWhatTheyMust_data() {
        QTest::addColumn<QString>("task");
        QTest::addColumn<int>("launches");
        QTest::addColumn<double>("sectors"); // of 32 bytes; inputs and outputs once
        QTest::addRow("softmax, rows in registers") << QStringLiteral("1/23") << 1 << 2 * 16 * 16384 / 8.0;
        QTest::addRow("sum over columns") << QStringLiteral("1/47") << 1 << (16 * 256 * 256 + 16 * 256) / 8.0;
        QTest::addRow("loss, last block finishes") << QStringLiteral("1/94") << 1 << 2 * 128 * 4096 / 8.0;
        QTest::addRow("prefix sum") << QStringLiteral("1/89") << 1 << 2 * 128 * 4000 / 8.0;
    }
    void rowsMoveWhatTheyMust() {
        QFETCH(QString, task);
        QFETCH(int, launches);
        QFETCH(double, sectors);
        const QString file = m_folder.filePath(QStringLiteral("counted.cu"));
        QCOMPARE(run({"superopt", "emit", "--task", task, "--out", file}), 0);
        const int code = run({"profile", file, "--task", task, "--json", "--time-limit", "600"});
        constexpr int missingComponent = 3;
        if (code == missingComponent) QSKIP(("a component is missing: " + m_output).constData());
        QVERIFY2(code == 0, m_output.constData());
        const QJsonArray counters = QJsonDocument::fromJson(m_output).object().value("counters").toArray();
        QCOMPARE(counters.size(), launches);
        double moved = 0;
        for (const QJsonValue& launch : counters) {
            const QJsonObject totals = launch.toObject().value("totals").toObject();
            moved += totals.value("global_load_sectors").toDouble() + totals.value("global_store_sectors").toDouble();
        }
        QVERIFY2(moved >= sectors && moved < 1.02 * sectors, qPrintable(QString::number(moved / sectors)));
    }
    /// Four elements a thread only where there are more of them than a large device has threads.
    void mapsOfFewElementsHaveOneForEachThread() {
        const auto few = emitFused(*task::loadCard(1, 19)), many = emitFused(*task::loadCard(1, 88));
        QVERIFY(few && many);
        QVERIFY(few->text.find("float4") == std::string::npos);
        QVERIFY(many->text.find("float4") != std::string::npos);
    }
    /// The published size of a softmax stays in registers; of any other, chunks are read again.
    void rowsOfOneChunkAreNotReadAgain() {
        const auto softmax = emitFused(*task::loadCard(1, 23));
        QVERIFY(softmax);
        for (const char* part : {"if (length % 4 == 0 && length <= rowChunk)", "<4, true><<<", "<1, false><<<",
                                 "if (!once && chunk != lastChunk) fetch(chunk);", "if (once) break;"})
            QVERIFY2(softmax->text.find(part) != std::string::npos, part);
        const auto instance = emitFused(*task::loadCard(1, 34)); // rows of 65536: two chunks
        QVERIFY(instance);
        QVERIFY(instance->text.find("once") == std::string::npos);
    }
    /// Files are in the form that .clang-format asks for: convolutions, and what tensor cores do, at every size.
    void emittedFilesAreInTheHousesForm() {
        const QString tool = QStandardPaths::findExecutable(QStringLiteral("clang-format"));
        if (tool.isEmpty()) QSKIP("clang-format is not in the path");
        QProcess version;
        version.start(tool, {"--version"});
        QVERIFY(version.waitForFinished(longWait));
        if (!version.readAll().contains("version 14")) QSKIP("clang-format is not version 14, which formats otherwise");
        QTemporaryDir folder;
        QVERIFY(QFile::copy(QStringLiteral(KERNELARIUM_SOURCE_DIR "/.clang-format"), folder.filePath(".clang-format")));
        QStringList files;
        const auto add = [&](const task::TaskKey& key, const std::string& size, const Result<Emitted>& emitted) {
            if (!emitted) return;
            files << folder.filePath(
                QStringLiteral("%1-%2-%3.cu").arg(key.level).arg(key.task).arg(QString::fromStdString(size)));
            QFile file(files.back());
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(QByteArray::fromStdString(emitted->text));
        };
        for (const task::TaskKey& key : task::builtInCards()) {
            const auto card = task::loadCard(key.level, key.task);
            if (key.level < 3) add(key, "full", convolution::emitFile(*card));
            if (key.level != 4 || !products::hasProducts(*card)) continue;
            for (const auto& size : card->sizes) {
                EmitOptions options;
                options.size = size.first;
                add(key, size.first, products::emitFile(*card, options));
            }
        }
        QVERIFY(files.size() > 110);
        QProcess format;
        format.start(tool, QStringList{"--style=file", "--dry-run", "--Werror"} + files);
        QVERIFY(format.waitForFinished(longWait));
        const QByteArray said = format.readAllStandardError();
        QVERIFY2(format.exitCode() == 0, said.left(4000).constData());
    }

    void whatHasNoFusedFormIsRefusedByName() {
        const auto card = task::loadCard(2, 98);
        QVERIFY(card);
        const auto emitted = emitFused(*card);
        QVERIFY(!emitted);
        QCOMPARE(emitted.error().code, "unsupported");
        QVERIFY2(emitted.error().message.find("a product or convolution") != std::string::npos,
                 emitted.error().message.c_str());
    }

    /// The third axis of 3/4's input has another form at every size: nothing is guessed.
    void whatCannotBeToldFromTheSizesIsRefused() {
        const auto card = task::loadCard(3, 4);
        QVERIFY(card);
        const auto emitted = emitNaive(*card);
        QVERIFY(!emitted);
        QCOMPARE(emitted.error().code, "unsupported");
    }

private:
    int run(const QStringList& arguments) {
        QProcess cli;
        cli.setProcessChannelMode(QProcess::MergedChannels);
        cli.start(KERNELARIUM_BIN_DIR "/kernelarium-cli", arguments);
        if (!cli.waitForStarted(longWait) || !cli.waitForFinished(1'200'000)) return -1;
        m_output = cli.readAll();
        return cli.exitCode();
    }

    QTemporaryDir m_folder;
    QByteArray m_output;
};

} // namespace kernelarium::kernelgen

KERNELARIUM_TEST(kernelarium::kernelgen::TestEmit);
#include "TestEmit.moc"
