// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui_workspace/TestStanding.h"

#include "tests/TestRegistry.h"
#include "tests/ui_workspace/WorkspaceRoom.h"

#include <QSignalSpy>

namespace kernelarium::ui {

namespace {

bool isKnownSoon(WorkspaceRoom& bench, const QString& kind) {
    return QTest::qWaitFor(
        [&] {
            const auto earlier = bench.workspace->past().earlier();
            return kind.isEmpty() ? !earlier : earlier && earlier->kind == kind;
        },
        longWait);
}

bool verify(WorkspaceRoom& bench) {
    if (!bench.compiled()) return false;
    bench.workspace->trials().verify();
    return bench.verdict() && bench.workspace->runner().verifyState().stage == Stage::finished;
}

/// The softmax without its rescaling.
QString wrongText(const Bench& bench) {
    QString text = bench.source();
    return text.replace(QStringLiteral("a.sum * "), QStringLiteral("1.5f * a.sum * "));
}

} // namespace

void TestStanding::saysHowTheTextStands() {
    WorkspaceRoom bench;
    QVERIFY(bench.openStarter());
    QVERIFY(bench.openKernel(1, 23, "online") && bench.compiled());
    QVERIFY(!bench.workspace->standing().now());
    QCOMPARE(bench.workspace->standing().sentence(), QString());
    bench.workspace->trials().time();
    WAIT_VERIFY(bench.workspace->standing().now());
    // It was verified first.
    QVERIFY(isKnownSoon(bench, QStringLiteral("verified")));
    const Standing::Now now = *bench.workspace->standing().now();
    QCOMPARE(now.time.origin, session::Timing::Origin::modelled);
    QCOMPARE(int(now.rivals.size()), 3);
    QCOMPARE(now.rivals[0].milliseconds, *bench.workspace->bench().kernel().row->runtime);
    const QString sentence = bench.workspace->standing().sentence();
    for (const char* part : {"µs modelled", "× as fast as the archived", "× PyTorch native", "× torch.compile"})
        QVERIFY2(sentence.contains(QString::fromUtf8(part)), qPrintable(sentence));
    QVERIFY(bench.workspace->standing().explanation().contains(QStringLiteral("the publishers' GPU")));
    // Of that text alone, compiled that way.
    Bench& it = bench.workspace->bench();
    const QString text = it.source();
    QSignalSpy changed(&bench.workspace->standing(), &Standing::changed);
    it.setSource(text + QLatin1Char('\n'), 1);
    QVERIFY(!changed.isEmpty());
    QVERIFY(!bench.workspace->standing().now());
    it.setSource(text, 1);
    QCOMPARE(bench.workspace->standing().sentence(), sentence);
    Target target = bench.workspace->place().target();
    target.fastMath = true;
    bench.workspace->place().setTarget(target);
    QVERIFY(!bench.workspace->standing().now());
    target.fastMath = false;
    bench.workspace->place().setTarget(target);
    QCOMPARE(bench.workspace->standing().sentence(), sentence);
    // At the next start, too.
    bench.restart();
    QVERIFY(bench.openStarter());
    QVERIFY(bench.openKernel(1, 23, "online"));
    WAIT_COMPARE(bench.workspace->standing().sentence(), sentence);
}

void TestStanding::aVerdictBelongsToItsText() {
    WorkspaceRoom bench;
    QVERIFY(bench.openStarter());
    QVERIFY(bench.openKernel(1, 23, "online"));
    Bench& it = bench.workspace->bench();
    const QString right = it.source(), wrong = wrongText(it);
    QVERIFY(right != wrong);
    QVERIFY(verify(bench));
    QVERIFY(isKnownSoon(bench, QStringLiteral("verified")));
    it.setSource(wrong, 1);
    QVERIFY(!bench.workspace->past().earlier());
    QVERIFY(verify(bench));
    QVERIFY(isKnownSoon(bench, QStringLiteral("wrong")));
    const qint64 attempt = bench.workspace->past().earlier()->attempt;
    it.setSource(right, 1);
    QVERIFY(isKnownSoon(bench, QStringLiteral("verified")));
    bench.workspace->past().restore(attempt);
    WAIT_COMPARE(it.source(), wrong);
    QVERIFY(isKnownSoon(bench, QStringLiteral("wrong")));
    WAIT_COMPARE(bench.workspace->runner().verifyState().generation, it.generation());
    QCOMPARE(bench.workspace->runner().verifyState().answer->kind, verify::VerdictKind::wrong);
    // Another kernel with the same text is another kernel.
    QVERIFY(bench.openKernel(1, 23, "naive"));
    QVERIFY(isKnownSoon(bench, {}));
}

void TestStanding::nothingIsComparedAtAnotherSize() {
    WorkspaceRoom bench;
    QVERIFY(bench.openStarter());
    QVERIFY(bench.openKernel(1, 19, "naive"));
    session::Attempt attempt;
    attempt.session = bench.workspace->session().current();
    attempt.kernelKey = bench.workspace->bench().kernel().key.toStdString();
    attempt.level = 1;
    attempt.task = 19;
    attempt.createdMs = 1;
    attempt.source = bench.workspace->bench().source().toStdString();
    attempt.optionsJson = bench.workspace->place().optionsFor(bench.workspace->bench().kernel());
    session::Timing timing;
    timing.milliseconds = 2;
    timing.device = "h200";
    timing.size = "small";
    attempt.timings.push_back(timing);
    bench.workspace->session().add(attempt, [](const Result<std::int64_t>& id) { QVERIFY(id); });
    WAIT_VERIFY(bench.workspace->standing().now());
    QVERIFY(bench.workspace->standing().now()->rivals.empty());
    QCOMPARE(bench.workspace->standing().sentence(), QStringLiteral("2 ms measured"));
}

void TestStanding::whatWasUndoneDoesNotComeBack() {
    WorkspaceRoom bench;
    QVERIFY(bench.openStarter());
    QVERIFY(bench.openKernel(1, 19, "naive"));
    Bench& it = bench.workspace->bench();
    const QString key = it.kernel().key, text = it.source();
    it.setSource(text + QStringLiteral("// typed\n"), 1);
    WAIT_VERIFY(bench.workspace->session().draft(key));
    it.setSource(text, 1); // and at once to another kernel
    Kernel another;
    another.key = QStringLiteral("new:1");
    another.title = QStringLiteral("new");
    another.origin = Kernel::Origin::fresh;
    it.openText(another);
    QVERIFY(!bench.workspace->session().draft(key));
    QVERIFY(bench.openKernel(1, 19, "naive"));
    QCOMPARE(it.source(), text);
    QVERIFY(!it.isEdited());
}

} // namespace kernelarium::ui

KERNELARIUM_TEST(kernelarium::ui::TestStanding);
