// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui_workspace/TestGpuTarget.h"

#include "gpu/protocol/MeasuredTiming.h"
#include "tests/Waiting.h"
#include "tests/protocol/SshServer.h"
#include "tests/ui_workspace/WorkspaceRoom.h"

#include <QDir>
#include <QSignalSpy>

namespace kernelarium::ui {

namespace {

/// A bench whose machine has a GPU, which is the target, and a kernel that is compiled for it.
struct GpuBench : WorkspaceRoom {
    [[nodiscard]] bool ready() {
        plugGpu();
        if (!openStarter() || !found()) return false;
        workspace->place().choose({}, workspace->devices().at({}).answer.gpu(), 0);
        return openKernel(1, 23, "online") && compiled();
    }
    [[nodiscard]] bool found() {
        return QTest::qWaitFor([this] { return workspace->devices().at({}).stage == Stage::finished; }, longWait);
    }
    [[nodiscard]] bool idle() {
        return QTest::qWaitFor([this] { return !workspace->trials().isBusy(); }, longWait);
    }
    [[nodiscard]] session::Attempt attempt(qint64 id) {
        std::optional<session::Attempt> found;
        workspace->session().fetch(id, [&](Result<session::Attempt> a) { found = a ? *a : session::Attempt(); });
        (void)QTest::qWaitFor([&] { return found.has_value(); }, longWait);
        return found.value_or(session::Attempt());
    }
    /// The attempt of a timing that ends well; 0 where it does not.
    [[nodiscard]] qint64 timed() {
        QSignalSpy kept(&workspace->trials(), &Trials::timeKept);
        workspace->trials().time();
        return QTest::qWaitFor([&] { return !kept.isEmpty(); }, longWait) ? kept[0][0].toLongLong() : 0;
    }
};

/// Its block has more threads than any device takes.
const char* const refusedSource = R"(#include <torch/extension.h>
__global__ void refused(float* out) { out[0] = 1; }
torch::Tensor forward(torch::Tensor x) {
    auto out = torch::empty_like(x);
    refused<<<1, 4096>>>(out.data_ptr<float>());
    return out;
}
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward, "refused"); }
)";

const char* const endlessSource = R"(#include <torch/extension.h>
__global__ void endless(volatile float* out) { while (out[0] == out[0]) out[1] = 1; }
torch::Tensor forward(torch::Tensor x) {
    auto out = torch::zeros_like(x);
    endless<<<1, 32>>>(out.data_ptr<float>());
    return out;
}
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward, "endless"); }
)";

QString lastNotice(const QSignalSpy& notices) {
    return notices.isEmpty() ? QString() : notices.last()[0].toString();
}

} // namespace

void TestGpuTarget::init() {
    qputenv("XDG_DATA_HOME", m_data.path().toUtf8());
    qputenv("KERNELARIUM_TEST_GPU", m_data.filePath(QStringLiteral("gone")).toUtf8());
}

void TestGpuTarget::cleanup() {
    QFile::remove(m_data.filePath(QStringLiteral("gone")));
    qunsetenv("XDG_DATA_HOME");
    qunsetenv("KERNELARIUM_TEST_GPU");
}

void TestGpuTarget::withoutAGpuTheReasonIsKnown() {
    WorkspaceRoom bench;
    QVERIFY(QTest::qWaitFor([&] { return bench.workspace->devices().at({}).stage == Stage::finished; }, longWait));
    const protocol::DeviceList list = bench.workspace->devices().at({}).answer;
    QCOMPARE(list.devices.front().backend, std::string("emulator"));
    if (list.gpu()) QSKIP("There is a GPU here.");
    QVERIFY(list.missing && !list.missing->message.empty());
    QVERIFY(bench.workspace->place().obstacle().isEmpty());
}

