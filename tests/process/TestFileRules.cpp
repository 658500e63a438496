// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/process/TestFileRules.h"

#include "gpu/process/FileRules.h"
#include "gpu/process/ToolRun.h"
#include "tests/TestRegistry.h"

#include <QTemporaryDir>
#include <QtTest>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <functional>
#include <thread>

using namespace kernelarium;
using process::FileRules;

namespace {

/// errno of opening it, 0 where it can be opened.
int opening(const std::string& path, int flags = O_RDONLY) {
    const process::Descriptor file(::open(path.c_str(), flags | O_CLOEXEC, 0600));
    return file.isOpen() ? 0 : errno;
}

/// Runs it in a thread of its own that keeps to these rules.
bool within(const FileRules& rules, const std::function<void()>& work) {
    bool restricted = false;
    std::thread([&] {
        restricted = rules.restrictSelf();
        if (restricted) work();
    }).join();
    return restricted;
}

/// Two folders with a file each.
struct TwoFolders {
    QTemporaryDir top;
    std::string inside = top.filePath("inside").toStdString(), outside = top.filePath("outside").toStdString();
    std::string mine = inside + "/mine", secret = outside + "/secret";

    TwoFolders() {
        std::filesystem::create_directory(inside);
        std::filesystem::create_directory(outside);
        std::ofstream(mine) << "mine";
        std::ofstream(secret) << "secret";
    }
};

#define NEEDS_LANDLOCK                                                                                                 \
    if (!FileRules::known()) QSKIP("This kernel has no Landlock.")

} // namespace

void TestFileRules::whatIsNotAllowedCannotBeOpened() {
    NEEDS_LANDLOCK;
    TwoFolders folders;
    FileRules rules(FileRules::Fence::all);
    rules.allowReading(folders.inside);
    rules.allowReading(folders.outside + "/no-such-file");
    QVERIFY(within(rules, [&] {
        QCOMPARE(opening(folders.mine), 0);
        QCOMPARE(opening(folders.mine, O_RDWR), EACCES);
        QCOMPARE(opening(folders.inside + "/new", O_WRONLY | O_CREAT), EACCES);
        QCOMPARE(opening(folders.secret), EACCES);
        QCOMPARE(opening(folders.outside, O_RDONLY | O_DIRECTORY), EACCES);
        QCOMPARE(opening("/proc/self/environ"), EACCES);
    }));
    QVERIFY(!std::filesystem::exists(folders.inside + "/new"));
}

void TestFileRules::linksAndDotsDoNotLeadOut() {
    NEEDS_LANDLOCK;
    TwoFolders folders;
    std::filesystem::create_symlink(folders.secret, folders.inside + "/link");
    std::filesystem::create_symlink(folders.outside, folders.inside + "/folder");
    FileRules rules(FileRules::Fence::all);
    rules.allowWriting(folders.inside);
    QVERIFY(within(rules, [&] {
        QCOMPARE(opening(folders.inside + "/link"), EACCES);
        QCOMPARE(opening(folders.inside + "/folder/secret"), EACCES);
        QCOMPARE(opening(folders.inside + "/../outside/secret"), EACCES);
        QCOMPARE(opening(folders.inside + "/new", O_WRONLY | O_CREAT), 0);
    }));
}

void TestFileRules::writingAloneLeavesReadingAsItIs() {
    NEEDS_LANDLOCK;
    TwoFolders folders;
    FileRules rules(FileRules::Fence::writing);
    rules.allowWriting(folders.inside);
    QVERIFY(within(rules, [&] {
        QCOMPARE(opening(folders.secret), 0);
        QCOMPARE(opening(folders.secret, O_WRONLY), EACCES);
        QVERIFY(::unlink(folders.secret.c_str()) != 0);
        QCOMPARE(opening(folders.mine, O_RDWR), 0);
    }));
    QVERIFY(std::filesystem::exists(folders.secret));
}

void TestFileRules::otherThreadsKeepTheirFiles() {
    NEEDS_LANDLOCK;
    TwoFolders folders;
    QVERIFY(within(FileRules(FileRules::Fence::all), [&] { QCOMPARE(opening(folders.secret), EACCES); }));
    QCOMPARE(opening(folders.secret, O_RDWR), 0);
}

void TestFileRules::programsAreStartedFromAllowedPlacesOnly() {
    NEEDS_LANDLOCK;
    const std::vector<std::string> system{"/usr", "/lib", "/lib64", "/bin", "/etc/ld.so.cache", "/nix/store"};
    const process::ToolRun run{.start = {.words = {"true"}}, .timeLimit = std::chrono::seconds(60)};
    FileRules reading(FileRules::Fence::all), running(FileRules::Fence::all);
    for (const std::string& path : system) {
        reading.allowReading(path);
        running.allowRunning(path);
    }
    QVERIFY(within(reading, [&] { QVERIFY(!process::runTool(run)); }));
    QVERIFY(within(running, [&] {
        const Result<process::ToolEnd> end = process::runTool(run);
        QVERIFY(end && end->code == 0);
    }));
}

KERNELARIUM_TEST(TestFileRules);
