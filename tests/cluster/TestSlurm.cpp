// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/TestRegistry.h"
#include "tests/Waiting.h"
#include "tests/cli/CliProcess.h"
#include "tests/cluster/SlurmCluster.h"

#include <QElapsedTimer>
#include <QFile>
#include <QTemporaryDir>
#include <QtTest>
#include <csignal>
#include <set>

namespace {

using nlohmann::json;

/// A name that a script has to quote.
constexpr const char* awkward = "it's \"a\" $(touch x) 50% `sweep` \\n";

QString tunableKernel() {
    return QStringLiteral(KERNELARIUM_SOURCE_DIR "/tests/cluster/kernels/tunable.cu");
}

QStringList sweepOf(const QString& store, const QStringList& more = {}) {
    return QStringList{"tune",       tunableKernel(), "--task",   "1/19",  "--store", store,
                       "--strategy", "exhaustive",    "--verify", "every", "--json"} +
           more;
}

QStringList onCluster(const QString& store, int tasks, const QStringList& more = {}) {
    return sweepOf(store, QStringList{"--cluster", "slurm", "--cluster-tasks", QString::number(tasks)} + more);
}

QByteArray saidBy(const CliAnswer& answer) {
    return answer.output.left(3000) + answer.messages.right(3000);
}

/// What must not depend on who looked when: key, outcome, value, verdict.
std::set<std::string> tableOf(const json& answer) {
    std::set<std::string> rows;
    for (const json& row : answer.at("rows"))
        rows.insert(
            json{row.at("key"), row.at("outcome"), row.at("value_ms"), row.at("details").value("verdict", "")}.dump());
    return rows;
}

QByteArray contentsOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

class TestSlurm : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void cleanupTestCase();
    void aKilledNodeLosesNothing_data();
    void aKilledNodeLosesNothing();
    void anotherWatcherGoesOn();
    void cancelledAndBegunAgain();
    void nodesWithoutGpuRefuse();
    void badOptionsAreNamed();
    void auditsRunAsArrays();
    void searchesForGraphsRunAsArrays();
    void withoutSlurm();

private:
    /// The whole sweep on this machine, once for all tests.
    const std::set<std::string>& localTable();

    std::unique_ptr<SlurmCluster> m_slurm;
    QTemporaryDir m_folder;
    QString m_shared;
    std::set<std::string> m_local;
};

void TestSlurm::initTestCase() {
    m_shared = m_folder.filePath(awkward);
    QVERIFY(QDir().mkpath(m_shared));
    m_shared += '/';
    m_slurm = std::make_unique<SlurmCluster>();
    const QString problem = m_slurm->start();
    if (!problem.isEmpty()) {
        m_slurm.reset();
        QSKIP(qPrintable("No Slurm to test with: " + problem));
    }
    qputenv("SLURM_CONF", m_slurm->configuration().toUtf8());
}

void TestSlurm::cleanupTestCase() {
    m_slurm.reset();
}

const std::set<std::string>& TestSlurm::localTable() {
    if (m_local.empty()) {
        const CliAnswer answer = callCli(sweepOf(m_folder.filePath("local.sweep")));
        if (answer.exitCode == 0) m_local = tableOf(answer.json());
    }
    return m_local;
}

void TestSlurm::aKilledNodeLosesNothing_data() {
    QTest::addColumn<QString>("option");
    QTest::addColumn<bool>("resubmitted");
    QTest::newRow("run again by Slurm") << "--requeue" << false;
    QTest::newRow("given up by Slurm") << "--no-requeue" << true;
}

void TestSlurm::aKilledNodeLosesNothing() {
    QFETCH(const QString, option);
    QFETCH(const bool, resubmitted);
    WAIT_VERIFY(m_slurm->isUp("node1"));
    const QString store = m_shared + option + ".sweep";
    int killed = 0, looks = 0;
    const CliAnswer answer = callCli(onCluster(store, 2, {"--cluster-option=" + option}), {}, [&](qint64) {
        if (killed > 0 || ++looks % 50 != 0) return;
        for (const int task : m_slurm->tasksOn("node1")) {
            const QString part = QStringLiteral("%1.cluster/part-%2.sweep").arg(store).arg(task);
            const auto lines = contentsOf(part).count('\n'); // header, sweep, and points, of which it has about eight
            if (lines < 3 || lines > 6) continue;
            m_slurm->killNode("node1");
            killed = task;
            return;
        }
    });
    QVERIFY2(answer.exitCode == 0, saidBy(answer));
    QVERIFY(killed > 0);
    const QByteArray log = contentsOf(QStringLiteral("%1.cluster/task-%2.log").arg(store).arg(killed));
    m_slurm->startNode("node1");
    const json found = answer.json();
    QVERIFY2(log.count("task " + QByteArray::number(killed) + " on ") >= 2, log);
    QCOMPARE(found.at("cluster").at("ended"), json("done"));
    QCOMPARE(found.at("cluster").at("tasks").at("done"), json(2));
    QCOMPARE(found.at("cluster").at("done"), found.at("cluster").at("total"));
    QCOMPARE(found.at("cluster").at("resubmitted").get<int>() > 0, resubmitted);
    QVERIFY(!localTable().empty());
    QCOMPARE(tableOf(found), localTable());
    // And nothing is left to do.
    const CliAnswer here = callCli(sweepOf(store));
    QCOMPARE(here.json().at("rows").size(), localTable().size());
    QVERIFY(!QFile::exists(m_shared + "x") && !QFile::exists("x"));
}