void TestGpuTarget::aGpuIsFoundChosenAndRemembered() {
    GpuBench bench;
    QVERIFY(bench.ready());
    const Target chosen = bench.workspace->place().target();
    QCOMPARE(chosen.gpu, QStringLiteral("NVIDIA H200"));
    QCOMPARE(chosen.device, QStringLiteral("h200"));
    QCOMPARE(placeText(chosen), QStringLiteral("NVIDIA H200"));
    bench.restart();
    QVERIFY(bench.openStarter());
    QVERIFY(bench.workspace->place().target() == chosen);
    QVERIFY(bench.openKernel(1, 23, "online") && bench.compiled());
    bench.workspace->trials().verify();
    QVERIFY(bench.verdict());
    QCOMPARE(bench.workspace->runner().verifyState().answer->backend, std::string("cuda"));
    bench.workspace->place().choose({}, nullptr, 0);
    QCOMPARE(bench.workspace->place().target().arch, Target().arch);
    QVERIFY(bench.compiled());
    bench.workspace->trials().verify();
    QVERIFY(bench.idle());
    QCOMPARE(bench.workspace->runner().verifyState().answer->backend, std::string("emulator"));
}

void TestGpuTarget::timingVerifiesFirstAndKeepsSamples() {
    GpuBench bench;
    QVERIFY(bench.ready());
    const qint64 id = bench.timed();
    QVERIFY(id > 0);
    const session::Attempt attempt = bench.attempt(id);
    QCOMPARE(attempt.verdict, std::string("verified"));
    QCOMPARE(attempt.timings.size(), std::size_t(1));
    const session::Timing& timing = attempt.timings.front();
    QVERIFY(timing.origin == session::Timing::Origin::measured);
    QCOMPARE(timing.device, std::string("NVIDIA H200"));
    QCOMPARE(timing.size, std::string("full"));
    QCOMPARE(timing.mode, std::string("cold"));
    QVERIFY(timing.flops > 0 && timing.bytes > 0 && timing.lowerQuartileMs < timing.milliseconds &&
            timing.milliseconds < timing.upperQuartileMs);
    QVERIFY(timing.baselines.empty()); // they were not asked for
    const auto summary = protocol::summaryOf(timing);
    QVERIFY(summary.ok());
    QCOMPARE(summary->samples.size(), std::size_t(40));
    QCOMPARE(summary->summary.dropped, std::size_t(1));
    QVERIFY(bench.timed() == id); // the same text again: another time of the same attempt
    QCOMPARE(bench.attempt(id).timings.size(), std::size_t(2));
}

void TestGpuTarget::theFirstSamplesAreSaidBeforeTheEnd() {
    GpuBench bench;
    QVERIFY(bench.ready());
    QStringList steps;
    connect(&bench.workspace->timer(), &TimeDesk::changed, this,
            [&] { steps << bench.workspace->timer().state().step; });
    QVERIFY(bench.timed() > 0);
    const auto first = std::find_if(steps.begin(), steps.end(), [](const QString& step) {
        return step.contains(QLatin1String("first 12 samples"));
    });
    QVERIFY2(first != steps.end(), qPrintable(steps.join(QLatin1Char('|'))));
    QVERIFY2(first->startsWith(QLatin1String("1.25 ms (1.25 to 1.25)")), qPrintable(*first));
    QVERIFY2(steps.filter(QStringLiteral("refining it, energy")).size() == 1, qPrintable(steps.join(QLatin1Char('|'))));
    QVERIFY(steps.last().isEmpty()); // the end says it all
    QVERIFY(bench.workspace->timer().state().answer->samples.size() == 40);
}

void TestGpuTarget::baselinesAreAskedForInTheChosenPython() {
    GpuBench bench;
    QVERIFY(bench.ready());
    bench.workspace->cards().setPython(QStringLiteral("/opt/some/python"));
    Target target = bench.workspace->place().target();
    target.baselines = true;
    bench.workspace->place().setTarget(target);
    const session::Timing timing = bench.attempt(bench.timed()).timings.at(0);
    QCOMPARE(timing.baselines.size(), std::size_t(1));
    QCOMPARE(timing.baselines[0].milliseconds, 0.8);
    const auto summary = protocol::summaryOf(timing);
    QVERIFY(summary.ok());
    QCOMPARE(summary->baselines.at(0).samples.size(), std::size_t(11));
    QCOMPARE(summary->baselines[0].remark, std::string("/opt/some/python")); // the child says in what
}

