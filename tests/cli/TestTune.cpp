// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/cli/TestTune.h"

#include "tests/TestRegistry.h"
#include "tests/cli/CliProcess.h"

#include <QFile>
#include <QTemporaryDir>
#include <QtTest>
#include <csignal>
#include <set>

namespace {

using nlohmann::json;

/// Points of tunable_relu.cu that its restriction allows: (128, 1), (128, 2), (256, 1), each with a tail and without.
constexpr int points = 6;

QStringList tuning(const QString& store, const QStringList& more = {}) {
    return QStringList{"tune", fixture("tunable_relu.cu"), "--task", "1/19", "--store", store, "--json"} + more;
}

QStringList everything(const QString& store, const QStringList& more = {}) {
    return tuning(store, QStringList{"--strategy", "exhaustive", "--verify", "every"} + more);
}

QByteArray said(const CliAnswer& answer) {
    return answer.output.left(3000) + answer.messages;
}

/// What must not depend on who looked when: key, outcome, value, verdict.
std::set<std::string> tableOf(const json& answer) {
    std::set<std::string> rows;
    for (const json& row : answer.at("rows"))
        rows.insert(
            json{row.at("key"), row.at("outcome"), row.at("value_ms"), row.at("details").value("verdict", "")}.dump());
    return rows;
}

} // namespace

void TestTune::findsTheBestThatIsRight() {
    const QTemporaryDir folder;
    const QString store = folder.filePath("a.sweep");
    const CliAnswer answer = callCli(everything(store, {"--jobs", "1"}));
    QVERIFY2(answer.exitCode == 0, said(answer));
    const json found = answer.json();
    QCOMPARE(found.at("rows").size(), std::size_t(points));
    QCOMPARE(found.at("allowed"), json(points));
    QCOMPARE(found.at("points"), json(8));
    QCOMPARE(found.at("value"), json("modelled"));
    QCOMPARE(found.at("counts"), (json{{"valued", 3}, {"refused", 0}, {"wrong", 3}, {"failed", 0}, {"filtered", 0}}));
    QCOMPARE(found.at("start").at("key"), json("THREADS=128 ITEMS=2 TAIL=true"));
    QCOMPARE(found.at("best").at("details").at("verdict"), json("verified"));
    QCOMPARE(found.at("best").at("parameters").at("TAIL"), json(true));
    QVERIFY(found.at("best").at("value_ms").get<double>() <= found.at("start").at("value_ms").get<double>());
    QVERIFY(found.at("best_so_far").size() >= 1);
    for (const json& row : found.at("rows")) {
        const bool tail = row.at("parameters").at("TAIL");
        QCOMPARE(row.at("outcome"), json(tail ? "valued" : "wrong"));
        if (!tail) QVERIFY2(row.at("reason").get<std::string>().find("wrong") == 0, row.dump().c_str());
    }
    // All is known: the same command looks at nothing.
    const CliAnswer again = callCli(everything(store, {"--jobs", "1"}));
    QVERIFY2(again.exitCode == 0, said(again));
    QCOMPARE(again.json().at("rows"), found.at("rows"));
    const CliAnswer shown = callCli({"tune", "show", store, "--json"});
    QCOMPARE(shown.json().at("rows"), found.at("rows"));
}

/// Only what may be best is verified, so a wrong point that is no faster keeps its modelled time, below the best.
void TestTune::wrongOnesAreNeverBest() {
    const QTemporaryDir folder;
    for (const char* strategy : {"random", "local-search"}) {
        const CliAnswer answer = callCli(tuning(folder.filePath(strategy), {"--strategy", strategy, "--jobs", "1"}));
        QVERIFY2(answer.exitCode == 0, said(answer));
        const json found = answer.json();
        QCOMPARE(found.at("rows").size(), std::size_t(points));
        QCOMPARE(found.at("best").at("parameters").at("TAIL"), json(true));
        QCOMPARE(found.at("best").at("details").at("verdict"), json("verified"));
    }
}

