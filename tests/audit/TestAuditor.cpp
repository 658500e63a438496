// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/audit/Auditor.h"
#include "tests/TestRegistry.h"
#include "tests/audit/AuditFixture.h"

#include <atomic>
#include <cmath>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>

namespace kernelarium::audit {

namespace {

/// Judges by the text's last digit, as the test says.
struct Bench {
    std::function<Result<verify::Verdict>(const std::string& code, const std::stop_token& stop)> judge;
    std::atomic<int> made = 0;
    std::mutex mutex;
    std::multiset<std::string> judged;

    AuditOptions options(unsigned jobs = 3) {
        class Judging : public Judge {
        public:
            explicit Judging(Bench& bench)
                : m_bench(bench) {}
            Result<verify::Verdict> judge(const Candidate& kernel, const std::string& code, const Settings&,
                                          const std::stop_token& stop) override {
                {
                    const std::lock_guard lock(m_bench.mutex);
                    m_bench.judged.insert(kernel.key.name);
                }
                return m_bench.judge(code, stop);
            }

        private:
            Bench& m_bench;
        };
        AuditOptions options;
        options.jobs = jobs;
        options.makeJudge = [this] {
            ++made;
            return std::make_unique<Judging>(*this);
        };
        return options;
    }
};

verify::Verdict verdictOf(verify::VerdictKind kind) {
    verify::Verdict verdict;
    verdict.kind = kind;
    return verdict;
}

Result<verify::Verdict> right(const std::string&, const std::stop_token&) {
    return verdictOf(verify::VerdictKind::verified);
}

class TestAuditor : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyKernelIsJudgedOnceAndKept() {
        const AuditFixture fixture;
        const auto archive = fixture.archive(40);
        Bench bench;
        bench.judge = [](const std::string& code, const std::stop_token&) -> Result<verify::Verdict> {
            return verdictOf(code.ends_with("7") ? verify::VerdictKind::wrong : verify::VerdictKind::verified);
        };
        AuditOptions options = bench.options();
        std::vector<std::int64_t> done;
        options.judged = [&](const Candidate&, const JudgedKernel& kernel, const AuditProgress& progress) {
            done.push_back(progress.done);
            QCOMPARE(progress.total, std::int64_t(40));
            QVERIFY(kernel.verdict.timeMs > 0);
            QVERIFY(progress.secondsLeft() >= 0);
        };
        const auto judged = runAudit(archive, fixture.path("v"), candidatesOf(archive), options, {});
        VERIFY_OK(judged);
        QCOMPARE(*judged, std::int64_t(40));
        QCOMPARE(bench.judged.size(), std::size_t(40));
        QCOMPARE(std::set<std::string>(bench.judged.begin(), bench.judged.end()).size(), std::size_t(40));
        QCOMPARE(bench.made.load(), 3);
        QCOMPARE(done.size(), std::size_t(40));
        QVERIFY(std::is_sorted(done.begin(), done.end()));
        auto store = VerdictStore::open(fixture.path("v"));
        VERIFY_OK(store);
        const VerdictIndex index = indexOf(*store->all());
        QCOMPARE(index.size(), std::size_t(40));
        for (const auto& [key, verdict] : index)
            QCOMPARE(verdict.verdict, std::string(key.name.back() == '7' ? "wrong" : "verified"));
        TodaysVersions today;
        QVERIFY(planAudit(candidatesOf(archive), index, {}, today).due.empty());
    }

    void aKernelsErrorCostsThatKernel() {
        const AuditFixture fixture;
        const auto archive = fixture.archive(12);
        Bench bench;
        bench.judge = [](const std::string& code, const std::stop_token& stop) -> Result<verify::Verdict> {
            if (code.ends_with("4")) return Error{"child_died", "The worker process was killed by SIGSEGV."};
            return right(code, stop);
        };
        VERIFY_OK(runAudit(archive, fixture.path("v"), candidatesOf(archive), bench.options(), {}));
        auto store = VerdictStore::open(fixture.path("v"));
        VERIFY_OK(store);
        const auto all = *store->all();
        QCOMPARE(all.size(), std::size_t(12));
        QCOMPARE(std::count_if(all.begin(), all.end(), [](const auto& v) { return v.isFailure(); }), 1);
    }

