// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/task/Card.h"
#include "core/verify/CardSubject.h"
#include "core/verify/Explanation.h"
#include "core/verify/VerdictJson.h"
#include "gpu/compile/Compiler.h"
#include "gpu/service/RunService.h"
#include "tests/TestRegistry.h"

#include <QFile>
#include <QtTest>
#include <cstring>
#include <map>
#include <memory>

namespace kernelarium::test {

using verify::CheckState;
using verify::Verdict;
using verify::VerdictKind;

namespace {

/// What a kernel is verified as, beyond its text.
struct Setup {
    int level = 0; ///< 0: no task; `reference` and `arguments` then
    int task = 0;
    QString reference;
    std::vector<std::string> arguments = {};
    double claimedMilliseconds = 0;
};

QString kernelText(const QString& name) {
    QFile file(QStringLiteral(KERNELARIUM_SOURCE_DIR "/tests/cheats/kernels/%1.cu").arg(name));
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

/// The bits of the first input element that the first seed gives, which a kernel may know by heart.
QString firstElement(const task::Card& card) {
    const auto plan = verify::planOf(card, "small");
    if (!plan) return {};
    const float value = *verify::drawTensors(*plan, 1).at(0).data<float>();
    std::uint32_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    return QStringLiteral("0x%1u").arg(bits, 0, 16);
}

bool has(const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

std::string joined(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names)
        text += (text.empty() ? "" : ", ") + name;
    return text;
}

} // namespace

/// Kernels that get past weaker checks, each with an honest twin: the first is caught or remarked, the second passes.
class TestCheats : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        auto created = compile::Compiler::create(compile::Toolkit::find());
        if (!created) QSKIP(created.error().text().c_str());
        m_compiler = std::move(*created);
    }

