// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/cli/TestSchedule.h"

#include "tests/TestRegistry.h"
#include "tests/Waiting.h"
#include "tests/cli/CliProcess.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>
#include <csignal>

using nlohmann::json;

namespace {

const QString kernels = QStringLiteral(KERNELARIUM_SOURCE_DIR "/archive_data/kernels/");
const QString product = kernels + "level_1/001/shared_tiles.cu";
const QString twoKernels = kernels + "level_1/003/register_tiles.cu";

QByteArray said(const CliAnswer& answer) {
    return answer.output.left(2000) + answer.messages.right(3000);
}

QByteArray bytesOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// A worsened start, by a model: what has to be won back is there.
QStringList searchOf(const QString& store, const QStringList& more = {}) {
    return QStringList{"schedule", "search",   product, "--backend", "model", "--steps",
                       "120",      "--worsen", "20",    "--store",   store,   "--json"} +
           more;
}

/// What must not depend on when and in how many runs it was searched.
json accountOf(const QString& store) {
    json j = callCli({"schedule", "show", store, "--json", "--steps-too"}).json();
    if (j.is_discarded()) return {};
    for (json& step : j["steps"])
        step.erase("when");
    return {{"steps", j["steps"]}, {"moves", j["moves"]}, {"patches", j["patches"]}, {"not_tried", j["not_tried"]}};
}

} // namespace

void TestSchedule::initTestCase() {
    const CliAnswer answer = callCli({"schedule", "show", product, "--json"});
    if (answer.exitCode == 3) QSKIP(answer.messages);
    QVERIFY2(answer.exitCode == 0, said(answer));
}

void TestSchedule::codeIsExplained() {
    const CliAnswer words = callCli({"schedule", "explain", product});
    QVERIFY2(words.exitCode == 0 && words.output.contains("FFMA") && words.output.contains("scoreboard"), said(words));
    const CliAnswer all = callCli({"schedule", "explain", product, "--whole", "--json"});
    const json kernel = all.json().at("kernels").at(0);
    QCOMPARE(kernel.at("unknown_operations"), json(0));
    QCOMPARE(kernel.at("unexplained_hazards"), json(0));
    QVERIFY(kernel.at("instructions").size() > 100);
    QVERIFY(!kernel.at("loops").empty());
    const CliAnswer none = callCli({"schedule", "explain", product, "--line", "1"});
    QVERIFY2(none.exitCode == 2 && none.messages.contains("line 1"), said(none));
    const CliAnswer shown = callCli({"schedule", "show", product});
    QVERIFY2(shown.exitCode == 0 && shown.output.contains(":S0"), said(shown));
}

void TestSchedule::variantsAreProvedAndRefused() {
    const QTemporaryDir folder;
    const QString original = folder.filePath("original.cubin");
    QCOMPARE(
        callCli({"schedule", "vary", product, "--count", "3", "--moves", "50", "--output", folder.path()}).exitCode, 0);
    const QString one = folder.filePath("variant.0.cubin"), other = folder.filePath("variant.1.cubin");
    QVERIFY(QFileInfo(one).size() > 1000);
    const CliAnswer varied =
        callCli({"schedule", "vary", product, "--count", "2", "--moves", "50", "--seed", "7", "--json"});
    QCOMPARE(varied.json().at("proved"), json(2));
    QCOMPARE(varied.json().at("legal_moves"), json(100));
    // One variant is a variant of the other: of the same instructions, in another order.
    const CliAnswer same = callCli({"schedule", "prove", one, one});
    QVERIFY2(same.exitCode == 0 && same.output.startsWith("PROVED"), said(same));
    QByteArray broken = bytesOf(other);
    broken.chop(16);
    QFile file(original);
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(broken) > 0);
    file.close();
    const CliAnswer cut = callCli({"schedule", "prove", one, original, "--json"});
    QVERIFY2(cut.exitCode == 1 || cut.exitCode == 2, said(cut));
    const QString search = folder.filePath("a.schedule"), best = folder.filePath("best");
    callCli(searchOf(search, {"--output", best}));
    // The instructions of a schedule's cubin, proved against another kernel's: refused by name.
    const CliAnswer refused = callCli({"schedule", "prove", one, best + "/best.cubin", "--json"});
    QVERIFY(refused.exitCode == 0 || refused.json().contains("refusal"));
}

