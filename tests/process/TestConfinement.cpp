// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/process/TestConfinement.h"

#include "gpu/process/ConfinedProcess.h"
#include "tests/TestRegistry.h"

#include <QtTest>
#include <cerrno>
#include <fstream>
#include <map>
#include <sstream>
#include <thread>

using namespace kernelarium;

namespace {

process::ConfinedCommand commandOf(std::vector<std::string> words) {
    process::ConfinedCommand command;
    command.words = std::move(words);
    command.environment = {"LC_ALL=C"};
    command.longestOutput = 1 << 20;
    command.timeLimit = std::chrono::seconds(60);
    return command;
}

const std::string tryingProgram = KERNELARIUM_BIN_DIR "/process_child";

/// What came of each attempt: an errno, 0 where it was let.
std::map<std::string, int> attempts(const process::ConfinedCommand& command) {
    const Result<files::ScratchFolder> scratch = files::ScratchFolder::make();
    if (!scratch) return {};
    const Result<process::ToolEnd> end = process::runConfined(command, *scratch, {});
    if (!end || end->code != 0) {
        qWarning("%s", end ? end->how.c_str() : end.error().text().c_str());
        return {};
    }
    std::map<std::string, int> all;
    std::istringstream lines(end->output);
    std::string name;
    for (int error = 0; lines >> name >> error;)
        all[name] = error;
    return all;
}

} // namespace

void TestConfinement::everyCallIsAnsweredByThePolicy_data() {
    QTest::addColumn<int>("error");
    for (const char* refused : {"socket", "local_socket", "connect", "io_uring_setup", "ptrace", "process_vm_readv",
                                "pidfd_open", "bpf", "unshare", "setpriority", "keyctl", "clone", "fork", "kill_parent",
                                "kill_group", "kill_all", "tgkill_parent", "tkill"})
        QTest::newRow(refused) << EPERM;
    QTest::newRow("clone3") << ENOSYS;
    for (const char* let : {"socketpair", "thread", "kill_self", "tgkill_self", "limits", "limits_self",
                            "processes_in_reach", "write_here", "write_nowhere"})
        QTest::newRow(let) << 0;
}

void TestConfinement::everyCallIsAnsweredByThePolicy() {
    static const std::map<std::string, int> found = attempts(commandOf({tryingProgram}));
    QFETCH(const int, error);
    const auto attempt = found.find(QTest::currentDataTag());
    QVERIFY(attempt != found.end());
    QCOMPARE(attempt->second, error);
}

void TestConfinement::nothingIsWrittenElsewhere() {
    std::ifstream modules("/sys/kernel/security/lsm");
    std::string names;
    if (!std::getline(modules, names) || names.find("landlock") == std::string::npos)
        QSKIP("this kernel has no Landlock");
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("written"));
    QCOMPARE(attempts(commandOf({tryingProgram, path.toStdString()})).at("write_elsewhere"), EACCES);
    QVERIFY(!QFile::exists(path));
}

void TestConfinement::limitsHold() {
    const Result<files::ScratchFolder> scratch = files::ScratchFolder::make();
    QVERIFY(scratch.ok());
    process::ConfinedCommand command =
        commandOf({"/bin/sh", "-c", "ulimit -c; ulimit -d; ulimit -f; ulimit -t; ulimit -n"});
    command.limits = {.memory = 256 << 20, .fileSize = 1 << 20, .seconds = 17};
    const Result<process::ToolEnd> end = process::runConfined(command, *scratch, {});
    QVERIFY2(end.ok(), end ? "" : end.error().text().c_str());
    QCOMPARE(end->output, std::string("0\n262144\n2048\n17\n256\n"));
}

void TestConfinement::aTrustedToolIsNotConfined() {
    process::ConfinedCommand command = commandOf({tryingProgram});
    command.trusted = true;
    const std::map<std::string, int> found = attempts(command);
    QVERIFY(!found.empty());
    for (const char* let : {"local_socket", "clone", "clone3", "kill_parent"})
        QCOMPARE(found.at(let), 0);
}

void TestConfinement::manyAtATimeGetFiltersOfTheirOwn() {
    std::vector<std::map<std::string, int>> found(8);
    {
        std::vector<std::jthread> threads;
        for (auto& one : found)
            threads.emplace_back([&one] { one = attempts(commandOf({tryingProgram})); });
    }
    for (const auto& one : found) {
        QVERIFY(!one.empty());
        QCOMPARE(one.at("kill_self"), 0);
        QCOMPARE(one.at("kill_parent"), EPERM);
        QCOMPARE(one.at("limits_self"), 0);
        QCOMPARE(one.at("processes_in_reach"), 0);
    }
}

KERNELARIUM_TEST(TestConfinement);