    void isCaught_data() {
        QTest::addColumn<QString>("kernel");
        QTest::addColumn<QString>("task");
        QTest::addColumn<QString>("verdict");
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("check");
        const auto row = [](const char* kernel, const char* task, const char* verdict, const char* name,
                            const char* check) { QTest::newRow(kernel) << kernel << task << verdict << name << check; };
        row("unwritten_cheat", "1/19", "wrong", "unwritten_output", "output_written");
        row("fresh_memory_cheat", "1/19", "wrong", "nan", "values");
        row("constant_cheat", "sigmoids", "wrong", "trivial_answer", "trivial_answers");
        row("constant_of_task_cheat", "2/65", "wrong", "values", "values");
        row("ignored_input_cheat", "terms", "suspicious", "ignores_input", "perturbation");
        row("overwritten_input_cheat", "1/19", "suspicious", "changes_input", "inputs_unchanged");
        row("side_stream_cheat", "1/19", "suspicious", "side_stream", "side_streams");
        row("cached_result_cheat", "1/19", "suspicious", "cached_result", "cached_result");
        row("cached_by_address_cheat", "1/19", "suspicious", "cached_result", "cached_result");
        row("cached_after_some_calls_cheat", "1/19", "suspicious", "cached_result", "cached_result");
        row("out_of_bounds_cheat", "1/19", "fault", "out_of_bounds", "memory_faults");
        row("race_cheat", "rows", "fault", "race", "races");
        row("volatile_update_cheat", "sums", "fault", "race", "races");
        row("branch_turns_cheat", "1/19", "fault", "race", "races");
        row("lane_ticket_cheat", "1/19", "fault", "race", "races");
        row("stream_race_cheat", "1/19", "fault", "stream_race", "stream_order");
        row("failed_launch_cheat", "1/19", "launch_error", "launch", "finishes");
        row("lower_precision_cheat", "1/1", "verified", "lower_precision", "precision");
        row("tested_shape_cheat", "1/19", "verified", "shape_specific", "other_shape");
        row("vector_tail_cheat", "1/19", "verified", "shape_specific", "other_shape");
        row("tested_seed_cheat", "1/19", "wrong", "values", "second_seed");
        row("library_only_cheat", "1/1", "verified", "only_library_calls", "library_calls");
        row("library_part_cheat", "1/1", "verified", "library_calls", "library_calls");
        row("library_honest", "claim 1/1 0.0005", "verified", "below_physical_floor", "physical_floor");
        row("idle_kernel_cheat", "1/19", "suspicious", "idle_kernels", "idle_kernels");
        row("assumed_statistics_cheat", "1/39", "suspicious", "assumes_inputs", "uneven_inputs");
        row("part_of_rows_cheat", "1/40", "suspicious", "assumes_inputs", "uneven_inputs");
        row("cpu_output_cheat", "1/19", "wrong", "structure", "values");
        row("sampled_key_cheat", "1/19", "suspicious", "cached_result", "cached_result");

        // Order and memory.
        row("shared_start_cheat", "sums", "fault", "race", "races");
        row("late_reader_cheat", "sums", "fault", "race", "races");
        row("flag_handoff_cheat", "sums", "verified", "unfenced_handoff", "races");
        row("lockstep_cheat", "sums", "verified", "lockstep", "races");
        row("shuffle_mask_cheat", "sums", "verified", "warp_mask", "memory_faults");
        row("unwaited_copy_cheat", "1/19", "verified", "unwaited_copy", "memory_faults");
        row("read_only_cheat", "1/19", "verified", "read_only_path", "memory_faults");
        row("clock_cheat", "1/19", "verified", "reads_clock", "hidden_inputs");
        row("multiprocessor_cheat", "1/19", "verified", "reads_place", "hidden_inputs");
        row("address_cheat", "1/19", "verified", "reads_addresses", "hidden_inputs");
        row("machine_cheat", "1/19", "verified", "reads_machine", "hidden_inputs");
        row("device_counter_cheat", "1/19", "verified", "keeps_state", "hidden_inputs");

        // What host code and results get past.
        row("shared_output_cheat", "1/19", "suspicious", "overwrites_result", "earlier_results");
        row("kept_result_cheat", "1/19", "verified", "returns_kept_result", "earlier_results");
        row("host_work_cheat", "1/19", "suspicious", "host_work", "host_work");
        row("early_read_cheat", "1/19", "fault", "early_host_read", "host_reads");
        row("early_tensor_read_cheat", "1/19", "fault", "early_host_read", "host_reads");
        row("list_output_cheat", "1/19", "wrong", "structure", "values");
        row("half_overflow_cheat", "stretched", "wrong", "values", "values");
        row("running_statistics_cheat", "1/33", "verified", "running_statistics", "inputs_unchanged");
        row("host_division_cheat", "1/19", "fault", "crashed", "finishes");
        row("returned_input_cheat", "1/19", "suspicious", "returns_input", "earlier_results");
        row("one_sign_cheat", "1/19", "wrong", "values", "second_seed");
        row("host_overflow_cheat", "1/19", "fault", "crashed", "finishes");
        row("restored_input_cheat", "1/19", "verified", "restores_input", "inputs_unchanged");
    }
    void isCaught() {
        QFETCH(QString, kernel);
        QFETCH(QString, task);
        QFETCH(QString, verdict);
        QFETCH(QString, name);
        QFETCH(QString, check);
        const Verdict v = verdictOn(kernel, setupFor(task));
        QVERIFY2(v.kind == verify::parseVerdictKind(verdict.toStdString()), describe(v).c_str());
        const bool remark = v.kind == VerdictKind::verified;
        QVERIFY2(has(remark ? v.remarks : v.reasons, name.toStdString()), describe(v).c_str());
        const auto report = std::find_if(v.checks.begin(), v.checks.end(),
                                         [&](const auto& c) { return c.name == check.toStdString(); });
        QVERIFY2(report != v.checks.end(), qPrintable(check));
        QVERIFY2(report->state == (remark ? CheckState::remarked : CheckState::failed), describe(v).c_str());
        QVERIFY(!report->detail.empty());
    }