void TestSchedule::distancesAreMined() {
    const QTemporaryDir folder;
    callCli({"schedule", "vary", product, "--count", "1", "--moves", "1", "--output", folder.path()});
    const CliAnswer mined = callCli({"schedule", "mine", folder.filePath("variant.0.cubin")});
    QVERIFY2(mined.exitCode == 0 && mined.output.startsWith("dependence,units,least"), said(mined));
    const CliAnswer none = callCli({"schedule", "mine", product});
    QCOMPARE(none.exitCode, 2);
}

void TestSchedule::randomEditsAreMostlyRefused() {
    const CliAnswer answer = callCli({"schedule", "vary", product, "--count", "200", "--edits", "--json"});
    const json j = answer.json();
    QVERIFY2(answer.exitCode == 0 && !j.is_discarded(), said(answer));
    int refused = 0;
    for (const auto& [rule, times] : j.at("refused").items())
        refused += times.get<int>();
    QCOMPARE(refused + j.at("proved").get<int>(), 200);
    QVERIFY2(refused >= 100, j.dump().c_str());
}

void TestSchedule::modelledSearchIsKept() {
    const QTemporaryDir folder;
    const QString store = folder.filePath("a.schedule"), best = folder.filePath("best");
    const CliAnswer answer = callCli(searchOf(store, {"--output", best, "--task", "1/1"}));
    const json j = answer.json();
    QVERIFY2(answer.exitCode == 0 && !j.is_discarded(), said(answer));
    QVERIFY(answer.messages.contains("MODELLED"));
    QCOMPARE(j.at("mode"), json("modelled"));
    QCOMPARE(j.at("ended"), json("done"));
    QCOMPARE(j.at("steps_done"), json(121));
    QVERIFY(j.at("start").at("energy").get<double>() > 100);
    QVERIFY(j.at("best").at("energy").get<double>() <= j.at("start").at("energy").get<double>());
    QVERIFY(j.at("recovered_percent").get<double>() > 0);
    QVERIFY(j.at("expectation").at("warps_a_scheduler").get<int>() > 0);
    QVERIFY(!j.at("moves").empty() && !j.at("assumptions").empty());
    const CliAnswer words = callCli({"schedule", "show", store});
    QVERIFY2(words.exitCode == 0 && words.output.contains("MODELLED") && words.output.contains("won back"),
             said(words));
    // The best one's cubin is proved against the original, which the store has.
    QVERIFY(QFileInfo(best + "/best.cubin").size() > 1000);
    QVERIFY(bytesOf(best + "/best.patch").contains("# place offset before after"));
    const json patches = json::parse(bytesOf(best + "/best.patch.json").toStdString());
    QVERIFY(!patches.empty());
    QByteArray original = bytesOf(best + "/best.cubin");
    for (const json& patch : patches)
        original.replace(patch.at("offset").get<qsizetype>(), 16,
                         QByteArray::fromHex(QByteArray::fromStdString(patch.at("before").get<std::string>())));
    QFile file(folder.filePath("original.cubin"));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(original) == original.size());
    file.close();
    const CliAnswer proved = callCli({"schedule", "prove", file.fileName(), best + "/best.cubin"});
    QVERIFY2(proved.exitCode == 0, said(proved));
    // Nothing is left to do: nothing is written.
    const QByteArray before = bytesOf(store);
    QCOMPARE(callCli({"schedule", "resume", store, "--json"}).json().at("ended"), json("done"));
    QCOMPARE(bytesOf(store), before);
    // A cubin will do where only a model is asked.
    const CliAnswer cubin = callCli({"schedule", "search", file.fileName(), "--backend", "model", "--steps", "3",
                                     "--store", folder.filePath("b.schedule"), "--json"});
    QVERIFY2(cubin.exitCode == 0, said(cubin));
    const CliAnswer table = callCli({"schedule", "table", store, folder.filePath("b.schedule")});
    QVERIFY2(table.exitCode == 0 && table.output.contains("modelled") && table.output.contains("b "), said(table));
    QCOMPARE(callCli({"schedule", "table", store, "--json"}).json().at("searches").size(), std::size_t(1));
}