void TestGpuTarget::somethingThatCannotRunIsNotTimed() {
    GpuBench bench;
    QVERIFY(bench.ready());
    bench.workspace->bench().replaceSource(QString::fromUtf8(refusedSource));
    QSignalSpy notices(&bench.workspace->notices(), &Notices::posted);
    QSignalSpy kept(&bench.workspace->trials(), &Trials::timeKept);
    bench.workspace->trials().time();
    QVERIFY(bench.idle());
    QVERIFY2(lastNotice(notices).contains(QStringLiteral("It was not timed: its verdict is compile_error")),
             qPrintable(lastNotice(notices)));
    QVERIFY(kept.isEmpty());
}

void TestGpuTarget::cancelEndsATiming() {
    GpuBench bench;
    QVERIFY(bench.ready());
    Target target = bench.workspace->place().target();
    target.timeMode = QStringLiteral("server"); // which goes on until it is cancelled
    bench.workspace->place().setTarget(target);
    bench.workspace->trials().time();
    QVERIFY(
        QTest::qWaitFor([&] { return bench.workspace->timer().state().step == QLatin1String("samples"); }, longWait));
    bench.workspace->trials().cancel();
    QVERIFY(bench.idle());
    QVERIFY(bench.workspace->timer().state().stage == Stage::cancelled);
}

void TestGpuTarget::aChildThatDiesEndsTheTiming() {
    GpuBench bench;
    QVERIFY(bench.ready());
    Target target = bench.workspace->place().target();
    target.timeMode = QStringLiteral("server");
    target.rate = 1; // the child dies of it
    bench.workspace->place().setTarget(target);
    bench.workspace->trials().time();
    QVERIFY(bench.idle());
    QVERIFY(bench.workspace->timer().state().stage == Stage::failed);
    QCOMPARE(bench.workspace->timer().state().error.code, std::string("child_died"));
    target.timeMode = QStringLiteral("hot");
    bench.workspace->place().setTarget(target);
    QVERIFY(bench.timed() > 0); // in another child
}

void TestGpuTarget::aGpuThatVanishesIsSaid() {
    GpuBench bench;
    QVERIFY(bench.ready());
    QVERIFY(bench.workspace->place().obstacle().isEmpty());
    QFile gone(m_data.filePath(QStringLiteral("gone")));
    QVERIFY(gone.open(QIODevice::WriteOnly));
    gone.close();
    QSignalSpy notices(&bench.workspace->notices(), &Notices::posted);
    bench.workspace->devices().look({});
    QVERIFY(QTest::qWaitFor([&] { return !notices.isEmpty(); }, longWait));
    QVERIFY2(lastNotice(notices).contains(QStringLiteral("not there any more")), qPrintable(lastNotice(notices)));
    QVERIFY(!bench.workspace->place().obstacle().isEmpty());
    bench.workspace->trials().verify();
    QVERIFY(bench.idle());
    QVERIFY(bench.workspace->runner().verifyState().stage == Stage::failed);
    QVERIFY(gone.remove());
    bench.workspace->devices().look({});
    QVERIFY(QTest::qWaitFor([&] { return bench.workspace->place().obstacle().isEmpty() && bench.found(); }, longWait));
}

