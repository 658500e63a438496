// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/protocol/TestWorkerClient.h"

#include "gpu/protocol/WorkerClient.h"
#include "tests/TestRegistry.h"
#include "tests/Waiting.h"

#include <QFile>
#include <QProcess>
#include <QtTest>
#include <csignal>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace kernelarium::protocol;
using nlohmann::json;
using namespace std::chrono_literals;

namespace {

const std::string childProgram = KERNELARIUM_BIN_DIR "/worker_child";

WorkerClient makeClient() {
    return WorkerClient({childProgram});
}
WorkerClient::CallOptions within(std::chrono::milliseconds limit) {
    WorkerClient::CallOptions options;
    options.timeLimit = limit;
    return options;
}

/// The child driven by hand, as a shell or ssh would.
class RawChild {
public:
    RawChild() {
        m_process.start(QString::fromStdString(childProgram), QStringList());
        m_process.waitForStarted(longWait);
        next(); // hello
    }
    ~RawChild() {
        m_process.closeWriteChannel();
        m_process.waitForFinished(longWait);
    }
    void send(const QByteArray& line) { m_process.write(line + "\n"); }
    json next() {
        while (!m_process.canReadLine())
            if (!m_process.waitForReadyRead(longWait)) return {};
        return json::parse(m_process.readLine().toStdString());
    }
    QProcess& process() { return m_process; }

private:
    QProcess m_process;
};

} // namespace

void TestWorkerClient::itAnswers() {
    WorkerClient client = makeClient();
    const auto result = client.call("echo", {{"x", 1}}, {});
    QVERIFY(result.ok());
    QCOMPARE(*result, json({{"x", 1}}));
    QCOMPARE(client.hello()->childKind, std::string("test"));
    QCOMPARE(client.hello()->capabilities, std::vector<std::string>{"misbehave"});
    QCOMPARE(client.call("nonsense", json::object(), {}).error().code, std::string("bad_request"));
}

void TestWorkerClient::largeRequestsPass() {
    WorkerClient client = makeClient();
    const std::string text(20 << 20, 'k');
    const auto result = client.call("echo", {{"text", text}}, {});
    QVERIFY(result.ok());
    QVERIFY((*result)["text"] == text);
    QCOMPARE(client.call("echo", {{"text", std::string(80 << 20, 'k')}}, {}).error().code, std::string("too_large"));
    QVERIFY(client.call("echo", json::object(), {}).ok());
}

void TestWorkerClient::strayPrintsStayOut() {
    WorkerClient client = makeClient();
    QVERIFY(client.call("print", json::object(), {}).ok());
    QVERIFY(client.call("echo", json::object(), {}).ok());
}

void TestWorkerClient::aChildMaySayThatItEnds() {
    WorkerClient client = makeClient();
    for (int round = 0; round < 3; ++round) { // the next request never meets the child on its way out
        const auto answer = client.call("last", json::object(), {});
        QVERIFY2(answer.ok(), answer ? "" : answer.error().message.c_str());
        QCOMPARE(client.childPid(), -1);
        const pid_t gone = (*answer)["pid"].get<pid_t>();
        QVERIFY(client.call("echo", {{"x", round}}, {}).ok());
        QVERIFY(client.childPid() != gone);
    }
    RawChild raw;
    raw.send(R"({"id": 4, "method": "last"})");
    const json event = raw.next();
    QCOMPARE(event["event"], json("finished"));
    QCOMPARE(event["child_ends"], json(true));
    QVERIFY(raw.process().waitForFinished(longWait)); // although its input is still open
    QCOMPARE(raw.process().exitCode(), 0);
}

void TestWorkerClient::aCrashIsNamedAndSurvived() {
    WorkerClient client = makeClient();
    QVERIFY(client.call("echo", json::object(), {}).ok());
    const pid_t first = client.childPid();
    const auto crashed = client.call("crash", json::object(), {});
    QCOMPARE(crashed.error().code, std::string("child_died"));
    QVERIFY2(crashed.error().message.find("SIGSEGV") != std::string::npos, crashed.error().message.c_str());
    QVERIFY(client.call("echo", json::object(), {}).ok());
    QVERIFY(client.childPid() != first);
}

void TestWorkerClient::aChildThatExitsIsNamed() {
    WorkerClient client = makeClient();
    const auto gone = client.call("exit", json::object(), {});
    QCOMPARE(gone.error().code, std::string("child_died"));
    QVERIFY(gone.error().message.find("code 3") != std::string::npos);
    WorkerClient::CallOptions options;
    options.progress = [&client](const std::string&) { ::kill(client.childPid(), SIGKILL); }; // it is at it
    const auto killed = client.call("hang", json::object(), options);
    QCOMPARE(killed.error().code, std::string("child_died"));
    QVERIFY(killed.error().message.find("SIGKILL") != std::string::npos);
}