void TestSchedule::killedSearchGoesOn() {
    const QTemporaryDir folder;
    const QString whole = folder.filePath("whole.schedule"), parts = folder.filePath("parts.schedule");
    callCli(searchOf(whole));
    int killed = 0;
    for (int death = 0; death < 6; ++death) {
        const auto lines = bytesOf(parts).count('\n');
        bool sent = false;
        callCli(searchOf(parts), {}, [&](qint64 pid) {
            if (sent || bytesOf(parts).count('\n') < lines + 2 + 3 * death) return;
            sent = true;
            ::kill(pid_t(pid), SIGKILL);
        });
        killed += sent;
    }
    QVERIFY(killed > 0);
    const CliAnswer end = callCli({"schedule", "resume", parts, "--json"});
    QVERIFY2(end.exitCode == 0, said(end));
    const json expected = accountOf(whole);
    QVERIFY(!expected.is_null() && expected.at("steps").size() == 121);
    QCOMPARE(accountOf(parts), expected);
}

void TestSchedule::interruptedSearchSaysSo() {
    const QTemporaryDir folder;
    const QString store = folder.filePath("a.schedule");
    bool sent = false;
    const CliAnswer answer =
        callCli({"schedule", "search", product, "--backend", "model", "--steps", "100000", "--store", store}, {},
                [&](qint64 pid) {
                    if (sent || bytesOf(store).count('\n') < 6) return;
                    sent = true;
                    ::kill(pid_t(pid), SIGINT);
                });
    QVERIFY2(answer.exitCode == 130 && answer.output.contains("schedule resume"), said(answer));
    QVERIFY(bytesOf(store).count('\n') >= 6);
}

/// What is assembled is kept as it comes: the same command goes on, and asks nothing twice.
void TestSchedule::interruptedAlternativesAreKept() {
    const QTemporaryDir folder;
    const QString store = folder.filePath("a.schedule");
    const QStringList words{"schedule", "search", product,   "--backend", "model",
                            "--steps",  "2",      "--store", store,       "--alternatives"};
    const auto stored = [&] { return bytesOf(store).count("\"kind\":\"alternative\""); };
    bool sent = false;
    const CliAnswer answer = callCli(words, {}, [&](qint64 pid) {
        if (sent || stored() < 2) return;
        sent = true;
        ::kill(pid_t(pid), SIGINT);
    });
    QVERIFY2(sent && answer.exitCode == 130, said(answer));
    QVERIFY2(answer.output.contains("the same command goes on") && answer.output.contains("steps       2 of 2"),
             said(answer));
    const auto kept = stored();
    QVERIFY(kept >= 2);
    const CliAnswer again = callCli(words + QStringList{"--json"});
    const json j = again.json();
    QVERIFY2(again.exitCode == 0 && !j.is_discarded(), said(again));
    QVERIFY(qsizetype(j.at("alternatives").size()) > kept);
    QCOMPARE(stored(), qsizetype(j.at("alternatives").size())); // each once
    const QByteArray before = bytesOf(store);
    QCOMPARE(callCli(words).exitCode, 0);
    QCOMPARE(bytesOf(store), before);
}