void TestGpuTarget::aRaceSaysWhoIsFaster() {
    GpuBench bench;
    QVERIFY(bench.ready());
    const qint64 before = bench.timed();
    QVERIFY(before > 0);
    bench.workspace->bench().replaceSource(bench.workspace->bench().source() + QStringLiteral("\n// another\n"));
    QSignalSpy kept(&bench.workspace->trials(), &Trials::timeKept);
    QSignalSpy notices(&bench.workspace->notices(), &Notices::posted);
    bench.workspace->trials().race(before);
    QVERIFY(bench.workspace->trials().isBusy());
    QVERIFY(QTest::qWaitFor([&] { return !kept.isEmpty(); }, longWait));
    QVERIFY(kept[0][1].toBool());
    QVERIFY2(lastNotice(notices).contains(QStringLiteral("19 of 20 pairs")), qPrintable(lastNotice(notices)));
    const auto summary = protocol::summaryOf(bench.attempt(kept[0][0].toLongLong()).timings.back());
    QVERIFY(summary.ok() && summary->against);
    QCOMPARE(summary->against->name, "attempt " + std::to_string(before));
    QVERIFY(bench.idle());
}

void TestGpuTarget::aRaceNeedsAGpuAndAnotherText() {
    GpuBench bench;
    QVERIFY(bench.ready());
    const qint64 attempt = bench.timed();
    QVERIFY(attempt > 0);
    QSignalSpy notices(&bench.workspace->notices(), &Notices::posted);
    bench.workspace->trials().race(attempt);
    QVERIFY(bench.idle());
    QVERIFY2(lastNotice(notices).contains(QStringLiteral("nothing to race")), qPrintable(lastNotice(notices)));
    bench.workspace->place().choose({}, nullptr, 0);
    bench.workspace->trials().race(attempt);
    QVERIFY2(lastNotice(notices).contains(QStringLiteral("choose one as the target")), qPrintable(lastNotice(notices)));
}

void TestGpuTarget::modellingStaysWithTheEmulator() {
    GpuBench bench;
    QVERIFY(bench.ready());
    RunJob job;
    job.unit = bench.workspace->compiler().state().answer;
    job.target = bench.workspace->place().target();
    QCOMPARE(parametersOf(job).backend, std::string("cuda"));
    QVERIFY(!job.unit->cubin.empty());
    bench.workspace->trials().model();
    QVERIFY(bench.idle());
    const ProfileState& state = bench.workspace->runner().profileState();
    QVERIFY2(state.stage == Stage::finished, state.error.text().c_str());
}

void TestGpuTarget::measuredRoofsAreKept() {
    GpuBench bench;
    QVERIFY(bench.ready());
    QSignalSpy kept(&bench.workspace->devices(), &DeviceDesk::keptChanged);
    bench.workspace->devices().measure();
    QVERIFY(bench.workspace->trials().isBusy());
    QVERIFY(QTest::qWaitFor([&] { return !bench.workspace->devices().kept().empty(); }, longWait));
    QVERIFY(bench.workspace->devices().measureState().stage == Stage::finished);
    QVERIFY(QFile::exists(bench.workspace->devices().measureState().answer->file));
    bench.restart();
    QVERIFY(QTest::qWaitFor([&] { return !bench.workspace->devices().kept().empty(); }, longWait));
    QVERIFY(perf::ceilingsOf(bench.workspace->devices().kept(), *perf::findDeviceSpec("h200")));
    QVERIFY(!perf::ceilingsOf(bench.workspace->devices().kept(), *perf::findDeviceSpec("t4")));
}

