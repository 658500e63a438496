// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernelgen/Emit.h"
#include "tests/TestRegistry.h"
#include "tests/Waiting.h"

#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace kernelarium::kernelgen {

/// What is counted from formulas, held against what the emulator counts of the same file at the same size.
class TestAnalyticCounters : public QObject {
    Q_OBJECT

private slots:
    void theyAreWhatARunCounts_data() {
        QTest::addColumn<QString>("emitter");
        QTest::addColumn<int>("level");
        QTest::addColumn<int>("number");
        QTest::addColumn<double>("flops"); ///< a factor within which they are
        QTest::addColumn<double>("bytes"); ///< likewise, of what lanes load
        const auto row = [](const char* emitter, int level, int number, double flops, double bytes) {
            QTest::addRow("%s %d/%d", emitter, level, number)
                << QString::fromLatin1(emitter) << level << number << flops << bytes;
        };
        row("naive", 1, 1, 1.0, 1.0);        // a product: exact
        row("naive", 1, 19, 1.5, 1.0);       // relu
        row("naive", 1, 58, 1.0, 1.02);      // a transposed convolution
        row("naive", 1, 36, 1.4, 1.0);       // a norm: a factor left the sum
        row("naive", 1, 23, 2.0, 1.0);       // exponentials
        row("naive", 1, 12, 1.1, 1.0);       // a diagonal
        row("fused", 1, 23, 1.5, 1.0);       // three passes of a row
        row("fused", 1, 12, 1.1, 1.0);       // a map of four elements
        row("convolution", 2, 50, 1.3, 5.0); // its loads are counted roughly: borders, parameters
        row("convolution", 2, 1, 1.3, 5.0);
    }
    void theyAreWhatARunCounts() {
        QFETCH(QString, emitter);
        QFETCH(int, level);
        QFETCH(int, number);
        QFETCH(double, flops);
        QFETCH(double, bytes);
        const auto card = task::loadCard(level, number);
        Result<Emitted> file = Error{"bad_input", "no such emitter"};
        EmitOptions small;
        small.size = "small";
        for (const Emitter& e : emitters())
            if (e.name == emitter.toStdString()) file = e.write(*card, small);
        QVERIFY2(file.ok(), file ? "" : file.error().message.c_str());
        const std::vector<perf::LaunchCounters> ran = counted(file->text, QString::fromStdString(card->key()));
        if (m_isMissing) QSKIP("a component is missing");
        QCOMPARE(ran.size(), file->levels.launches.size());
        double analytic[4] = {}, emulated[4] = {}; // FLOPs, loaded, stored, distinct
        for (std::size_t i = 0; i < ran.size(); ++i) {
            const Launch& l = file->levels.launches[i];
            QCOMPARE(QString::fromStdString(ran[i].kernel), QString::fromStdString(l.kernel));
            for (std::size_t k = 0; k < 3; ++k) {
                QCOMPARE(std::int64_t(ran[i].grid[k]), l.grid[k].value);
                QCOMPARE(std::int64_t(ran[i].block[k]), l.block[k].value);
            }
            const auto add = [](double(&to)[4], const perf::LaunchCounters& c) {
                to[0] += perf::totalFlops(c.totals);
                to[1] += c.totals.globalLoadBytes;
                to[2] += c.totals.globalStoreBytes;
                to[3] += c.uniqueReadBytes + c.uniqueWrittenBytes;
            };
            add(analytic, l.counters);
            add(emulated, ran[i]);
        }
        const auto isWithin = [](double a, double b, double factor) {
            return a <= b * factor * 1.001 && b <= a * factor * 1.001;
        };
        const std::string all =
            fmt::format("analytic {}, emulated {}", fmt::join(analytic, " "), fmt::join(emulated, " "));
        QVERIFY2(isWithin(analytic[0], emulated[0], flops) || emulated[0] == 0, all.c_str());
        QVERIFY2(isWithin(analytic[1], emulated[1], bytes), all.c_str());
        QVERIFY2(isWithin(analytic[2], emulated[2], 1.0), all.c_str());
        QVERIFY2(isWithin(analytic[3], emulated[3], 1.02), all.c_str());
    }

private:
    std::vector<perf::LaunchCounters> counted(const std::string& text, const QString& task) {
        m_isMissing = false;
        QFile file(m_folder.filePath(QStringLiteral("kernel.cu")));
        if (!file.open(QIODevice::WriteOnly | QIODevice::Truncate)) return {};
        file.write(QByteArray::fromStdString(text));
        file.close();
        QProcess cli;
        cli.start(KERNELARIUM_BIN_DIR "/kernelarium-cli",
                  {"profile", file.fileName(), "--task", task, "--size", "small", "--json"});
        if (!cli.waitForStarted(longWait) || !cli.waitForFinished(1'200'000)) return {};
        constexpr int missingComponent = 3;
        m_isMissing = cli.exitCode() == missingComponent;
        if (cli.exitCode() != 0) return {};
        const nlohmann::json j = nlohmann::json::parse(cli.readAllStandardOutput().toStdString());
        const nlohmann::json& counters = j.at("counters");
        if (!counters.is_array()) qWarning("no list of launches");
        const Result<std::vector<perf::LaunchCounters>> launches = perf::launchesFromJson(counters);
        if (!launches) qWarning("%s", launches.error().message.c_str());
        return launches ? *launches : std::vector<perf::LaunchCounters>{};
    }

    QTemporaryDir m_folder;
    bool m_isMissing = false;
};

} // namespace kernelarium::kernelgen

KERNELARIUM_TEST(kernelarium::kernelgen::TestAnalyticCounters);
#include "TestAnalyticCounters.moc"
