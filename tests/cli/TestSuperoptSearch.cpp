// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/cli/TestSuperoptSearch.h"

#include "tests/TestRegistry.h"
#include "tests/Waiting.h"
#include "tests/cli/CliProcess.h"
#include "tests/ui_tuning/FakeSlurm.h"

#include <QFile>
#include <QTemporaryDir>
#include <QtTest>
#include <csignal>

using nlohmann::json;

namespace {

/// RMS norm and product, of so few operators that it takes a moment.
QStringList searchOf(const QString& store, const QStringList& more = {}) {
    return QStringList{"superopt",    "search", "--task",  "4/3", "--size", "small",
                       "--operators", "8",      "--store", store, "--json"} +
           more;
}

QByteArray saidBy(const CliAnswer& answer) {
    return answer.output.left(3000) + answer.messages.right(3000);
}

/// What must not depend on who searched when, where and in how many parts.
json tableOf(const json& answer) {
    json table;
    for (const char* part : {"units", "states", "pruned", "right", "undecided", "refused", "faults", "candidates"})
        table[part] = answer.at(part);
    return table;
}

json foundIn(const QString& store) {
    return callCli({"superopt", "found", store, "--json"}).json();
}

QByteArray bytesOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

void TestSuperoptSearch::findsGraphs() {
    const QTemporaryDir folder;
    const QString store = folder.filePath("a.graphs");
    const CliAnswer answer = callCli(searchOf(store));
    const json found = answer.json();
    QVERIFY2(!found.is_discarded() && found.contains("candidates"), saidBy(answer));
    QCOMPARE(found.at("ended"), json("used_up"));
    QCOMPARE(found.at("units"), found.at("units_in_all"));
    QVERIFY(found.at("states").get<int>() > 100 && found.at("pruned").at("expression").get<int>() > 0);
    QVERIFY(!found.at("candidates").empty());
    QCOMPARE(answer.exitCode, found.at("right").get<int>() > 0 ? 0 : 1);
    bool right = true; // right ones come first, and no other is best
    double bound = 0;
    for (const json& graph : found.at("candidates")) {
        const bool isRight = graph.at("verdict") == "right";
        QVERIFY(right || !isRight);
        if (right && !isRight) bound = 0;
        right = isRight;
        if (isRight) QVERIFY(graph.at("bound_us").get<double>() >= bound);
        bound = graph.at("bound_us");
        QVERIFY(graph.at("found").at("state_of_all").get<int>() > 0);
    }
    if (!found.at("best").is_null()) QCOMPARE(found.at("best"), found.at("candidates").at(0).at("hash"));
    // Its words, one graph with its rungs, and a search that has nothing left to do.
    const CliAnswer words = callCli({"superopt", "found", store});
    QVERIFY2(words.output.contains("pruned") && words.output.contains("expression"), saidBy(words));
    const QString hash = QString::fromStdString(found.at("candidates").at(0).at("hash").get<std::string>());
    const CliAnswer one = callCli({"superopt", "found", store, "--candidate", hash, "--json"});
    QVERIFY2(one.json().at("graph").contains("steps"), saidBy(one));
    const QByteArray before = bytesOf(store);
    QCOMPARE(tableOf(callCli({"superopt", "resume", store, "--json"}).json()), tableOf(found));
    QCOMPARE(bytesOf(store), before);
}

void TestSuperoptSearch::filesAreWrittenAndVerified() {
    const QTemporaryDir folder;
    const QString store = folder.filePath("a.graphs");
    const json found = callCli(searchOf(store)).json();
    const CliAnswer emitted = callCli({"superopt", "emit", "--store", store, "--graph", "1", "--json"});
    QVERIFY2(emitted.exitCode == 0, saidBy(emitted));
    const json& best = found.at("candidates").at(0);
    QCOMPARE(emitted.json().at("graph"), best.at("hash"));
    QCOMPARE(emitted.json().at("skeleton"), json("graph"));
    const CliAnswer both = callCli({"superopt", "emit", "--store", store, "--task", "4/3"});
    QCOMPARE(both.exitCode, 2);
    const CliAnswer none = callCli({"superopt", "emit", "--store", store, "--graph", "999"});
    QVERIFY2(none.exitCode == 2 && none.messages.contains("no graph number 999"), saidBy(none));
    // The rung is kept with the graph.
    const CliAnswer verified = callCli({"superopt", "found", store, "--verify", "1", "--json", "--graphs"});
    const json graph = verified.json().at("candidates").at(0);
    QCOMPARE(graph.at("hash"), best.at("hash"));
    QCOMPARE(graph.at("verdict"), json("right"));
    const json& rung = graph.at("rungs").back();
    QVERIFY2(rung.at("rung") == "file" && rung.at("said") == "stood", rung.dump().c_str());
    QVERIFY(rung.at("evidence").get<std::string>().find("verified at small") != std::string::npos);
    QCOMPARE(graph.at("rung").get<std::size_t>(), graph.at("rungs").size());
    QCOMPARE(callCli({"superopt", "resume", store, "--json"}).json().at("right"), found.at("right"));
}

void TestSuperoptSearch::goesOnWhereItWasKilled() {
    const QTemporaryDir folder;
    const json whole = tableOf(callCli(searchOf(folder.filePath("whole.graphs"))).json());
    const QString store = folder.filePath("a.graphs");
    int killed = 0;
    for (int death = 0; death < 8; ++death) {
        const auto lines = bytesOf(store).count('\n');
        bool sent = false;
        callCli(searchOf(store, {"--threads", "2"}), {}, [&](qint64 pid) {
            if (sent || bytesOf(store).count('\n') < lines + 3 + 20 * death) return;
            sent = true;
            ::kill(pid_t(pid), death % 2 == 0 ? SIGKILL : SIGINT);
        });
        killed += sent;
    }
    QVERIFY(killed > 0);
    QCOMPARE(tableOf(callCli({"superopt", "resume", store, "--json"}).json()), whole);
}

void TestSuperoptSearch::shardsAreMerged() {
    const QTemporaryDir folder;
    const json whole = tableOf(callCli(searchOf(folder.filePath("whole.graphs"))).json());
    const QString store = folder.filePath("part.graphs");
    QStringList parts;
    for (int i = 1; i <= 3; ++i) {
        callCli(searchOf(store, {"--shard", QStringLiteral("%1/3").arg(i)}));
        parts.prepend(QStringLiteral("%1.%2-of-3").arg(store).arg(i));
    }
    const CliAnswer merged = callCli(QStringList{"superopt", "merge", folder.filePath("all.graphs"), "--json"} + parts);
    QVERIFY2(merged.exitCode == 0, saidBy(merged));
    QCOMPARE(merged.json().at("units"), whole.at("units"));
    QCOMPARE(tableOf(foundIn(folder.filePath("all.graphs"))), whole);
}

void TestSuperoptSearch::runsAsAnArray() {
    const QTemporaryDir folder;
    const json whole = tableOf(callCli(searchOf(folder.filePath("whole.graphs"))).json());
    const kernelarium::ui::FakeSlurm slurm(folder.filePath("slurm"));
    slurm.set("fail-once"); // a machine fails, and its task is submitted again
    const QString store = folder.filePath("a.graphs");
    const CliAnswer answer = callCli(searchOf(store, {"--cluster", "slurm", "--cluster-tasks", "3"}));
    const json found = answer.json();
    QVERIFY2(!found.is_discarded() && found.contains("cluster"), saidBy(answer));
    QCOMPARE(found.at("cluster").at("ended"), json("done"));
    QCOMPARE(found.at("cluster").at("tasks").at("done"), json(3));
    QCOMPARE(found.at("cluster").at("resubmitted"), json(1));
    QCOMPARE(found.at("cluster").at("done"), found.at("cluster").at("total"));
    QCOMPARE(found.at("cluster").at("total"), whole.at("units"));
    QCOMPARE(tableOf(found), whole);
    QVERIFY(slurm.submitted().contains("--array=1-3"));
    // What is known is not done again.
    const CliAnswer again = callCli(searchOf(store, {"--cluster", "slurm", "--cluster-tasks", "2"}));
    QCOMPARE(tableOf(again.json()), whole);
    const CliAnswer budget = callCli(searchOf(store, {"--cluster", "slurm", "--budget", "5"}));
    QVERIFY2(budget.exitCode == 2 && saidBy(budget).contains("budget"), saidBy(budget));
}

void TestSuperoptSearch::badInputIsRefused_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("says");
    QTest::newRow("no task") << QStringList{"superopt", "search"} << "--task";
    QTest::newRow("what no graph has an operator for") << QStringList{"superopt", "search", "--task", "1/60"} << "";
    QTest::newRow("operators") << QStringList{"superopt", "search", "--task", "4/3", "--operators", "100"}
                               << "operators";
    QTest::newRow("device") << QStringList{"superopt", "search", "--task", "4/3", "--device", "abacus"} << "abacus";
    QTest::newRow("shard") << QStringList{"superopt", "search", "--task", "4/3", "--shard", "3/2"} << "shard";
    QTest::newRow("no store") << QStringList{"superopt", "found", "/nowhere/a.graphs"} << "/nowhere/a.graphs";
    QTest::newRow("merge of nothing") << QStringList{"superopt", "merge", "/tmp/x", "/nowhere/a.graphs"}
                                      << "/nowhere/a.graphs";
}

