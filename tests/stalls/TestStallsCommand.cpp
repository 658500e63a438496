// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/TestRegistry.h"
#include "tests/cli/CliProcess.h"
#include "tests/stalls/SourceTable.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

using nlohmann::json;

namespace {

bool put(const QString& path, const QByteArray& text, bool runs = false) {
    QDir().mkpath(QFileInfo(path).path());
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly)) return false;
    file.write(text);
    file.close();
    return !runs || file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
}

/// Stands in for ncu: logs a text, and keeps the words that it was called with.
bool putNcu(const QTemporaryDir& folder, const QByteArray& log) {
    const QByteArray here = folder.path().toUtf8();
    return put(folder.filePath(QStringLiteral("log")), log) &&
           put(folder.filePath(QStringLiteral("bin/ncu")),
               "#!/bin/sh\nfor word in \"$@\"; do echo \"$word\" >> '" + here +
                   "/words'; done\nwhile [ $# -gt 0 ]; do [ \"$1\" = --log-file ] && cp '" + here +
                   "/log' \"$2\"; shift; done\n",
               true);
}

/// CUDA_HOME's ncu comes before any that is installed.
class Home {
public:
    explicit Home(const QTemporaryDir& folder) { qputenv("CUDA_HOME", folder.path().toUtf8()); }
    ~Home() { qunsetenv("CUDA_HOME"); }
};

QStringList stalls(const QStringList& more = {}) {
    return QStringList{"stalls", fixture("add.cu"), "--arg", "float32[1000]", "--arg", "float32[1000]"} + more;
}

} // namespace

class TestStallsCommand : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void linesAndReasons() {
        const QTemporaryDir folder;
        QVERIFY(putNcu(folder, sourceTable));
        const Home home(folder);
        const CliAnswer people = callCli(stalls({"--fast-math"}));
        QVERIFY2(people.exitCode == 0, people.messages.constData());
        QVERIFY2(people.output.contains("long_sb 90%") && people.output.contains("c[i] = a[i] + b[i]") &&
                     people.output.contains("waits for the other warps of the block, at a barrier"),
                 people.output.constData());
        QFile words(folder.filePath(QStringLiteral("words")));
        QVERIFY(words.open(QIODevice::ReadOnly));
        const QByteArray said = words.readAll();
        for (const char* wanted : {"--page\nsource\n", "--print-source\ncuda,sass\n", "--section\nSourceCounters\n",
                                   "--fast-math\n", "--arg\nfloat32[1000]\n", "--backend\ncuda\n"})
            QVERIFY2(said.contains(wanted), said.constData());
        const json j = callCli(stalls({"--json"})).json();
        QCOMPARE(j.at("functions").size(), std::size_t(2));
        QCOMPARE(j.at("lines").size(), std::size_t(3));
        QCOMPARE(j.at("lines").at(1).at("reasons").at("barrier").get<double>(), 42.0);
    }

    void refusalsAreNamed() {
        const QTemporaryDir folder;
        QVERIFY(putNcu(folder, "==ERROR== ERR_NVGPUCTRPERM - The user does not have permission\n"));
        const Home home(folder);
        QCOMPARE(callCli(stalls({"--json"})).json().at("error").at("code"), json("no_permission"));
        QVERIFY(putNcu(folder, "nothing of use\n"));
        QCOMPARE(callCli(stalls({"--json"})).json().at("error").at("code"), json("bad_profile"));
        QCOMPARE(callCli({"stalls", "--json"}).exitCode, 2);
        QCOMPARE(callCli({"stalls", fixture("add.cu"), "--json"}).exitCode, 2); // not how it is called
        QCOMPARE(callCli({"stalls", fixture("add_syntax_error.cu"), "--arg", "float32[4]", "--json"}).exitCode, 2);
    }
};

KERNELARIUM_TEST(TestStallsCommand);

#include "TestStallsCommand.moc"