    void honestTwinPasses_data() {
        QTest::addColumn<QString>("kernel");
        QTest::addColumn<QString>("task");
        QTest::addColumn<QString>("remark"); ///< the only one that it may have
        const auto row = [](const char* kernel, const char* task, const char* remark = "") {
            QTest::newRow(kernel) << kernel << task << remark;
        };
        row("unwritten_honest", "1/19");
        row("fresh_memory_honest", "1/19");
        row("constant_honest", "sigmoids", "weak_task");
        row("constant_of_task_honest", "2/65");
        row("ignored_input_honest", "terms", "weak_task");
        row("overwritten_input_honest", "1/19");
        row("side_stream_honest", "1/19", "side_streams");
        row("machine_honest", "1/19");
        row("cached_result_honest", "1/19");
        row("out_of_bounds_honest", "1/19");
        row("race_honest", "rows");
        row("volatile_update_honest", "sums");
        row("block_update_honest", "sums", "not_repeatable");
        row("swap_loop_honest", "1/49");
        row("guarded_max_honest", "1/49");
        row("hint_flag_honest", "1/19");
        row("set_flag_honest", "1/19", "race");
        row("branch_turns_honest", "1/19");
        row("lane_ticket_honest", "1/19");
        row("stream_race_honest", "1/19", "side_streams");
        row("failed_launch_honest", "1/19");
        row("lower_precision_honest", "1/1");
        row("tested_shape_honest", "1/19");
        row("vector_tail_honest", "1/19");
        row("tested_seed_honest", "1/19");
        row("library_honest", "claim 1/1 5");
        row("idle_kernel_honest", "1/19", "library_calls");
        row("assumed_statistics_honest", "1/39");
        row("part_of_rows_honest", "1/40");

        // Order and memory.
        row("shared_start_honest", "sums");
        row("late_reader_honest", "sums");
        row("flag_handoff_honest", "sums");
        row("lockstep_honest", "sums");
        row("shuffle_mask_honest", "sums");
        row("unwaited_copy_honest", "1/19");
        row("read_only_honest", "1/19");
        row("clock_honest", "1/19");
        row("multiprocessor_honest", "1/19");
        row("address_honest", "1/19");
        row("device_counter_honest", "1/19");
        row("shared_output_honest", "1/19");
        row("host_work_honest", "1/19");
        row("early_read_honest", "1/19");
        row("running_statistics_honest", "1/33", "updates_statistics");
        row("host_division_honest", "1/19");
        row("host_overflow_honest", "1/19");
        row("returned_input_honest", "1/19");
        row("one_sign_honest", "1/19");
    }
    void honestTwinPasses() {
        QFETCH(QString, kernel);
        QFETCH(QString, task);
        QFETCH(QString, remark);
        const Verdict v = verdictOn(kernel, setupFor(task));
        QVERIFY2(v.kind == VerdictKind::verified, describe(v).c_str());
        // The order in which blocks add up floats, and so the last bits, is the scheduler's: such a remark may be
        // absent.
        const bool mayBeAbsent = remark == QLatin1String("not_repeatable");
        const std::vector<std::string> allowed =
            remark.isEmpty() ? std::vector<std::string>() : std::vector<std::string>{remark.toStdString()};
        QVERIFY2(v.remarks == allowed || (mayBeAbsent && v.remarks.empty()), describe(v).c_str());
        for (const verify::CheckReport& check : v.checks)
            if (check.name != "physical_floor" && check.name != "other_shape" && check.name != "precision")
                QVERIFY2(check.state != CheckState::skipped, (check.name + ": " + check.detail).c_str());
    }

    /// Blocks are executed side by side, so that an update may really be lost: the check of values then finds it first,
    /// and the verdict is the same.
    void lostUpdatesAreFaults_data() {
        QTest::addColumn<QString>("kernel");
        QTest::addColumn<QString>("task");
        QTest::newRow("volatile") << "block_update_cheat"
                                  << "sums";
        QTest::newRow("in three lines") << "plain_update_cheat"
                                        << "sums";
        QTest::newRow("maximum") << "guarded_max_cheat"
                                 << "1/49";
    }
    void lostUpdatesAreFaults() {
        QFETCH(QString, kernel);
        QFETCH(QString, task);
        const Verdict v = verdictOn(kernel, setupFor(task));
        QVERIFY2(v.kind == VerdictKind::fault, describe(v).c_str());
        QCOMPARE(v.reasons, std::vector<std::string>{"race"});
        QVERIFY2(v.message.find("without an atomic") != std::string::npos, describe(v).c_str());
    }

    void libraryShareIsInOperations() {
        const Verdict v = verdictOn("library_part_cheat", setupFor("1/1"));
        const auto report =
            std::find_if(v.checks.begin(), v.checks.end(), [](const auto& c) { return c.name == "library_calls"; });
        QVERIFY(report != v.checks.end());
        // 2 * 2048^3 of the product; turning it round computes nothing
        QVERIFY2(report->detail.find("100% in aten.matmul") != std::string::npos &&
                     report->detail.find("Of 17.2 GFLOP at the published size") != std::string::npos,
                 report->detail.c_str());
    }

