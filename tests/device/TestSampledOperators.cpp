// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels of the archive, one for each task: none of their library operators needs this machine's processor where a GPU
// computes operators. At small size, in the emulator. Needs the archive's sample, which is not distributed.
#include "core/task/Card.h"
#include "core/verify/CardSubject.h"
#include "tests/TestRegistry.h"
#include "tests/device/TracedRun.h"

#include <QtTest>
#include <fstream>
#include <nlohmann/json.hpp>

namespace kernelarium::test {

class TestSampledOperators : public QObject {
    Q_OBJECT

private slots:
    void operatorsHaveKernels_data() {
        QTest::addColumn<int>("level");
        QTest::addColumn<int>("task");
        QTest::addColumn<QString>("code");
        const char* named = std::getenv("KERNELARIUM_SHARED_DIR");
        std::ifstream rows(std::string(named ? named : KERNELARIUM_SHARED_DIR) +
                           "/archive_sample/one_kernel_per_task.jsonl");
        if (!rows) QSKIP("the shared archive_sample/one_kernel_per_task.jsonl is absent");
        for (std::string line; std::getline(rows, line);) {
            const auto row = nlohmann::json::parse(line, nullptr, false);
            if (!row.is_object()) continue;
            const int level = row["Level_ID"].get<int>(), task = row["Task_ID"].get<int>();
            QTest::addRow("%d/%d", level, task)
                << level << task << QString::fromStdString(row["CUDA_Code"].get<std::string>());
        }
    }

    void operatorsHaveKernels() {
        if (!compiler() || !operatorLibrary()) QSKIP(missingCompiler().c_str());
        QFETCH(int, level);
        QFETCH(int, task);
        QFETCH(QString, code);
        const auto card = task::loadCard(level, task);
        QVERIFY(card.ok());
        compile::CompileOptions options;
        options.cubin = false;
        const auto unit = compiler()->compile(code.toStdString(), options);
        QVERIFY2(unit.ok(), unit ? "" : unit.error().text().c_str());
        if (!unit->ok) {
            ++m_left;
            QSKIP("it does not compile, as in the archive");
        }
        const auto plan = verify::planOf(*card, "small");
        const TracedRun run(*unit, verify::argumentsOf(*plan, verify::drawTensors(*plan, 1)), false,
                            std::chrono::seconds(20));
        for (const host::ComputedHere& one : run.session->computedHere())
            QFAIL((one.name + " was computed on the processor: " + one.why).c_str());
        if (run.result.end != verify::RunEnd::finished) {
            ++m_left;
            QSKIP(("it did not finish: " + run.result.reason).c_str());
        }
        ++m_ran;
        if (run.result.libraryCalls.empty()) return;
        if (run.tracing->trace().readBack > 0)
            qInfo("its host code reads %llu bytes back, and is timed with it",
                  static_cast<unsigned long long>(run.tracing->trace().readBack));
    }

    /// Rows that say nothing are few, or the others prove nothing: 6 of 102 do not compile or do not finish.
    void fewAreLeftOut() {
        if (m_ran + m_left == 0)
            QSKIP("the archive's sample or the compiler is not here, or one row alone was asked for");
        QVERIFY2(m_left <= std::max(1, (m_ran + m_left) / 10),
                 qPrintable(QStringLiteral("%1 of %2").arg(m_left).arg(m_ran + m_left)));
    }

private:
    int m_left = 0, m_ran = 0;
};

} // namespace kernelarium::test

KERNELARIUM_TEST(kernelarium::test::TestSampledOperators);
#include "TestSampledOperators.moc"
