// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/process/TestConfinement.h"

#include "gpu/process/ConfinedProcess.h"
#include "gpu/process/ReadableFiles.h"
#include "tests/TestRegistry.h"

#include <QTemporaryDir>
#include <QtTest>
#include <algorithm>
#include <cerrno>
#include <fcntl.h>
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
    for (const char* refused :
         {"socket",     "local_socket", "connect",    "io_uring_setup", "ptrace",        "process_vm_readv",
          "pidfd_open", "bpf",          "unshare",    "setpriority",    "keyctl",        "clone",
          "fork",       "kill_parent",  "kill_group", "kill_all",       "tgkill_parent", "tkill",
          "exec",       "exec_guessed", "exec_at"})
        QTest::newRow(refused) << EPERM;
    for (const char* descriptors :
         {"setown", "setown_ex", "setsig", "async", "async_hidden", "notify", "lease", "pipe_size", "ioctl_owner",
          "ioctl_async", "type_into_terminal", "type_hidden", "datagrams", "send_to_service", "sendmsg"})
        QTest::newRow(descriptors) << EPERM;
    for (const char* files : {"chmod",
                              "fchmod",
                              "fchmodat",
                              "chown",
                              "fchown",
                              "times",
                              "setxattr",
                              "truncate",
                              "open_truncating",
                              "link",
                              "symlink",
                              "fifo",
                              "fallocate",
                              "splice",
                              "map_shared",
                              "map_shared_file",
                              "map_shared_validated",
                              "memfd",
                              "shmget",
                              "msgget",
                              "semget",
                              "mq_open"})
        QTest::newRow(files) << EPERM;
    for (const char* process :
         {"set_affinity_of_parent", "set_limit", "set_limit_of_self", "outlive_parent", "dumpable", "setsid", "setpgid",
          "setuid", "personality", "seccomp", "timer", "perf", "userfaultfd", "mount", "inotify"})
        QTest::newRow(process) << EPERM;
    for (const char* unknown : {"clone3", "fchmodat2", "openat2"})
        QTest::newRow(unknown) << ENOSYS;
    for (const char* let : {"socketpair", "thread", "kill_self", "tgkill_self", "limits", "limits_self",
                            "processes_in_reach", "write_here", "write_nowhere", "nonblock", "ioctl_nonblock", "rename",
                            "map_private", "affinity", "set_affinity", "thread_name", "capabilities"})
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
    if (!process::FileRules::known()) QSKIP("this kernel has no Landlock");
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("written"));
    QCOMPARE(attempts(commandOf({tryingProgram, path.toStdString()})).at("write_elsewhere"), EACCES);
    QVERIFY(!QFile::exists(path));
}

void TestConfinement::nothingElseIsRead() {
    if (!process::FileRules::known()) QSKIP("this kernel has no Landlock");
    QTemporaryDir folder;
    process::ConfinedCommand command = commandOf(
        {tryingProgram, folder.filePath(QStringLiteral("written")).toStdString(), folder.path().toStdString()});
    command.readable = process::filesOfProgram(tryingProgram);
    const std::map<std::string, int> found = attempts(command);
    QVERIFY(!found.empty());
    for (const char* refused : {"write_elsewhere", "read_elsewhere", "list_elsewhere", "read_parent",
                                "read_environment_of_parent", "read_users"})
        QVERIFY2(found.at(refused) == EACCES, refused);
    for (const char* let : {"read_self", "read_library", "read_random", "write_here", "write_nowhere"})
        QVERIFY2(found.at(let) == 0, let);
    // The folder named, and no other.
    command.readable->push_back(folder.path().toStdString());
    QCOMPARE(attempts(command).at("list_elsewhere"), 0);
    QCOMPARE(attempts(command).at("read_users"), EACCES);
}

void TestConfinement::aHomeIsNeverOneFolderOfAnInstallation() {
    const QByteArray home = qgetenv("HOME");
    qputenv("HOME", "/home/somebody");
    for (const char* much :
         {"/home/somebody", "/home/somebody/", "/home", "/", "", "relative", "/home/../home/somebody/."})
        QVERIFY2(process::holdsHome(much), much);
    for (const char* part : {"/home/somebody/venv", "/home/somebodyelse", "/usr"})
        QVERIFY2(!process::holdsHome(part), part);
    // A program right in the home brings itself, and nothing beside it.
    QCOMPARE(process::filesOfProgram("/home/somebody/python3"), std::vector<std::string>{"/home/somebody/python3"});
    const std::vector<std::string> files = process::filesOfProgram("/home/somebody/bin/python3");
    home.isEmpty() ? qunsetenv("HOME") : qputenv("HOME", home);
    QVERIFY(std::find(files.begin(), files.end(), "/home/somebody/lib") != files.end());
    QVERIFY(std::find(files.begin(), files.end(), "/home/somebody") == files.end());
}