/// Without ptxas the search stands, and its best is written.
void TestSchedule::withoutPtxasTheSearchStands() {
    const QTemporaryDir folder;
    const QString best = folder.filePath("best");
    const QString toolkit = QStringLiteral("/usr/local/cuda"), bare = folder.filePath("toolkit");
    if (!QFile::exists(toolkit + "/lib64")) QSKIP("there is no toolkit at /usr/local/cuda");
    QVERIFY(QDir().mkpath(bare));
    for (const char* part : {"lib64", "include"}) // and no bin
        QVERIFY(QFile::link(toolkit + '/' + part, bare + '/' + part));
    const CliAnswer answer =
        callCli({"schedule", "search", product, "--backend", "model", "--steps", "5", "--store",
                 folder.filePath("a.schedule"), "--alternatives", "--output", best, "--toolkit", bare});
    QVERIFY2(answer.exitCode == 0 && answer.messages.contains("Not assembled: There is no ptxas"), said(answer));
    QVERIFY2(answer.output.contains("steps       5 of 5"), said(answer));
    QVERIFY(QFileInfo(best + "/best.cubin").size() > 1000);
}

void TestSchedule::alternativesAreTold() {
    const QTemporaryDir folder;
    const CliAnswer answer = callCli({"schedule", "search", product, "--backend", "model", "--steps", "2", "--store",
                                      folder.filePath("a.schedule"), "--alternatives", "--json"});
    const json j = answer.json();
    QVERIFY2(answer.exitCode == 0 && !j.is_discarded(), said(answer));
    bool option = false, own = false, same = false;
    for (const json& one : j.at("alternatives")) {
        const std::string words = one.at("words");
        QVERIFY2(one.at("refusal") == "", one.dump().c_str());
        QVERIFY(one.at("registers").get<int>() > 0 && one.at("static").get<double>() > 0);
        option |= words == "-O1" && one.at("instructions").get<int>() > 0;
        own |= one.at("same_as") == "";
        same |= one.at("same_as") == "the original"; // -O2, whatever else
        QCOMPARE(one.at("figures"), json::array());
    }
    QVERIFY2(option && own && same, j.at("alternatives").dump().c_str());
    // Modelled cycles of both, by what they go to.
    QCOMPARE(j.at("counters").at("measured"), json(false));
    QCOMPARE(j.at("counters").at("rows").at(0).at("original"), j.at("original_cost"));
    const CliAnswer shown = callCli({"schedule", "show", folder.filePath("a.schedule")});
    QVERIFY2(shown.output.contains("assembled otherwise"), said(shown));
    QVERIFY2(shown.output.contains(" SCHEDULE ") && shown.output.contains(" =  "), said(shown));
    QVERIFY2(shown.output.contains("Original and best, modelled"), said(shown));
    const CliAnswer native = callCli({"run", product, "--task", "1/1", "--native-code", product, "--json"});
    QVERIFY2(native.exitCode == 2 && native.output.contains("--backend cuda"), said(native));
}