void TestSlurm::anotherWatcherGoesOn() {
    WAIT_VERIFY(m_slurm->isUp("node1"));
    const QString store = m_shared + "watched.sweep";
    callCli(onCluster(store, 3), {}, [&](qint64 pid) {
        if (contentsOf(store + ".cluster/array.book").contains("submission")) ::kill(pid_t(pid), SIGKILL);
    });
    const CliAnswer status = callCli({"cluster", "status", store, "--json"});
    QVERIFY2(status.exitCode == 0, saidBy(status));
    QCOMPARE(status.json().at("lines").size(), std::size_t(3));
    const CliAnswer watched = callCli({"cluster", "watch", store, "--json"});
    QVERIFY2(watched.exitCode == 0, saidBy(watched));
    QCOMPARE(watched.json().at("ended"), json("done"));
    const CliAnswer shown = callCli({"tune", "show", store, "--json"});
    QCOMPARE(tableOf(shown.json()), localTable());
    const QByteArray jobs = m_slurm->call(
        "squeue", {"--noheader", "--states=all", "--array",
                   QString::fromStdString("--name=" + status.json().at("job_name").get<std::string>() + "-1")});
    QCOMPARE(jobs.count('\n'), 3); // submitted once
}

void TestSlurm::cancelledAndBegunAgain() {
    const QString store = m_shared + "cancelled.sweep";
    // Without --strategy, too, each point is looked at by one task.
    const auto sweep = [&](int tasks) {
        return QStringList{"tune",
                           tunableKernel(),
                           "--task",
                           "1/19",
                           "--store",
                           store,
                           "--verify",
                           "every",
                           "--json",
                           "--cluster",
                           "slurm",
                           "--cluster-tasks",
                           QString::number(tasks)};
    };
    const CliAnswer submitted = callCli(sweep(2) + QStringList{"--cluster-detach"});
    QVERIFY2(submitted.exitCode == 0, saidBy(submitted));
    WAIT_VERIFY(contentsOf(store + ".cluster/part-1.sweep").count('\n') >= 3 ||
                contentsOf(store + ".cluster/part-2.sweep").count('\n') >= 3);
    const CliAnswer cancelled = callCli({"cluster", "cancel", store, "--json"});
    QVERIFY2(cancelled.exitCode == 0, saidBy(cancelled));
    const QString job = QString::fromStdString(submitted.json().at("job").get<std::string>());
    WAIT_VERIFY(m_slurm->call("squeue", {"--noheader", "--jobs=" + job}).isEmpty());
    const CliAnswer kept = callCli({"tune", "show", store, "--json"});
    QVERIFY2(!kept.json().is_discarded() && !kept.json().at("rows").empty(), saidBy(kept));
    const CliAnswer again = callCli(sweep(3));
    QVERIFY2(again.exitCode == 0, saidBy(again));
    QCOMPARE(tableOf(again.json()), localTable());
    qsizetype looks = 0;
    for (int task = 1; task <= 3; ++task)
        looks += contentsOf(QStringLiteral("%1.cluster/part-%2.sweep").arg(store).arg(task)).count('\n') - 2;
    QVERIFY(looks <= qsizetype(localTable().size()) + 2); // each looks at the kernel as it stands
}

void TestSlurm::nodesWithoutGpuRefuse() {
    qputenv("CUDA_VISIBLE_DEVICES", ""); // where there is one
    const QStringList measured{"--backend", "cuda", "--arch", "sm_90"};
    const CliAnswer none = callCli(onCluster(m_shared + "none.sweep", 1, measured));
    QVERIFY2(none.exitCode == 2, saidBy(none)); // --gres=gpu:1, which this cluster does not have
    QVERIFY2(saidBy(none).contains("gres"), saidBy(none));
    QVERIFY(!QFile::exists(m_shared + "none.sweep.cluster"));
    const CliAnswer refused =
        callCli(onCluster(m_shared + "gpu.sweep", 1, measured + QStringList{"--cluster-option=--gres=none"}));
    qunsetenv("CUDA_VISIBLE_DEVICES");
    QVERIFY2(refused.exitCode == 1, saidBy(refused));
    const json answer = refused.json();
    QCOMPARE(answer.at("cluster").at("tasks").at("given_up"), json(1));
    QCOMPARE(answer.at("cluster").at("resubmitted"), json(2));
    const std::string why = answer.at("cluster").at("given_up").at(0).at("why");
    QVERIFY2(why.find("3 times") != std::string::npos && why.find("GPU") != std::string::npos, why.c_str());
}