void TestConfinement::itHasASessionWithoutATerminal() {
    const Result<files::ScratchFolder> scratch = files::ScratchFolder::make();
    QVERIFY(scratch.ok());
    const Result<process::ToolEnd> end =
        process::runConfined(commandOf({"/bin/sh", "-c", "read line < /proc/$$/stat; echo $line"}), *scratch, {});
    QVERIFY2(end.ok(), end ? "" : end.error().text().c_str());
    // pid (name) state parent group session terminal
    const QStringList fields = QString::fromStdString(end->output).simplified().split(' ');
    QVERIFY(fields.size() > 6);
    QCOMPARE(fields[4], fields[0]);
    QCOMPARE(fields[5], fields[0]);
    QCOMPARE(fields[6], QStringLiteral("0"));
}

void TestConfinement::itHasNoFilesOpenButThree() {
    // One of ours that a program would get.
    const process::Descriptor ours(::open("/dev/null", O_RDONLY));
    QVERIFY(ours.number() > 2);
    const Result<files::ScratchFolder> scratch = files::ScratchFolder::make();
    QVERIFY(scratch.ok());
    const Result<process::ToolEnd> end =
        process::runConfined(commandOf({"/bin/sh", "-c", "echo /proc/self/fd/*"}), *scratch, {});
    QVERIFY2(end.ok(), end ? "" : end.error().text().c_str());
    // The fourth is the list itself, which is being read.
    QCOMPARE(end->output, std::string("/proc/self/fd/0 /proc/self/fd/1 /proc/self/fd/2 /proc/self/fd/3\n"));
}

void TestConfinement::whatItWritesIsBounded_data() {
    QTest::addColumn<QString>("script");
    QTest::newRow("into its folder") << "while :; do echo kernelarium >> a; done";
    QTest::newRow("into many files") << "i=0; while :; do i=$((i + 1)); : > $i; done";
    QTest::newRow("into nothing") << "while :; do echo kernelarium > /dev/null; done";
}

void TestConfinement::whatItWritesIsBounded() {
    QFETCH(const QString, script);
    if (script.contains("null") && !QFile::exists("/proc/self/io")) QSKIP("this kernel does not count what is written");
    const Result<files::ScratchFolder> scratch = files::ScratchFolder::make();
    QVERIFY(scratch.ok());
    process::ConfinedCommand command = commandOf({"/bin/sh", "-c", script.toStdString()});
    command.limits.written = 1 << 20;
    const Result<process::ToolEnd> end = process::runConfined(command, *scratch, {});
    QVERIFY(!end.ok());
    QCOMPARE(end.error().code, std::string("too_large"));
}

void TestConfinement::limitsHold() {
    const Result<files::ScratchFolder> scratch = files::ScratchFolder::make();
    QVERIFY(scratch.ok());
    process::ConfinedCommand command =
        commandOf({"/bin/sh", "-c", "ulimit -c; ulimit -d; ulimit -v; ulimit -f; ulimit -t; ulimit -n; ulimit -p"});
    command.limits = {
        .memory = 256 << 20, .addressSpace = 1 << 30, .fileSize = 1 << 20, .seconds = 17, .threads = 5000};
    const Result<process::ToolEnd> end = process::runConfined(command, *scratch, {});
    QVERIFY2(end.ok(), end ? "" : end.error().text().c_str());
    const std::string fixed = "0\n262144\n1048576\n2048\n17\n256\n";
    QVERIFY2(end->output.starts_with(fixed), end->output.c_str());
    // Beside the threads that there are.
    QVERIFY(std::stoul(end->output.substr(fixed.size())) > 5000);
}

void TestConfinement::aTrustedToolIsNotConfined() {
    process::ConfinedCommand command = commandOf({tryingProgram});
    command.trusted = true;
    const std::map<std::string, int> found = attempts(command);
    QVERIFY(!found.empty());
    for (const char* let : {"local_socket", "clone", "clone3", "kill_parent", "setown", "async", "chmod", "map_shared",
                            "memfd", "set_affinity_of_parent", "open_truncating", "datagrams", "set_limit"})
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