void TestGpuTarget::machinesAreRememberedAndChecked() {
    WorkspaceRoom bench;
    QVERIFY(QTest::qWaitFor([&] { return bench.workspace->session().isReady(); }, longWait));
    QVERIFY(!bench.workspace->devices().addHost(QStringLiteral("-oProxyCommand=x")).ok());
    const auto host = bench.workspace->devices().addHost(QStringLiteral("ssh ada@127.0.0.1:1"));
    QVERIFY(host.ok());
    QCOMPARE(*host, QStringLiteral("ada@127.0.0.1:1"));
    QSignalSpy notices(&bench.workspace->notices(), &Notices::posted);
    bench.workspace->place().choose(*host, nullptr, 0);
    bench.workspace->devices().look(*host);
    QVERIFY(bench.workspace->trials().isBusy());
    QVERIFY(QTest::qWaitFor([&] { return bench.workspace->devices().at(*host).stage == Stage::failed; }, longWait));
    QVERIFY(!bench.workspace->trials().isBusy());
    QVERIFY2(lastNotice(notices).contains(*host) || lastNotice(notices).contains(QStringLiteral("ssh")),
             qPrintable(lastNotice(notices)));
    bench.restart();
    QVERIFY(QTest::qWaitFor([&] { return bench.workspace->session().isReady(); }, longWait));
    QCOMPARE(bench.workspace->devices().hosts(), QStringList{*host});
    QCOMPARE(bench.workspace->place().target().host, *host);
    bench.workspace->devices().removeHost(*host);
    QVERIFY(bench.workspace->devices().hosts().isEmpty());
}

void TestGpuTarget::kernelsRunOnAnotherMachine() {
    SshServer server;
    if (!server.obstacle().isEmpty()) QSKIP(qPrintable(server.obstacle()));
    qputenv("KERNELARIUM_BUNDLE", server.bundleOf(QStringLiteral(KERNELARIUM_BIN_DIR "/kernelarium-cli")).toUtf8());
    GpuBench bench;
    QVERIFY(bench.openStarter());
    const auto host = bench.workspace->devices().addHost(server.target());
    QVERIFY(host.ok());
    bench.workspace->place().choose(*host, nullptr, 0);
    QVERIFY(bench.openKernel(1, 23, "online") && bench.compiled());
    QSignalSpy notices(&bench.workspace->notices(), &Notices::posted);
    bench.workspace->trials().verify();
    QVERIFY(bench.idle());
    const VerifyState& state = bench.workspace->runner().verifyState();
    QVERIFY2(state.stage == Stage::finished, state.error.text().c_str());
    QCOMPARE(verify::name(state.answer->kind), std::string_view("verified"));
    QVERIFY(QDir(server.home() + QStringLiteral("/.cache/kernelarium/remote")).exists());
    // The connection breaks: what was running ends with the reason, and the next request connects again.
    const QString text = bench.workspace->bench().source();
    bench.workspace->bench().replaceSource(QString::fromUtf8(endlessSource));
    bench.workspace->trials().verify();
    QVERIFY(QTest::qWaitFor([&] { return !bench.workspace->runner().verifyState().step.isEmpty(); }, longWait));
    server.dropConnections();
    QVERIFY(bench.idle());
    QVERIFY(state.stage == Stage::failed);
    QCOMPARE(state.error.code, std::string("connection_lost"));
    QVERIFY2(lastNotice(notices).contains(QStringLiteral("connects again")), qPrintable(lastNotice(notices)));
    bench.workspace->bench().replaceSource(text);
    bench.workspace->trials().verify();
    QVERIFY(bench.idle());
    QVERIFY2(state.stage == Stage::finished, state.error.text().c_str());
    qunsetenv("KERNELARIUM_BUNDLE");
}

void TestGpuTarget::aTextThatChangesIsNotTimed() {
    GpuBench bench;
    QVERIFY(bench.ready());
    QSignalSpy kept(&bench.workspace->trials(), &Trials::timeKept);
    QSignalSpy notices(&bench.workspace->notices(), &Notices::posted);
    bench.workspace->trials().time();
    QVERIFY(QTest::qWaitFor([&] { return isBusy(bench.workspace->runner().verifyState().stage); }, longWait));
    bench.workspace->bench().replaceSource(bench.workspace->bench().source() + QStringLiteral("\n"));
    QVERIFY(bench.idle());
    QVERIFY(kept.isEmpty());
    QStringList said;
    for (const auto& notice : notices)
        said << notice[0].toString();
    QVERIFY2(!said.filter(QStringLiteral("not timed")).isEmpty(), qPrintable(said.join(QLatin1Char('\n'))));
}

} // namespace kernelarium::ui