void TestSchedule::badInputIsRefused_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("says");
    const QStringList search{"schedule", "search"};
    QTest::newRow("nothing") << QStringList{"schedule"} << "";
    QTest::newRow("no file") << search << "file";
    QTest::newRow("missing file") << search + QStringList{"/nowhere/a.cu", "--backend", "model"} << "/nowhere/a.cu";
    QTest::newRow("folder") << search + QStringList{"/tmp", "--backend", "model"} << "/tmp";
    QTest::newRow("steps") << search + QStringList{product, "--backend", "model", "--steps", "0"} << "steps";
    QTest::newRow("seed") << search + QStringList{product, "--backend", "model", "--seed", "x"} << "seed";
    QTest::newRow("worsen") << search + QStringList{product, "--backend", "model", "--worsen", "-1"} << "worsen";
    QTest::newRow("backend") << search + QStringList{product, "--backend", "abacus"} << "backend";
    QTest::newRow("timing") << search + QStringList{product, "--timing", "tepid"} << "timing";
    QTest::newRow("device") << search + QStringList{product, "--backend", "model", "--device", "abacus"} << "abacus";
    QTest::newRow("a GPU without a task") << search + QStringList{product, "--backend", "cuda"} << "--task";
    QTest::newRow("several kernels") << search + QStringList{twoKernels, "--backend", "model"} << "--kernel";
    QTest::newRow("no such kernel") << search + QStringList{product, "--backend", "model", "--kernel", "zebra"}
                                    << "zebra";
    QTest::newRow("counters of a model") << search + QStringList{product, "--backend", "model", "--counters"}
                                         << "--counters";
    QTest::newRow("task") << search + QStringList{product, "--backend", "model", "--task", "one"} << "one";
    const QStringList sized{product, "--backend", "model", "--size", "abacus"};
    QTest::newRow("size") << search + sized << "abacus";
    QTest::newRow("size of the task") << search + sized + QStringList{"--task", "1/1"} << "no size 'abacus'";
    QTest::newRow("no store") << QStringList{"schedule", "resume", "/nowhere/a.schedule"} << "/nowhere/a.schedule";
    QTest::newRow("source as a store") << QStringList{"schedule", "resume", product} << "shared_tiles";
    QTest::newRow("table of nothing") << QStringList{"schedule", "table"} << "stores";
    QTest::newRow("prove one") << QStringList{"schedule", "prove", product} << "variant";
    QTest::newRow("prove sources") << QStringList{"schedule", "prove", product, product} << "";
    QTest::newRow("show of nothing") << QStringList{"schedule", "show", "/nowhere/a.cubin"} << "/nowhere/a.cubin";
    QTest::newRow("mine of nothing") << QStringList{"schedule", "mine"} << "files";
    QTest::newRow("vary count") << QStringList{"schedule", "vary", product, "--count", "0"} << "count";
    QTest::newRow("unwritable store") << search + QStringList{product, "--backend", "model",           "--steps",
                                                              "2",     "--store",   "/proc/a.schedule"}
                                      << "/proc/a.schedule";
}

void TestSchedule::badInputIsRefused() {
    QFETCH(const QStringList, arguments);
    QFETCH(const QString, says);
    const QTemporaryDir folder;
    const bool isSearch = arguments.size() > 1 && arguments.at(1) == "search" && !arguments.contains("--store");
    const QString store = folder.filePath("a.schedule");
    const CliAnswer answer = callCli(arguments + (isSearch ? QStringList{"--store", store} : QStringList()));
    QVERIFY2(answer.exitCode == 2 && answer.messages.contains(says.toUtf8()), said(answer));
    QVERIFY(!QFile::exists(store));
}

void TestSchedule::otherStoresAreRefused() {
    const QTemporaryDir folder;
    const QString store = folder.filePath("a.schedule");
    callCli(searchOf(store));
    const QByteArray before = bytesOf(store);
    const CliAnswer other = callCli(searchOf(store, {"--seed", "2"}));
    QVERIFY2(other.exitCode == 2 && said(other).contains("seed"), said(other));
    QCOMPARE(bytesOf(store), before);
    QFile damaged(folder.filePath("damaged.schedule"));
    QByteArray bytes = before;
    bytes.insert(bytes.lastIndexOf("\"kind\":\"candidate\""), 'x');
    QVERIFY(damaged.open(QIODevice::WriteOnly) && damaged.write(bytes) == bytes.size());
    damaged.close();
    const CliAnswer refused = callCli({"schedule", "resume", damaged.fileName()});
    QVERIFY2(refused.exitCode == 2 && refused.messages.contains("line "), said(refused));
    // Another search's moves under this one's header.
    bytes = before;
    bytes.replace("\"key\":\"1 ", "\"key\":\"9 ");
    QVERIFY(damaged.open(QIODevice::WriteOnly) && damaged.write(bytes) == bytes.size());
    damaged.close();
    const CliAnswer strange = callCli({"schedule", "show", damaged.fileName()});
    QVERIFY2(strange.exitCode == 2 && strange.messages.contains("does not fit"), said(strange));
}

