// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/cluster/SlurmAnswers.h"
#include "tests/TestRegistry.h"

#include <QtTest>

namespace kernelarium::cluster {
namespace {

using State = TaskSeen::State;

class TestSlurmAnswers : public QObject {
    Q_OBJECT

private slots:
    void jobNumbers();
    void tasks();
    void states_data();
    void states();
    void hostileTasks_data();
    void hostileTasks();
    void manyTasks();
    void lists();
    void failures_data();
    void failures();
    void options_data();
    void options();
};

void TestSlurmAnswers::jobNumbers() {
    QCOMPARE(submittedJob("123\n").value(), "123");
    QCOMPARE(submittedJob("123;north\n").value(), "123");
    QCOMPARE(submittedJob("7").value(), "7");
    for (const char* bad :
         {"", "\n", "Submitted batch job 7", "-7", "7 8", "99999999999999999999", "7;\x1b[2J", "; rm"})
        if (std::string_view(bad) != "7;\x1b[2J") QCOMPARE(submittedJob(bad).error().code, "bad_answer");
    const Error shown = submittedJob("\x1b[2Jnumber\n").error();
    QVERIFY(shown.message.find('\x1b') == std::string::npos);
}

void TestSlurmAnswers::tasks() {
    const auto seen = tasksSeen("12|1|RUNNING|node7|None\n"
                                "12|2|PENDING||Resources\n"
                                "13|1|RUNNING|node8|None\n"
                                "12|N/A|RUNNING|node1|None\n"
                                "12|3|CANCELLED||DependencyNeverSatisfied\n"
                                "12|4|NODE_FAIL|node9|a | b|c\n",
                                "12");
    QVERIFY(seen.ok());
    QCOMPARE(seen->size(), std::size_t(4));
    QCOMPARE(seen->at(0).task, 1U);
    QCOMPARE(seen->at(0).node, "node7");
    QVERIFY(seen->at(0).state == State::running && seen->at(0).why.empty());
    QVERIFY(seen->at(1).state == State::pending);
    QCOMPARE(seen->at(1).why, "Resources");
    QVERIFY(seen->at(2).state == State::lost); // nobody's wish
    QCOMPARE(seen->at(3).why, "a | b|c");
    QCOMPARE(jobsSeen("12|1|RUNNING||\n12|2|RUNNING||\n15|N/A|PENDING||x\n").value(),
             (std::vector<std::string>{"12", "15"}));
    QVERIFY(tasksSeen("", "12")->empty());
}

void TestSlurmAnswers::states_data() {
    QTest::addColumn<int>("state");
    const auto row = [](const char* word, State state) { QTest::newRow(word) << int(state); };
    for (const char* word : {"PENDING", "REQUEUED", "REQUEUE_HOLD", "CONFIGURING"})
        row(word, State::pending);
    for (const char* word : {"RUNNING", "COMPLETING", "SUSPENDED", "SOMETHING_NEW"})
        row(word, State::running);
    for (const char* word : {"NODE_FAIL", "FAILED", "TIMEOUT", "OUT_OF_MEMORY", "BOOT_FAIL", "PREEMPTED"})
        row(word, State::lost);
    row("COMPLETED", State::over);
    row("CANCELLED", State::cancelled);
}

void TestSlurmAnswers::states() {
    QFETCH(const int, state);
    const auto seen = tasksSeen(std::string("5|9|") + QTest::currentDataTag() + "|n|r\n", "5");
    QVERIFY(seen.ok() && seen->size() == 1);
    QCOMPARE(int(seen->front().state), state);
    QCOMPARE(seen->front().word, QTest::currentDataTag());
}

void TestSlurmAnswers::hostileTasks_data() {
    QTest::addColumn<QByteArray>("said");
    QTest::addColumn<bool>("refused");
    const auto row = [](const char* name, const QByteArray& said, bool refused) {
        QTest::newRow(name) << said << refused;
    };
    row("a sentence", "slurm_load_jobs error: Unable to contact\n", true);
    row("fields are missing", "5|1|RUNNING\n", true);
    row("no number of a job", "five|1|RUNNING|n|r\n", true);
    row("no state", "5|1||n|r\n", true);
    row("a state of other signs", "5|1|RUN\x1b[31m|n|r\n", true);
    row("binary", QByteArray(300, '\xff') + "\n", true);
    row("a task's number too large", "5|99999999999|RUNNING|n|r\n", false);
    row("a negative one", "5|-1|RUNNING|n|r\n", false);
    row("zero", "5|0|RUNNING|n|r\n", false);
    row("a range", "5|[1-9]|PENDING||r\n", false);
    row("an endless node", "5|1|RUNNING|" + QByteArray(1000000, 'n') + "|r\n", false);
    row("control characters",
        "5|1|RUNNING|n\x07\x1b]0;x|\x9b"
        "31m\n",
        false);
}

void TestSlurmAnswers::hostileTasks() {
    QFETCH(const QByteArray, said);
    QFETCH(const bool, refused);
    const auto seen = tasksSeen(std::string_view(said.constData(), std::size_t(said.size())), "5");
    QCOMPARE(!seen.ok(), refused);
    const auto printable = [](const std::string& text) {
        return text.size() <= 400 && std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~'; });
    };
    if (refused) {
        QCOMPARE(seen.error().code, "bad_answer");
        QVERIFY(printable(seen.error().message));
        return;
    }
    for (const TaskSeen& task : *seen)
        QVERIFY(task.task == 1 && printable(task.node) && printable(task.why));
}

void TestSlurmAnswers::manyTasks() {
    std::string said;
    constexpr unsigned count = 100000;
    for (unsigned task = 1; task <= count; ++task)
        said += "5|" + std::to_string(task) + "|PENDING||Priority\n";
    const auto seen = tasksSeen(said, "5");
    QVERIFY(seen.ok() && seen->size() == count && seen->back().task == count);
}

void TestSlurmAnswers::lists() {
    QCOMPARE(taskList({1, 2, 3}), "1-3");
    QCOMPARE(taskList({7, 3, 2, 1, 3}), "1-3,7");
    QCOMPARE(taskList({4}), "4");
    QCOMPARE(taskList({}), "");
}

void TestSlurmAnswers::failures_data() {
    QTest::addColumn<QByteArray>("errors");
    QTest::addColumn<std::string>("code");
    const auto row = [](const char* name, const char* errors, const char* code) {
        QTest::newRow(name) << QByteArray(errors) << std::string(code);
    };
    // As 22.05 writes them.
    row("no configuration",
        "squeue: error: s_p_parse_file: cannot stat file /etc/slurm/slurm.conf: No such file or directory\n"
        "squeue: error: ClusterName needs to be specified\nsqueue: fatal: Unable to process configuration file\n",
        "no_slurm");
    row("no controller",
        "sbatch: error: Batch job submission failed: Unable to contact slurm controller (connect failure)\n",
        "cluster_silent");
    row("no munged", "squeue: error: Munge encode failed: Failed to access \"/run/munge/munge.socket.2\"\n",
        "cluster_silent");
    row("busy", "slurm_load_jobs error: Socket timed out on send/recv operation\n", "cluster_silent");
    row("partition",
        "sbatch: error: invalid partition specified: x\n"
        "sbatch: error: Batch job submission failed: Invalid partition name specified\n",
        "refused_job");
    row("array", "sbatch: error: Batch job submission failed: Invalid job array specification\n", "refused_job");
    row("nothing", "", "refused_job");
}

void TestSlurmAnswers::failures() {
    QFETCH(const QByteArray, errors);
    QFETCH(const std::string, code);
    const Error error = slurmFailure("sbatch", errors.toStdString());
    QCOMPARE(error.code, code);
    QVERIFY(!error.action.empty());
    if (code == "refused_job" && !errors.isEmpty()) // the last line is the reason
        QVERIFY(error.message.find("submission failed: Invalid") != std::string::npos);
    QVERIFY(knowsNoSuchJob("slurm_load_jobs error: Invalid job id specified"));
    QVERIFY(!knowsNoSuchJob(errors.toStdString()));
}

void TestSlurmAnswers::options_data() {
    QTest::addColumn<std::string>("option");
    QTest::addColumn<bool>("taken");
    for (const char* good : {"--partition=long", "-plong", "--gres=gpu:h200:1", "--time=10", "--mem=4G",
                             "--account=a b", "--exclusive", "-t10", "--no-requeue", "-w", "--nice"})
        QTest::newRow(good) << std::string(good) << true;
    for (const char* bad : {"--array=1-9", "--arr=1-9", "-a1-9",      "--job-name=x", "--job=x", "-Jx",    "--wrap=rm",
                            "--wait",      "-W",        "--parsable", "--test-only",  "long",    "",       "-",
                            "--",          "--help",    "-p\nx",      "--chdir=/",    "-D/",     "-Mother"})
        QTest::newRow(bad) << std::string(bad) << false;
}

void TestSlurmAnswers::options() {
    QFETCH(const std::string, option);
    QFETCH(const bool, taken);
    const auto checked = checkSbatchOptions({"--time=5", option});
    QCOMPARE(checked.ok(), taken);
    if (!taken) QCOMPARE(checked.error().code, "bad_usage");
}

KERNELARIUM_TEST(TestSlurmAnswers);

} // namespace
} // namespace kernelarium::cluster

#include "TestSlurmAnswers.moc"