void TestSuperoptSearch::badInputIsRefused() {
    QFETCH(const QStringList, arguments);
    QFETCH(const QString, says);
    const QTemporaryDir folder;
    const QStringList store =
        arguments.at(1) == "search" ? QStringList{"--store", folder.filePath("a.graphs")} : QStringList();
    const CliAnswer answer = callCli(arguments + store);
    QVERIFY2(answer.exitCode == 2 && answer.messages.contains(says.toUtf8()), saidBy(answer));
    QVERIFY(!QFile::exists(folder.filePath("a.graphs")));
}

void TestSuperoptSearch::otherStoresAreRefused() {
    const QTemporaryDir folder;
    const QString store = folder.filePath("a.graphs");
    callCli(searchOf(store));
    const CliAnswer other = callCli({"superopt", "search", "--task", "4/4", "--operators", "8", "--store", store});
    QVERIFY2(other.exitCode == 2 && other.messages.contains("another search"), saidBy(other));
    QFile text(folder.filePath("text"));
    QVERIFY(text.open(QIODevice::WriteOnly) && text.write("a text\n") > 0);
    text.close();
    const CliAnswer none = callCli({"superopt", "found", text.fileName()});
    QVERIFY2(none.exitCode == 2 && none.messages.contains("not the store"), saidBy(none));
    // A damaged line is named and nothing is lost.
    QByteArray bytes = bytesOf(store);
    bytes.insert(bytes.indexOf("\"kind\":\"unit\""), 'x');
    QFile damaged(folder.filePath("damaged.graphs"));
    QVERIFY(damaged.open(QIODevice::WriteOnly) && damaged.write(bytes) == bytes.size());
    damaged.close();
    for (const char* command : {"found", "resume"}) {
        const CliAnswer refused = callCli({"superopt", command, damaged.fileName()});
        QVERIFY2(refused.exitCode == 2 && refused.messages.contains("line "), saidBy(refused));
    }
    QCOMPARE(bytesOf(damaged.fileName()), bytes);
}

KERNELARIUM_TEST(TestSuperoptSearch);