/// packaging/device-schedule without a GPU: its arguments, and one search by the model, interrupted and gone on with.
void TestSchedule::deviceScriptRunsDry() {
    const QTemporaryDir folder;
    const QString script = QStringLiteral(KERNELARIUM_SOURCE_DIR "/packaging/device-schedule"), list = script + ".tsv";
    const auto run = [&](const QStringList& arguments, const QStringList& settings) {
        QProcess process;
        process.setProcessChannelMode(QProcess::MergedChannels);
        process.start("env", settings + QStringList{"bash", script} + arguments);
        process.waitForFinished(longWait);
        return std::pair(process.exitCode(), process.readAll());
    };
    const QString cli = QStringLiteral(KERNELARIUM_BIN_DIR "/kernelarium-cli"), results = folder.filePath("results");
    QCOMPARE(run({}, {}).first, 2);
    QCOMPARE(run({cli, results, "/nowhere", kernels}, {}).first, 2);
    QCOMPARE(run({"/nowhere/cli", results, list, kernels}, {}).first, 2);
    QCOMPARE(run({cli, results, list, kernels}, {"KERNELARIUM_SCHEDULE_STEPS=many"}).first, 2);
    if (!callCli({"device", "list", "--json"}).output.contains("\"cuda\"")) {
        const auto [code, output] = run({cli, results, list, kernels}, {});
        QVERIFY2(code == 2 && output.contains("no GPU"), output);
    }
    // The list beside the script: every file is there, and its task has the further sizes.
    int searches = 0, worsened = 0, further = 0;
    for (const QByteArray& line : bytesOf(list).split('\n')) {
        const QList<QByteArray> fields = line.simplified().split(' ');
        if (line.startsWith('#') || fields.size() < 4) continue;
        ++searches;
        worsened += fields.size() > 4 && fields.at(4) == "worsen";
        QVERIFY2(QFile::exists(kernels + fields.at(1)), line);
        if (fields.size() < 6) continue;
        const QByteArray card = callCli({"task", "show", QString::fromLatin1(fields.at(2))}).output;
        for (const QByteArray& size : fields.at(5).split(',')) {
            ++further;
            QVERIFY2(card.contains("\n  " + size + " "), line);
        }
    }
    QVERIFY(searches >= 20 && worsened >= 10 && further >= 6);
    QFile one(folder.filePath("one.tsv"));
    QVERIFY(one.open(QIODevice::WriteOnly) &&
            one.write("# one\nproduct level_1/001/shared_tiles.cu 1/1 - worsen small\n") > 0);
    one.close();
    const QStringList dry{"KERNELARIUM_SCHEDULE_BACKEND=model", "KERNELARIUM_SCHEDULE_STEPS=20",
                          "KERNELARIUM_SCHEDULE_WORSEN=10"};
    const auto [code, output] = run({cli, results, one.fileName(), kernels}, dry);
    QVERIFY2(code == 0, output);
    QVERIFY(bytesOf(results + "/table.txt").contains("product"));
    QCOMPARE(json::parse(bytesOf(results + "/table.json").toStdString()).at("searches").size(), std::size_t(3));
    QVERIFY(QFile::exists(results + "/product.small.model.schedule"));
    const auto again = run({cli, results, one.fileName(), kernels}, dry);
    QVERIFY2(again.first == 0 && !again.second.contains("product: done"), again.second);
    const auto late = run({cli, folder.filePath("late"), one.fileName(), kernels},
                          dry + QStringList{"KERNELARIUM_SCHEDULE_SECONDS=0"});
    QCOMPARE(late.first, 3);
}

KERNELARIUM_TEST(TestSchedule);