void TestWorkerClient::outOfMemoryCostsOneRequest() {
    WorkerClient client = makeClient();
    QCOMPARE(client.call("allocate", json::object(), {}).error().code, std::string("out_of_memory"));
    const pid_t pid = client.childPid();
    QVERIFY(client.call("echo", json::object(), {}).ok());
    QCOMPARE(client.childPid(), pid);
}

void TestWorkerClient::exceptionsAreAnswered() {
    WorkerClient client = makeClient();
    const auto thrown = client.call("throw", json::object(), {});
    QCOMPARE(thrown.error().code, std::string("internal"));
    QVERIFY(thrown.error().message.find("on purpose") != std::string::npos);
}

void TestWorkerClient::aHangIsKilled() {
    WorkerClient client = makeClient();
    QCOMPARE(client.call("hang", json::object(), within(200ms)).error().code, std::string("timeout"));
    QVERIFY(client.call("echo", json::object(), {}).ok());
}

void TestWorkerClient::cancelEndsARequest() {
    WorkerClient client = makeClient();
    std::stop_source stop;
    std::vector<std::string> stages;
    WorkerClient::CallOptions options;
    options.stop = stop.get_token();
    options.progress = [&](const std::string& stage) {
        stages.push_back(stage);
        stop.request_stop();
    };
    QCOMPARE(client.call("wait", json::object(), options).error().code, std::string("cancelled"));
    QCOMPARE(stages, std::vector<std::string>{"waiting"});
    QVERIFY(client.childPid() > 0); // it answered by itself
    QVERIFY(client.call("echo", json::object(), {}).ok());
}

void TestWorkerClient::cancelOfAHangKills() {
    WorkerClient client = makeClient();
    std::stop_source stop;
    WorkerClient::CallOptions options;
    options.stop = stop.get_token();
    // Only once it hangs: before that it could still answer by itself.
    options.progress = [&](const std::string&) { stop.request_stop(); };
    QCOMPARE(client.call("hang", json::object(), options).error().code, std::string("cancelled"));
    QCOMPARE(client.childPid(), pid_t(-1));
    QVERIFY(client.call("echo", json::object(), {}).ok());
}

void TestWorkerClient::partialResultsComeBeforeTheEnd() {
    WorkerClient client = makeClient();
    std::vector<json> known;
    WorkerClient::CallOptions options;
    options.partial = [&](const json& part) { known.push_back(part["known"]); };
    const auto result = client.call("tell", json::object(), options);
    QVERIFY(result.ok());
    QCOMPARE((*result)["known"], json(4));
    QCOMPARE(known, (std::vector<json>{1, 2, 3}));
    QVERIFY(client.call("tell", json::object(), {}).ok()); // nobody has to listen
}

void TestWorkerClient::aMissingProgramIsNamed() {
    WorkerClient client({"/nowhere/kernelarium-cli"});
    const auto result = client.call("echo", json::object(), {});
    QCOMPARE(result.error().code, std::string("missing_component"));
    QVERIFY(result.error().message.find("/nowhere/kernelarium-cli") != std::string::npos);
}

/// One that is stopped, or slow, before its hello speaks no other protocol.
void TestWorkerClient::aStoppedChildIsNamed() {
    struct Impatient : LocalStarter {
        using LocalStarter::LocalStarter;
        [[nodiscard]] std::chrono::milliseconds patience() const override { return 2s; }
    };
    const auto calling = [](const std::string& script) {
        WorkerClient client(std::make_shared<Impatient>(std::vector<std::string>{"/bin/sh", "-c", script}));
        return client.call("echo", json::object(), {}).error();
    };
    const kernelarium::Error stopped = calling("kill -STOP $$; exec cat");
    QCOMPARE(stopped.code, std::string("child_stopped"));
    QVERIFY(stopped.message.find("SIGSTOP") != std::string::npos && !stopped.action.empty());
    QCOMPARE(calling("exec sleep 600").code, std::string("timeout"));
    QCOMPARE(calling("echo '{\"event\": \"hello\", \"protocol\": 9999}'; exec cat").code, std::string("protocol"));

    WorkerClient client = makeClient();
    QVERIFY(client.call("echo", json::object(), {}).ok());
    QCOMPARE(::kill(client.childPid(), SIGSTOP), 0);
    QCOMPARE(client.call("echo", json::object(), within(1s)).error().code, std::string("child_stopped"));
    QVERIFY(client.call("echo", json::object(), {}).ok());
}

void TestWorkerClient::childrenGetOnlyWhatTheyNeedOfTheEnvironment() {
    qputenv("SECRET_TOKEN", "planted_7f3a");
    qputenv("LC_TEST_WORD", "handed on");
    WorkerClient client = makeClient();
    QVERIFY(client.call("echo", json::object(), {}).ok());
    QFile file(QStringLiteral("/proc/%1/environ").arg(client.childPid()));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArrayList variables = file.readAll().split('\0');
    qunsetenv("SECRET_TOKEN");
    qunsetenv("LC_TEST_WORD");
    QVERIFY(variables.contains("LC_TEST_WORD=handed on"));
    QVERIFY(variables.contains("PATH=" + qgetenv("PATH")));
    for (const QByteArray& variable : variables)
        QVERIFY2(!variable.contains("planted_7f3a"), variable.constData());
}