void TestTune::aKilledSweepGoesOn() {
    const QTemporaryDir folder;
    const QString store = folder.filePath("a.sweep"), whole = folder.filePath("b.sweep");
    for (int round = 0; round < 4; ++round) {
        int looks = 150 * (round + 1);
        callCli(everything(store), {}, [&looks](qint64 pid) {
            if (--looks == 0) ::kill(pid_t(pid), SIGKILL);
        });
    }
    const CliAnswer resumed = callCli({"tune", "resume", store, "--json"});
    QVERIFY2(resumed.exitCode == 0, said(resumed));
    const CliAnswer atOnce = callCli(everything(whole));
    QCOMPARE(tableOf(resumed.json()), tableOf(atOnce.json()));
}

void TestTune::shardsMakeTheSameTable() {
    const QTemporaryDir folder;
    const QString store = folder.filePath("a.sweep"), whole = folder.filePath("b.sweep");
    QStringList parts;
    for (int i = 1; i <= 3; ++i) {
        const CliAnswer part = callCli(everything(store, {"--shard", QString("%1/3").arg(i)}));
        QVERIFY2(part.exitCode == 0 || part.exitCode == 1, said(part));
        parts << QString::fromStdString(part.json().at("store").get<std::string>());
    }
    const CliAnswer merged = callCli(QStringList{"tune", "merge", store} + parts + QStringList{"--json"});
    QVERIFY2(merged.exitCode == 0, said(merged));
    const CliAnswer shown = callCli({"tune", "show", store, "--json"}), atOnce = callCli(everything(whole));
    QVERIFY2(shown.exitCode == 0, said(shown));
    QCOMPARE(tableOf(shown.json()), tableOf(atOnce.json()));
}

