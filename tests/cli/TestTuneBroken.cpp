// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/cli/TestTuneBroken.h"

#include "core/task/Card.h"
#include "gpu/protocol/PointEvaluation.h"
#include "gpu/protocol/Sweep.h"
#include "tests/TestRegistry.h"
#include "tests/Waiting.h"
#include "tests/cli/CliProcess.h"

#include <QFile>
#include <QTemporaryDir>
#include <QtTest>
#include <sys/stat.h>
#include <unistd.h>

namespace {

using nlohmann::json;

QStringList sweeping(const QString& store, const QStringList& more = {}) {
    return QStringList{"tune", fixture("tunable_relu.cu"), "--task", "1/19", "--store", store, "--json"} + more;
}

QByteArray heard(const CliAnswer& answer) {
    return answer.output.left(3000) + answer.messages;
}

QByteArray contentOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void fill(const QString& path, const QByteArray& content) {
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(content) == content.size());
}

} // namespace

/// A digit of a time may change in a store; what was not verified is not the best for that.
void TestTuneBroken::aForgedTimeIsNeverBest() {
    const QTemporaryDir folder;
    const QString store = folder.filePath("a.sweep"), made = folder.filePath("best.cu");
    const CliAnswer whole = callCli(sweeping(store, {"--strategy", "exhaustive", "--jobs", "1"}));
    QVERIFY2(whole.exitCode == 0, heard(whole));
    const json best = whole.json().at("best");
    QByteArray forged;
    std::string key;
    for (const QByteArray& line : contentOf(store).split('\n')) {
        json record = json::parse(line.toStdString(), nullptr, false);
        if (key.empty() && record.is_object() && record.value("unproven", false)) {
            key = record.at("key");
            record["value"] = 1e-9;
            forged += QByteArray::fromStdString(record.dump()) + '\n';
        } else if (!line.isEmpty()) {
            forged += line + '\n';
        }
    }
    QVERIFY2(!key.empty(), "every point was verified");
    fill(store, forged);
    const CliAnswer shown = callCli({"tune", "show", store, "--json"});
    QVERIFY2(shown.exitCode == 0, heard(shown));
    QCOMPARE(shown.json().at("best").at("key"), best.at("key"));
    QCOMPARE(shown.json().at("best_so_far").back().at("key"), best.at("key"));
    QCOMPARE(shown.json().at("rows").at(0).at("key"), best.at("key"));
    for (const json& row : shown.json().at("rows"))
        if (row.at("key") == key) QVERIFY(row.at("rank").is_null());
    QCOMPARE(callCli({"tune", "show", store, "--emit", made}).exitCode, 0);
    QCOMPARE(contentOf(made),
             callCli({"tune", "show", store, "--text", QString::fromStdString(best.at("key"))}).output);
}

/// A verified point sets what others have to beat once it is kept: were it killed before, a slower one that was not
/// verified would be left as the best.
void TestTuneBroken::whatIsNotKeptDoesNotCount() {
    using namespace kernelarium;
    const auto tunable = protocol::tunableOf(contentOf(fixture("tunable_relu.cu")).toStdString(), {});
    QVERIFY(tunable.ok());
    auto card = task::loadCard(1, 19);
    QVERIFY(card.ok());
    protocol::PointSettings settings;
    settings.run.card = std::make_shared<const task::Card>(*std::move(card));
    settings.size = "small";
    protocol::PointEvaluation evaluation(*tunable, settings,
                                         protocol::TrialJudge::commandsFor(KERNELARIUM_BIN_DIR "/kernelarium-cli", 1));
    const auto judged = [&](const char* key) {
        tuning::Judged judged{{key}, {}};
        auto outcome = evaluation.evaluate(judged.candidate, {});
        if (outcome) judged.outcome = std::move(*outcome);
        return judged;
    };
    std::vector<tuning::Judged> all{judged("THREADS=128 ITEMS=1 TAIL=true"), judged("THREADS=128 ITEMS=2 TAIL=true")};
    for (const tuning::Judged& each : all) {
        QVERIFY2(each.ranks(), each.outcome.reason.c_str());
        QVERIFY(each.leads());
    }
    QVERIFY(*all[0].outcome.value != *all[1].outcome.value);
    const bool first = *all[0].outcome.value < *all[1].outcome.value;
    evaluation.know(all[first ? 0 : 1]);
    const tuning::Judged slower = judged(all[first ? 1 : 0].candidate.key.c_str());
    QVERIFY(slower.ranks() && !slower.leads());
}

