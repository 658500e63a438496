// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/cli/TestLeftovers.h"

#include "tests/TestRegistry.h"
#include "tests/cli/CliProcess.h"

#include <QDir>
#include <QFile>
#include <QRandomGenerator>
#include <QTemporaryDir>
#include <QtTest>
#include <csignal>

namespace {

const QByteArray secretWord = "planted_7f3a";

/// Two sources are compiled, so that there is a precompiled header.
QStringList verifyingTwice(const QString& kernel) {
    return {"verify",        kernel,  "--reference",   fixture("add.cu"), "--arg",
            "float32[1000]", "--arg", "float32[1000]", "--json"};
}

QStringList entriesOf(const QString& folder) {
    return QDir(folder).entryList(QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot);
}

/// A file with this text, and its path.
QString writtenTo(const QTemporaryDir& folder, const QString& name, const QByteArray& text) {
    QDir(folder.path()).mkpath(QFileInfo(folder.filePath(name)).path());
    QFile file(folder.filePath(name));
    if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size()) qFatal("Cannot write.");
    return file.fileName();
}

} // namespace

void TestLeftovers::init() {
    m_temporary = new QTemporaryDir;
    m_before = qgetenv("TMPDIR");
    qputenv("TMPDIR", m_temporary->path().toUtf8());
}

void TestLeftovers::cleanup() {
    m_before.isNull() ? qunsetenv("TMPDIR") : qputenv("TMPDIR", m_before);
    delete m_temporary;
}

void TestLeftovers::commandsLeaveNothing() {
    for (const QStringList& command :
         {verifyingTwice(fixture("add.cu")), QStringList{"compile", fixture("add.cu"), "--json"},
          QStringList{"run", fixture("add.cu"), "--arg", "float32[1000]", "--arg", "float32[1000]", "--json"}}) {
        const CliAnswer answer = callCli(command);
        QVERIFY2(!answer.crashed && answer.exitCode == 0, answer.output + answer.messages);
        QVERIFY2(entriesOf(m_temporary->path()).isEmpty(), qPrintable(entriesOf(m_temporary->path()).join(' ')));
    }
}

/// Children, and now and then the command itself, are killed at moments that nobody chose.
void TestLeftovers::killedChildrenLeaveNothing() {
    QRandomGenerator random(20261123);
    int killed = 0;
    for (int round = 0; round < 20; ++round) {
        int looks = int(random.bounded(300));
        const bool itself = round % 5 == 4;
        bool done = false;
        callCli(verifyingTwice(fixture("add.cu")), {}, [&](qint64 pid) {
            if (done || --looks > 0) return;
            const QList<qint64> children = childrenOf(pid);
            if (children.isEmpty() && !itself) return; // it is about to start one
            const qint64 victim = itself ? pid : children.at(random.bounded(children.size()));
            done = ::kill(pid_t(victim), SIGKILL) == 0;
            killed += done;
        });
    }
    QVERIFY2(killed >= 10, qPrintable(QString::number(killed)));
    const CliAnswer answer = callCli(verifyingTwice(fixture("add.cu")));
    QCOMPARE(answer.json().at("verdict"), nlohmann::json("verified"));
    QVERIFY2(entriesOf(m_temporary->path()).isEmpty(), qPrintable(entriesOf(m_temporary->path()).join(' ')));
}

void TestLeftovers::nothingOfTheEnvironmentIsTold_data() {
    QTest::addColumn<QByteArray>("source");
    for (const char* path : {"/proc/self/environ", "/proc/thread-self/environ", "/proc/self/task/../environ"}) {
        QTest::newRow(path) << "int v[] = {\n#include \"" + QByteArray(path) + "\"\n};\n";
        QTest::newRow((QByteArray("macro ") + path).constData())
            << "#define P \"" + QByteArray(path) + "\"\nint v[] = {\n#include P\n};\n";
    }
    QTest::newRow("parent") << QByteArray("int v[] = {\n#include \"/proc/PPID/environ\"\n};\n");
}

void TestLeftovers::nothingOfTheEnvironmentIsTold() {
    QFETCH(QByteArray, source);
    source.replace("PPID", QByteArray::number(QCoreApplication::applicationPid()));
    const QTemporaryDir folder;
    qputenv("SECRET_TOKEN", "x = " + secretWord);
    const CliAnswer answer = callCli(verifyingTwice(writtenTo(folder, "kernel.cu", source)));
    qunsetenv("SECRET_TOKEN");
    QVERIFY2(answer.exitCode != 0 && !answer.crashed, answer.output);
    const QByteArray said = answer.output + answer.messages;
    QVERIFY2(!said.contains(secretWord) && !said.contains("SECRET_TOKEN"), said.constData());
}

/// A file beside the kernel may be included; what is hidden there, or lies elsewhere, may not.
void TestLeftovers::theKernelsOwnFolderIsNoWayOut() {
    const QTemporaryDir folder;
    writtenTo(folder, "home/.ssh/id", secretWord + " = 1;\n");
    writtenTo(folder, "other/secret.h", secretWord + " = 1;\n");
    writtenTo(folder, "home/near.h", "#define NEAR 1\n");
    QFile::link("../other/secret.h", folder.filePath("home/linked.h"));
    QFile add(fixture("add.cu"));
    QVERIFY(add.open(QIODevice::ReadOnly));
    const QByteArray text = add.readAll();
    for (const char* name : {".ssh/id", "../other/secret.h", "linked.h"}) {
        const QString kernel =
            writtenTo(folder, "home/kernel.cu", "#include \"near.h\"\n#include \"" + QByteArray(name) + "\"\n" + text);
        const CliAnswer answer = callCli(verifyingTwice(kernel));
        QCOMPARE(answer.exitCode, 1);
        QVERIFY2(!(answer.output + answer.messages).contains(secretWord), answer.output.constData());
    }
    const CliAnswer fine = callCli(
        verifyingTwice(writtenTo(folder, "home/kernel.cu", "#include \"near.h\"\n#if !NEAR\n#error\n#endif\n" + text)));
    QVERIFY2(fine.exitCode == 0, fine.output.constData());
}

KERNELARIUM_TEST(TestLeftovers);