/// A point's text differs from the kernel's in its values alone, and verifies by itself.
void TestTune::textsOfPoints() {
    const QTemporaryDir folder;
    const QString store = folder.filePath("a.sweep");
    QVERIFY(callCli(tuning(store, {"--budget", "1"})).exitCode == 0);
    QFile original(fixture("tunable_relu.cu"));
    QVERIFY(original.open(QIODevice::ReadOnly));
    QByteArray expected = original.readAll();
    QCOMPARE(callCli({"tune", "show", store, "--text", "best"}).output, expected);
    expected.replace("THREADS = 128;", "THREADS = 256;").replace("ITEMS = 2;", "ITEMS = 1;");
    const CliAnswer other = callCli({"tune", "show", store, "--text", "TAIL=true THREADS=256 ITEMS=1"});
    QCOMPARE(other.output, expected);
    QFile file(folder.filePath("made.cu"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(other.output);
    file.close();
    QCOMPARE(callCli({"verify", file.fileName(), "--task", "1/19"}).exitCode, 0);
    QCOMPARE(callCli({"tune", "show", store, "--text", "THREADS=100"}).exitCode, 2);
}

/// Blocks of 1,024 x 2 threads are never compiled: no budget, a reason, a count of their own.
void TestTune::whatCannotLaunchIsNotCompiled() {
    const QTemporaryDir folder;
    QFile original(fixture("tunable_relu.cu"));
    QVERIFY(original.open(QIODevice::ReadOnly));
    QByteArray text = original.readAll();
    text.replace("THREADS = 128; // tune: 128, 256", "THREADS = 128; // tune: 128, 2048, 1024");
    text.replace("// tune where: THREADS * ITEMS <= 256", "// tune where: TAIL");
    QFile file(folder.filePath("wide.cu"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(text);
    file.close();
    const QStringList wide{"tune",   file.fileName(), "--task", "1/19",     "--store", folder.filePath("a.sweep"),
                           "--json", "--jobs",        "1",      "--verify", "none"};
    const CliAnswer answer = callCli(wide + QStringList{"--budget", "4"});
    QVERIFY2(answer.exitCode == 0, said(answer));
    const json found = answer.json();
    QCOMPARE(found.at("counts"), (json{{"valued", 4}, {"refused", 0}, {"wrong", 0}, {"failed", 0}, {"filtered", 2}}));
    for (const json& row : found.at("rows")) {
        const bool tooWide = row.at("parameters").at("THREADS") == 2048;
        QCOMPARE(row.at("filtered"), json(tooWide));
        if (!tooWide) continue;
        QCOMPARE(row.at("outcome"), json("refused"));
        QCOMPARE(row.at("reason"), json("a block of 2,048 threads; the device allows 1,024"));
        QVERIFY(row.at("details").empty());
    }
    const CliAnswer shown = callCli({"tune", "show", folder.filePath("a.sweep")});
    QVERIFY2(shown.output.contains("2 before they were compiled"), said(shown));
    QVERIFY2(shown.output.contains("not compiled: a block of 2,048 threads"), said(shown));
}

void TestTune::strategiesAreCompared() {
    const QTemporaryDir folder;
    const QString store = folder.filePath("a.sweep");
    QVERIFY(callCli(everything(store)).exitCode == 0);
    const CliAnswer answer = callCli({"tune", "compare", store, "--seeds", "3", "--json"});
    QVERIFY2(answer.exitCode == 0, said(answer));
    const json compared = answer.json();
    QCOMPARE(compared.at("points"), json(points));
    QVERIFY(compared.at("strategies").size() >= 6);
    for (const json& line : compared.at("strategies"))
        QCOMPARE(line.at("ratios").back(), json(1.0)); // more looks than points
}

void TestTune::theBudgetIsKept() {
    const QTemporaryDir folder;
    const QString store = folder.filePath("a.sweep");
    const CliAnswer two = callCli(tuning(store, {"--budget", "2", "--jobs", "1"}));
    QVERIFY2(two.exitCode == 0, said(two));
    QCOMPARE(two.json().at("rows").size(), std::size_t(2));
    QCOMPARE(two.json().at("ended"), json("budget"));
    const CliAnswer four = callCli({"tune", "resume", store, "--budget", "4", "--jobs", "1", "--json"});
    QCOMPARE(four.json().at("rows").size(), std::size_t(4));
}

void TestTune::badInputIsNamed_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QByteArray>("says");
    const auto row = [](const char* name, const QStringList& arguments, const char* says) {
        QTest::newRow(name) << arguments << QByteArray(says);
    };
    const QString relu = fixture("tunable_relu.cu");
    row("no marks", {"tune", fixture("add.cu"), "--arg", "float32[8]", "--arg", "float32[8]", "--verify", "none"},
        "tune: 8, 16, 32");
    row("no kernel", {"tune"}, "No kernel was given");
    row("no task", {"tune", relu}, "--task LEVEL/TASK");
    row("no strategy", {"tune", relu, "--task", "1/19", "--strategy", "clever"}, "clever");
    row("no budget", {"tune", relu, "--task", "1/19", "--budget", "many"}, "`many` is no budget");
    row("no shard", {"tune", relu, "--task", "1/19", "--shard", "4/3"}, "4/3");
    row("no store", {"tune", "show", "/dev/null"}, "/dev/null");
    row("another file", {"tune", "show", relu}, "tunable_relu.cu");
    row("no such space", {"tune", relu, "--task", "1/19", "--space", "nowhere.json"}, "nowhere.json");
}

void TestTune::badInputIsNamed() {
    QFETCH(const QStringList, arguments);
    QFETCH(const QByteArray, says);
    const QTemporaryDir folder;
    const CliAnswer answer = callCli(arguments.contains("show") || arguments.size() < 3
                                         ? arguments
                                         : arguments + QStringList{"--store", folder.filePath("a.sweep")});
    QVERIFY2(answer.exitCode == 2, said(answer));
    QVERIFY2(said(answer).contains(says), said(answer));
}

KERNELARIUM_TEST(TestTune);