void TestTuneBroken::onlyFilesAreWritten() {
    const QTemporaryDir folder;
    const QString store = folder.filePath("a.sweep"), pipe = folder.filePath("pipe"), made = folder.filePath("best.cu");
    QVERIFY(callCli(sweeping(store, {"--budget", "1"})).exitCode == 0);
    QCOMPARE(::mkfifo(pipe.toLocal8Bit().constData(), 0600), 0);
    const QByteArray before = contentOf(store);
    for (const QString& target : {store, pipe, folder.path(), folder.filePath("a.sweep/b.cu")}) {
        const CliAnswer answer = callCli({"tune", "show", store, "--emit", target, "--json"});
        QVERIFY2(answer.exitCode == 2, heard(answer));
        QVERIFY2(answer.json().at("error").at("message").get<std::string>().find("a.sweep") != std::string::npos ||
                     target != store,
                 heard(answer));
        QVERIFY2(!heard(answer).contains("--db"), heard(answer));
    }
    QCOMPARE(contentOf(store), before);
    struct stat status {};
    QVERIFY(::lstat(pipe.toLocal8Bit().constData(), &status) == 0 && S_ISFIFO(status.st_mode));
    fill(made, "former");
    QCOMPARE(callCli({"tune", "show", store, "--emit", made}).exitCode, 0);
    QCOMPARE(contentOf(made), contentOf(fixture("tunable_relu.cu")));
}

void TestTuneBroken::everyErrorIsJson_data() {
    QTest::addColumn<QStringList>("more");
    QTest::addColumn<QByteArray>("says");
    const auto row = [](const QStringList& more, const char* says) {
        QTest::newRow(qPrintable(more.join(' '))) << more << QByteArray(says);
    };
    row({"--budget"}, "--budget");
    row({"--sizes", ","}, "--sizes");
    row({"--nonsense"}, "--nonsense");
    row({"--search-seed", "-1"}, "`-1` is no whole number");
    row({"--search-seed", "18446744073709551616"}, "18446744073709551616");
    row({"--rows", "-1"}, "`-1` is no whole number");
    row({"--rows", "0x10"}, "0x10");
    row({"--seed=-1"}, "`-1` is no whole number");
    row({"--jobs", "1.5"}, "1.5");
    row({"--modelled-within", "nan"}, "`nan` is no number");
    row({"--time-limit", "inf"}, "`inf` is no number");
    row({"--space", "/dev/null"}, "/dev/null is empty");
    row({"--budget", "0"}, "`0` is no budget");
    row({"--budget", "-3"}, "`-3` is no budget");
    row({"--shard", "0/0"}, "`0/0` is not a shard");
}

void TestTuneBroken::everyErrorIsJson() {
    QFETCH(const QStringList, more);
    QFETCH(const QByteArray, says);
    const QTemporaryDir folder;
    const CliAnswer answer = callCli(sweeping(folder.filePath("a.sweep"), more));
    QVERIFY2(answer.exitCode == 2, heard(answer));
    QVERIFY2(answer.json().is_object() && answer.json().contains("error"), heard(answer));
    QVERIFY2(heard(answer).contains(says), heard(answer));
    QVERIFY(!QFile::exists(folder.filePath("a.sweep")));
}

void TestTuneBroken::whatCannotBeginLeavesNoStore() {
    const QTemporaryDir folder;
    const QString store = folder.filePath("a.sweep"), earlier = folder.filePath("b.sweep");
    QCOMPARE(callCli(sweeping(store, {"--modelled", folder.filePath("nowhere.sweep")})).exitCode, 2);
    QVERIFY(!QFile::exists(store));
    QCOMPARE(callCli(sweeping(earlier, {"--budget", "1"})).exitCode, 0);
    QCOMPARE(callCli(sweeping(store, {"--modelled", earlier, "--budget", "1"})).exitCode, 0);
}

/// Without a reference every point would be looked at and none could be called best.
void TestTuneBroken::withoutAReferenceNothingBegins() {
    const QTemporaryDir folder;
    const QStringList command{"tune",    fixture("tunable_relu.cu"),   "--arg",    "float32[64]",
                              "--store", folder.filePath("a b.sweep"), "--budget", "1"};
    const CliAnswer refused = callCli(command);
    QVERIFY2(refused.exitCode == 2 && heard(refused).contains("--reference"), heard(refused));
    QVERIFY(!QFile::exists(folder.filePath("a b.sweep")));
    const CliAnswer open = callCli(command + QStringList{"--verify", "none"});
    QVERIFY2(open.exitCode == 0, heard(open));
    QVERIFY2(open.output.contains("tune show '" + folder.filePath("a b.sweep").toUtf8() + "'"),
             heard(open)); // to be copied
}