void TestWorkerClient::aProgramThatIsNoWorkerIsNamed() {
    WorkerClient echo({"/bin/echo", "good morning"});
    QCOMPARE(echo.call("echo", json::object(), {}).error().code, std::string("protocol"));
    WorkerClient silent({"/bin/true"});
    QCOMPARE(silent.call("echo", json::object(), {}).error().code, std::string("child_died"));
}

void TestWorkerClient::brokenLinesAreAnsweredAndSurvived() {
    RawChild child;
    child.send("{\"id\": 1, \"method\"");
    json answer = child.next();
    QCOMPARE(answer["event"], json("failed"));
    QVERIFY(answer["id"].is_null());
    QCOMPARE(answer["code"], json("bad_json"));
    child.send(QByteArray("\x01\xff\xfe garbage"));
    QCOMPARE(child.next()["event"], json("failed"));
    child.send("   ");
    child.send("{\"id\": 2, \"method\": \"echo\", \"generation\": 4, \"params\": {\"a\": 1}}\r");
    answer = child.next();
    QCOMPARE(answer["event"], json("finished"));
    QCOMPARE(answer["id"], json(2));
    QCOMPARE(answer["generation"], json(4));
}

void TestWorkerClient::aHugeLineIsAnsweredAndSurvived() {
    RawChild child;
    child.send(QByteArray(100 << 20, 'x'));
    QCOMPARE(child.next()["code"], json("too_large"));
    child.send("{\"id\": 3, \"method\": \"echo\"}");
    QCOMPARE(child.next()["id"], json(3));
}

void TestWorkerClient::aNewerRequestOfTheSameTagWins() {
    RawChild child;
    child.send("{\"id\": 1, \"method\": \"wait\", \"tag\": \"editor\"}");
    QCOMPARE(child.next()["event"], json("progress"));
    child.send("{\"id\": 2, \"method\": \"echo\", \"tag\": \"other\"}");
    child.send("{\"id\": 3, \"method\": \"echo\", \"tag\": \"editor\"}");
    std::map<int, std::string> ends;
    for (int i = 0; i < 3; ++i) {
        const json event = child.next();
        ends[event["id"].get<int>()] = event["event"].get<std::string>();
    }
    QCOMPARE(ends, (std::map<int, std::string>{{1, "cancelled"}, {2, "finished"}, {3, "finished"}}));
}

void TestWorkerClient::cancelReachesWaitingRequests() {
    RawChild child;
    child.send("{\"id\": 1, \"method\": \"wait\"}");
    child.next();
    child.send("{\"id\": 2, \"method\": \"echo\"}");
    child.send("{\"id\": 2, \"method\": \"cancel\"}");
    json event = child.next();
    QCOMPARE(event["id"], json(2));
    QCOMPARE(event["event"], json("cancelled"));
    child.send("{\"id\": 1, \"method\": \"cancel\"}");
    event = child.next();
    QCOMPARE(event["id"], json(1));
    QCOMPARE(event["event"], json("cancelled"));
}

void TestWorkerClient::theEndOfInputEndsTheChild() {
    RawChild child;
    child.send("{\"id\": 1, \"method\": \"echo\"}");
    child.process().closeWriteChannel();
    QVERIFY(child.process().waitForFinished(longWait));
    QCOMPARE(child.process().exitCode(), 0);
    QVERIFY(child.process().readAllStandardOutput().contains("finished"));
}

void TestWorkerClient::theChildDiesWithItsParent() {
    int pipes[2];
    QVERIFY(::pipe(pipes) == 0);
    const pid_t parent = ::fork();
    if (parent == 0) {
        WorkerClient client = makeClient();
        (void)client.call("echo", json::object(), {});
        const pid_t child = client.childPid();
        const ssize_t written = ::write(pipes[1], &child, sizeof child);
        (void)written;
        ::pause();
    }
    pid_t child = 0;
    QCOMPARE(::read(pipes[0], &child, sizeof child), ssize_t(sizeof child));
    QVERIFY(::kill(child, 0) == 0);
    ::kill(parent, SIGKILL);
    ::waitpid(parent, nullptr, 0);
    // Orphans are reaped by init or by nobody: a zombie is as dead.
    const QString status = QString("/proc/%1/status").arg(child);
    WAIT_VERIFY([&] {
        QFile file(status);
        return !file.open(QIODevice::ReadOnly) || file.readAll().contains("State:\tZ");
    }());
    ::close(pipes[0]);
    ::close(pipes[1]);
}

KERNELARIUM_TEST(TestWorkerClient);