    void everyCheckIsExplained() {
        const Verdict v = verdictOn("unwritten_honest", setupFor("1/19"));
        int runs = 0;
        for (const verify::CheckReport& check : v.checks) {
            QVERIFY2(!verify::explanationOf(check.name).empty(), check.name.c_str());
            runs += check.runs;
        }
        QVERIFY2(runs >= 7, std::to_string(runs).c_str());
        const auto report = verify::verdictFromJson(verify::toJson(v));
        QVERIFY(bool(report));
        QCOMPARE(report->checks.at(0).runs, v.checks.at(0).runs);
    }

private:
    Setup setupFor(const QString& words) {
        const QStringList parts = words.split(' ');
        if (words == "terms") return {0, 0, "ignored_input_reference", {"float32[3,1000]", "float32[3,1000]"}};
        if (words == "rows") return {0, 0, "race_reference", {"float32[5,256]"}};
        if (words == "sums") return {0, 0, "sums_reference", {"float32[6,1024]"}};
        if (words == "stretched") return {0, 0, "half_overflow_reference", {"float32[64,100]~normal(0,1000)"}};
        if (words == "sigmoids") return {0, 0, "constant_reference", {"float32[8,4096]"}};
        const QStringList task = parts.at(parts.size() > 1 ? 1 : 0).split('/');
        Setup setup{task.at(0).toInt(), task.at(1).toInt(), {}};
        if (parts.at(0) == "claim") setup.claimedMilliseconds = parts.at(2).toDouble();
        return setup;
    }

    static std::string describe(const Verdict& v) {
        std::string text = std::string(verify::name(v.kind)) + "; reasons " + joined(v.reasons) + "; remarks " +
                           joined(v.remarks) + "; " + v.message;
        for (const verify::CheckReport& check : v.checks)
            if (check.state == CheckState::failed || check.state == CheckState::remarked)
                text += "\n  " + check.name + ": " + check.detail;
        return text;
    }

    compile::CompiledUnit compiled(const QString& name, const task::Card* card) {
        QString text = kernelText(name);
        if (card) text.replace("FIRST_ELEMENT", firstElement(*card));
        compile::CompileOptions options;
        options.cubin = false;
        auto unit = m_compiler->compile(text.toStdString(), options);
        if (unit && unit->ok) return std::move(*unit);
        qWarning("%s does not compile", qPrintable(name));
        return {};
    }

    Verdict verdictOn(const QString& kernel, const Setup& setup) {
        protocol::Request request;
        request.method = "verify";
        protocol::RunParameters p;
        if (setup.level > 0) {
            auto loaded = task::loadCard(setup.level, setup.task);
            if (!loaded) qFatal("%s", loaded.error().text().c_str());
            p.card = std::make_shared<const task::Card>(std::move(*loaded));
        }
        p.unit = std::make_shared<const compile::CompiledUnit>(compiled(kernel, p.card.get()));
        p.arguments = setup.arguments;
        if (!setup.reference.isEmpty()) {
            p.referenceUnit = std::make_shared<const compile::CompiledUnit>(compiled(setup.reference, nullptr));
            p.referenceName = setup.reference.toStdString();
        }
        if (setup.claimedMilliseconds > 0)
            p.claim = protocol::TimeClaim{setup.claimedMilliseconds, "h100-sxm", "the test"};
        request.params = protocol::toJson(p);
        service::RunService service(4ull << 30);
        const auto answer = service.handle(request, {[](const std::string&) {}, [](const nlohmann::json&) {}}, {});
        if (!answer) qFatal("%s: %s", qPrintable(kernel), answer.error().text().c_str());
        auto verdict = verify::verdictFromJson(*answer);
        if (!verdict) qFatal("%s", verdict.error().text().c_str());
        return std::move(*verdict);
    }

    std::unique_ptr<compile::Compiler> m_compiler;
};

} // namespace kernelarium::test

KERNELARIUM_TEST(kernelarium::test::TestCheats);
#include "TestCheats.moc"
