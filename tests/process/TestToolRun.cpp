// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/process/TestToolRun.h"

#include "gpu/process/ToolRun.h"
#include "tests/TestRegistry.h"
#include "tests/Waiting.h"

#include <QtTest>
#include <thread>

using namespace kernelarium;
using process::ToolRun;

namespace {

ToolRun shell(const std::string& script) {
    ToolRun run;
    run.start.words = {"/bin/sh", "-c", script};
    run.timeLimit = std::chrono::seconds(60);
    return run;
}

} // namespace

void TestToolRun::bothStreamsAndTheEndAreKnown() {
    ToolRun run = shell("cat; echo errors >&2; exit 3");
    run.input = "a line\n";
    run.keepsErrors = true;
    const auto end = process::runTool(run);
    QVERIFY2(end.ok(), end ? "" : end.error().text().c_str());
    QCOMPARE(end->output, std::string("a line\n")); // cat saw the end of its input
    QCOMPARE(end->errors, std::string("errors\n"));
    QCOMPARE(end->code, 3);
    QCOMPARE(end->how, std::string("exited with code 3"));
    run.keepsErrors = false;
    QCOMPARE(process::runTool(run)->errors, std::string());
}

void TestToolRun::theEndIsNamed() {
    const auto killed = process::runTool(shell("kill -SEGV $$"));
    QVERIFY(killed.ok());
    QCOMPARE(killed->code, -1);
    QCOMPARE(killed->how, std::string("was killed by SIGSEGV"));
    const auto closed = process::runTool(shell("exec <&- >&-; while :; do :; done"));
    QVERIFY(closed.ok()); // it has said all that it will, and is not waited for any longer
    QCOMPARE(closed->how, std::string("was killed by SIGKILL"));
}

void TestToolRun::largeStreamsPass() {
    ToolRun run = shell("cat; cat /dev/null; head -c 3000000 /dev/zero >&2");
    run.input.assign(20 << 20, 'k');
    run.keepsErrors = true;
    const auto end = process::runTool(run);
    QVERIFY2(end.ok(), end ? "" : end.error().text().c_str());
    QVERIFY(end->output == run.input);
    QCOMPARE(end->errors.size(), std::size_t(3000000));
    const auto unread = process::runTool([&] {
        ToolRun ends = shell("exit 0"); // without a look at its input
        ends.input = run.input;
        return ends;
    }());
    QVERIFY(unread.ok());
    QCOMPARE(unread->code, 0);
}

void TestToolRun::aMissingProgramIsNamed() {
    ToolRun run;
    run.start.words = {"/no/such/program"};
    QCOMPARE(process::runTool(run).error().code, std::string("missing_component"));
    QCOMPARE(process::runTool(run).error().message,
             std::string("Cannot start /no/such/program: No such file or directory."));
    QTemporaryDir folder;
    QFile text(folder.filePath(QStringLiteral("text")));
    QVERIFY(text.open(QIODevice::WriteOnly));
    text.write("echo this is no program\n");
    text.close();
    text.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    run.start.words = {text.fileName().toStdString()};
    QCOMPARE(process::runTool(run).error().code, std::string("missing_component")); // and not given to a shell
    run.start.words = {"true"};
    QCOMPARE(process::runTool(run)->code, 0); // found on PATH
}

void TestToolRun::environmentAndFolderAreAsAsked() {
    qputenv("KERNELARIUM_OURS", "ours");
    QTemporaryDir folder;
    ToolRun run = shell("echo \"$KERNELARIUM_OURS $KERNELARIUM_THEIRS\"; pwd -P");
    QVERIFY(process::runTool(run)->output.starts_with("ours \n"));
    run.start.environment = {"KERNELARIUM_THEIRS=theirs"};
    run.start.folder = folder.path().toStdString();
    const QString wanted = QStringLiteral(" theirs\n%1\n").arg(QDir(folder.path()).canonicalPath());
    QCOMPARE(process::runTool(run)->output, wanted.toStdString());
    qunsetenv("KERNELARIUM_OURS");
}

void TestToolRun::tooLongEndsIt() {
    ToolRun run = shell("while :; do :; done");
    run.timeLimit = std::chrono::seconds(1);
    const auto end = process::runTool(run);
    QVERIFY(!end.ok());
    QCOMPARE(end.error().code, std::string("timeout"));
    QCOMPARE(end.error().message, std::string("It took longer than 1 s and was ended."));
}

void TestToolRun::tooMuchEndsIt() {
    ToolRun run = shell("while :; do echo kernelarium; done");
    run.longestOutput = 1 << 20;
    QCOMPARE(process::runTool(run).error().code, std::string("too_large"));
    // What is kept of standard error is its end.
    ToolRun errors = shell("head -c 3000 /dev/zero >&2; echo last >&2");
    errors.longestOutput = 1000;
    errors.keepsErrors = true;
    const auto end = process::runTool(errors);
    QVERIFY(end.ok());
    QCOMPARE(end->errors.size(), std::size_t(1000));
    QVERIFY(end->errors.ends_with("last\n"));
}

void TestToolRun::aStopEndsItsGroup() {
    QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("child"));
    ToolRun run = shell("sh -c 'while :; do sleep 1; done' & echo $! > '" + file.toStdString() + "'; wait");
    run.start.apart = true;
    std::stop_source stop;
    std::jthread stopper([&] {
        while (QFileInfo(file).size() == 0)
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
        stop.request_stop();
    });
    QCOMPARE(process::runTool(run, stop.get_token()).error().code, std::string("cancelled"));
    QFile number(file);
    QVERIFY(number.open(QIODevice::ReadOnly));
    const QString child = QString::fromLatin1(number.readAll()).trimmed();
    const auto isGone = [&] {
        QFile stat(QStringLiteral("/proc/%1/stat").arg(child));
        return !stat.open(QIODevice::ReadOnly) || stat.readAll().contains(") Z ");
    };
    WAIT_VERIFY(isGone());
}

KERNELARIUM_TEST(TestToolRun);