/// A mark of the bytes' order is none of the text; what is not UTF-8 is named, with its line.
void TestTuneBroken::textsOfOtherEncodings() {
    const QTemporaryDir folder;
    const QString kernel = folder.filePath("k.cu"), store = folder.filePath("a.sweep");
    const QByteArray text = contentOf(fixture("tunable_relu.cu"));
    const QStringList rest{"--task", "1/19", "--store", store, "--budget", "1", "--json"};
    fill(kernel, "constexpr int X = 1; // tune: 1\n// caf\xe9\n" + text);
    const CliAnswer latin = callCli(QStringList{"tune", kernel} + rest);
    QVERIFY2(latin.exitCode == 2 && latin.output.contains("Line 2: the text is not UTF-8"), heard(latin));
    QVERIFY(!QFile::exists(store));
    fill(kernel, "\xef\xbb\xbf#define FIRST 1 // tune: 1\n" + text);
    const CliAnswer marked = callCli(QStringList{"tune", kernel} + rest);
    QVERIFY2(marked.exitCode == 0, heard(marked));
    QCOMPARE(marked.json().at("best").at("parameters").at("FIRST"), json(1));
    // A file's name is bytes of any kind.
    QVERIFY(::rename(kernel.toLocal8Bit().constData(), (folder.path().toLocal8Bit() + "/k\xe9.cu").constData()) == 0);
    QFile::remove(store);
    QProcess process;
    process.start(
        "/bin/sh",
        QStringList{"-c",
                    "file=$(echo \"$1\"/k?.cu); shift; exec \"$@\" tune --backend emulator \"$file\" " + rest.join(' '),
                    "sh", folder.path(), KERNELARIUM_BIN_DIR "/kernelarium-cli"});
    QVERIFY(process.waitForFinished(longWait));
    const QByteArray said = process.readAllStandardOutput() + process.readAllStandardError();
    ::unlink((folder.path().toLocal8Bit() + "/k\xe9.cu").constData()); // Qt cannot name it
    QVERIFY2(process.exitCode() == 0, said);
}

/// What a file of Kernel Tuner says and is not followed.
void TestTuneBroken::whatIsIgnoredIsNamed() {
    const QTemporaryDir folder;
    const QString space = folder.filePath("t1.json"), store = folder.filePath("a.sweep");
    fill(space, R"({"General": {}, "ConfigurationSpace": {"TuningParameters": [
        {"Name": "THREADS", "Type": "int", "Values": "[128, 256]", "Default": 64}]},
        "KernelSpecification": {"Language": "CUDA", "CompilerOptions": ["-Wall"], "SharedMemory": 3}})");
    const CliAnswer told = callCli(sweeping(store, {"--space", space, "--budget", "1"}));
    QVERIFY2(told.exitCode == 0, heard(told));
    const std::string remarks = told.json().at("remarks").dump();
    for (const char* ignored : {"Default of THREADS", "-Wall", "SharedMemory", "General"})
        QVERIFY2(remarks.find(ignored) != std::string::npos, remarks.c_str());
    const CliAnswer shown = callCli({"tune", "show", store});
    QVERIFY2(shown.output.contains("-Wall was ignored"), heard(shown));
}

/// Nobody takes a result for told that never left the program.
void TestTuneBroken::lostOutputIsAnError() {
    const QTemporaryDir folder;
    const QString store = folder.filePath("a.sweep");
    QVERIFY(callCli(sweeping(store, {"--budget", "1"})).exitCode == 0);
    for (const QStringList& what : {QStringList{"--text", "best"}, QStringList{"--json"}, QStringList{}}) {
        QProcess process;
        process.setStandardOutputFile("/dev/full");
        process.start(KERNELARIUM_BIN_DIR "/kernelarium-cli", QStringList{"tune", "show", store} + what);
        QVERIFY(process.waitForFinished(longWait));
        QCOMPARE(process.exitCode(), 2);
        const QByteArray said = process.readAllStandardError();
        QVERIFY2(said.contains("cannot be written: No space left"), said);
    }
}

void TestTuneBroken::closedStreamsAreNotTheStore() {
    const QTemporaryDir folder;
    const QString store = folder.filePath("a.sweep");
    QProcess process;
    process.start("/bin/sh",
                  QStringList{"-c", "exec \"$@\" <&- >&- 2>&-", "sh", KERNELARIUM_BIN_DIR "/kernelarium-cli"} +
                      sweeping(store, {"--budget", "2"}));
    QVERIFY(process.waitForFinished(longWait));
    QCOMPARE(process.exitCode(), 0);
    const CliAnswer shown = callCli({"tune", "show", store, "--json"});
    QVERIFY2(shown.exitCode == 0 && shown.json().at("rows").size() == 2, heard(shown));
}

void TestTuneBroken::aPartAnswersInJson() {
    const QTemporaryDir folder;
    const QString store = folder.filePath("a.sweep");
    QVERIFY(callCli(sweeping(store, {"--budget", "1"})).exitCode == 0);
    const CliAnswer part = callCli({"tune", "resume", store, "--part", "--json", "--budget", "1"});
    QVERIFY2(part.exitCode == 0 && part.json().value("points", 0) == 1, heard(part));
}

KERNELARIUM_TEST(TestTuneBroken);