    void aStoppedAuditGoesOnWhereItWas() {
        const AuditFixture fixture;
        const auto archive = fixture.archive(30);
        const auto candidates = candidatesOf(archive);
        Bench bench;
        bench.judge = right;
        std::stop_source stop;
        AuditOptions options = bench.options();
        options.judged = [&](const Candidate&, const JudgedKernel&, const AuditProgress& progress) {
            if (progress.done == 10) stop.request_stop();
        };
        const auto first = runAudit(archive, fixture.path("v"), candidates, options, stop.get_token());
        QVERIFY(!first.ok());
        QCOMPARE(first.error().code, std::string("cancelled"));
        auto store = VerdictStore::open(fixture.path("v"));
        VERIFY_OK(store);
        const VerdictIndex kept = indexOf(*store->all());
        QVERIFY(kept.size() >= 10 && kept.size() < 14); // and what the other threads had in hand
        TodaysVersions today;
        const AuditPlan plan = planAudit(candidates, kept, {}, today);
        QCOMPARE(plan.due.size(), 30 - kept.size());
        bench.judged.clear();
        options.judged = {};
        VERIFY_OK(runAudit(archive, fixture.path("v"), plan.due, options, {}));
        for (const std::string& name : bench.judged)
            for (const auto& [key, verdict] : kept)
                QVERIFY(key.name != name);
        QCOMPARE(store->all()->size(), std::size_t(30));
    }

    void aStopReachesTheKernelThatRuns() {
        const AuditFixture fixture;
        const auto archive = fixture.archive(6);
        Bench bench;
        std::stop_source stop;
        bench.judge = [&](const std::string&, const std::stop_token& token) -> Result<verify::Verdict> {
            stop.request_stop();
            while (!token.stop_requested())
                std::this_thread::yield();
            return Error{"cancelled", "Cancelled."};
        };
        const auto audit =
            runAudit(archive, fixture.path("v"), candidatesOf(archive), bench.options(), stop.get_token());
        QVERIFY(!audit.ok());
        QCOMPARE(audit.error().code, std::string("cancelled"));
        QVERIFY(VerdictStore::open(fixture.path("v"))->all()->empty()); // a cancelled kernel has no verdict
    }

    void whatIsMissingEndsTheAudit() {
        const AuditFixture fixture;
        const auto archive = fixture.archive(20);
        Bench bench;
        bench.judge = [](const std::string&, const std::stop_token&) -> Result<verify::Verdict> {
            return Error{"missing_component", "There is no NVRTC."};
        };
        const auto audit = runAudit(archive, fixture.path("v"), candidatesOf(archive), bench.options(), {});
        QVERIFY(!audit.ok());
        QCOMPARE(audit.error().code, std::string("missing_component"));
        QVERIFY(bench.judged.size() <= 3);
        QVERIFY(VerdictStore::open(fixture.path("v"))->all()->empty());
    }

    void aThrowingJudgeEndsInOrder() {
        const AuditFixture fixture;
        const auto archive = fixture.archive(5);
        Bench bench;
        bench.judge = [](const std::string&, const std::stop_token&) -> Result<verify::Verdict> {
            throw std::runtime_error("oops");
        };
        const auto audit = runAudit(archive, fixture.path("v"), candidatesOf(archive), bench.options(), {});
        QVERIFY(!audit.ok());
        QCOMPARE(audit.error().code, std::string("internal"));
    }

    void badFilesAreSaid() {
        const AuditFixture fixture;
        Bench bench;
        bench.judge = right;
        QCOMPARE(runAudit(fixture.path("none"), fixture.path("v"), {}, bench.options(), {}).error().code,
                 std::string("missing_file"));
        const auto archive = fixture.archive(3);
        const auto text = fixture.write("text", "this is a text and no database\n");
        QCOMPARE(runAudit(archive, text, candidatesOf(archive), bench.options(), {}).error().code,
                 std::string("damaged_verdicts"));
        QVERIFY(bench.judged.empty());
        QVERIFY(std::isnan(AuditProgress{}.secondsLeft()));
    }
};

} // namespace

KERNELARIUM_TEST(TestAuditor);

} // namespace kernelarium::audit

#include "TestAuditor.moc"