void TestSlurm::badOptionsAreNamed() {
    const QString store = m_shared + "bad.sweep";
    const auto says = [&](const QStringList& options, const char* word, int tasks = 1) {
        const CliAnswer answer = callCli(onCluster(store, tasks, options));
        const bool named = answer.exitCode == 2 && saidBy(answer).contains(word);
        if (!named) qWarning("%s", saidBy(answer).constData());
        return named && !QFile::exists(store + ".cluster");
    };
    QVERIFY(says({"--cluster-option=--partition=nowhere"}, "Invalid partition name"));
    QVERIFY(says({"--cluster-option=--array=1-9"}, "--array"));
    QVERIFY(says({"--cluster-option=partition"}, "is no option"));
    QVERIFY(says({}, "MaxArraySize", 2000));
    QVERIFY(says({"--shard", "1/2"}, "--shard"));
    const CliAnswer alone = callCli({"tune", tunableKernel(), "--task", "1/19", "--store", store, "--cluster", "slurm",
                                     "--strategy", "local-search"});
    QVERIFY2(alone.exitCode == 2 && alone.messages.contains("divides"), saidBy(alone));
    const CliAnswer nowhere = callCli({"cluster", "status", store});
    QVERIFY(nowhere.exitCode == 2 && nowhere.messages.contains("has no array"));
}

void TestSlurm::auditsRunAsArrays() {
    WAIT_VERIFY(m_slurm->isUp("node1"));
    const QString archive = m_shared + "starter.sqlite";
    QVERIFY(QFile::copy(KERNELARIUM_STARTER, archive));
    const auto audit = [&](const QString& verdicts, const QStringList& more = {}) {
        return callCli(QStringList{"audit", "--db", archive, "--level", "1", "--task", "23", "--limit", "3",
                                   "--verdicts", verdicts, "--json"} +
                       more);
    };
    const CliAnswer here = audit(m_shared + "here.verdicts");
    QVERIFY2(here.exitCode == 0, saidBy(here));
    const CliAnswer there = audit(m_shared + "there.verdicts", {"--cluster", "slurm", "--cluster-tasks", "2"});
    QVERIFY2(there.exitCode == 0, saidBy(there));
    QCOMPARE(there.json().at("verdicts"), here.json().at("verdicts"));
    QCOMPARE(there.json().at("claims"), here.json().at("claims"));
    const CliAnswer again = audit(m_shared + "there.verdicts");
    QCOMPARE(again.json().at("due"), json(0));
    const CliAnswer all = audit(m_shared + "there.verdicts", {"--cluster", "slurm", "--again", "--cluster-tasks", "1"});
    QVERIFY2(all.exitCode == 0, saidBy(all));
    QCOMPARE(all.json().at("due"), json(3));
}

void TestSlurm::searchesForGraphsRunAsArrays() {
    WAIT_VERIFY(m_slurm->isUp("node1"));
    const auto search = [&](const QString& store, const QStringList& more = {}) {
        return callCli(QStringList{"superopt", "search", "--task", "4/3", "--size", "small", "--operators", "8",
                                   "--store", store, "--json"} +
                       more);
    };
    const json here = search(m_shared + "here.graphs").json();
    const CliAnswer answer = search(m_shared + "there.graphs", {"--cluster", "slurm", "--cluster-tasks", "2"});
    const json there = answer.json();
    QVERIFY2(!there.is_discarded() && there.contains("cluster"), saidBy(answer));
    QCOMPARE(there.at("cluster").at("ended"), json("done"));
    QCOMPARE(there.at("cluster").at("done"), there.at("units_in_all"));
    for (const char* part : {"units", "states", "pruned", "right", "undecided", "refused", "candidates"})
        QCOMPARE(there.at(part), here.at(part));
}

void TestSlurm::withoutSlurm() {
    const QByteArray path = qgetenv("PATH"), configuration = qgetenv("SLURM_CONF");
    qputenv("PATH", "/nowhere");
    const CliAnswer missing = callCli(onCluster(m_shared + "missing.sweep", 1));
    qputenv("PATH", path);
    QCOMPARE(missing.exitCode, 3);
    QCOMPARE(missing.json().at("error").at("code"), json("no_slurm"));
    QVERIFY(!QFile::exists(m_shared + "missing.sweep.cluster"));
}

KERNELARIUM_TEST(TestSlurm);

} // namespace

#include "TestSlurm.moc"
