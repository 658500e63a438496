// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/packaging/TestInstall.h"

#include "tests/TestRegistry.h"
#include "tests/Waiting.h"
#include "tests/packaging/Programs.h"

#include <QDir>
#include <QDirIterator>
#include <QFileInfo>
#include <QProcess>
#include <QStandardPaths>
#include <QtTest>

namespace {

/// The window off screen, with a home of its own, until it has been looked at.
class OpenWindow {
public:
    OpenWindow(const QString& program, const QString& home, const QStringList& arguments) {
        QDir().mkpath(home);
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("HOME"), home);
        environment.remove(QStringLiteral("XDG_DATA_HOME"));
        environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen"));
        m_process.setProcessEnvironment(environment);
        m_process.start(program, arguments);
    }
    ~OpenWindow() {
        m_process.terminate();
        if (!m_process.waitForFinished(longWait)) m_process.kill();
        m_process.waitForFinished(longWait);
    }
    [[nodiscard]] bool holds(const QString& file) const {
        const QDir open(QStringLiteral("/proc/%1/fd").arg(m_process.processId()));
        for (const QFileInfo& entry : open.entryInfoList(QDir::Files | QDir::System | QDir::NoDotAndDotDot))
            if (entry.symLinkTarget() == QFileInfo(file).canonicalFilePath()) return true;
        return false;
    }
    /// What it has said so far.
    [[nodiscard]] QString messages() {
        m_process.waitForReadyRead(0);
        return QString::fromUtf8(m_process.readAllStandardError());
    }
    [[nodiscard]] bool runs() const { return m_process.state() != QProcess::NotRunning; }

private:
    QProcess m_process;
};

} // namespace

void TestInstall::initTestCase() {
    const QString cmake = QStandardPaths::findExecutable(QStringLiteral("cmake"));
    if (cmake.isEmpty()) QSKIP("there is no cmake");
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("DESTDIR"), m_folder.filePath(QStringLiteral("stage")));
    const Ran ran =
        runProgram(cmake, {"--install", QStringLiteral(KERNELARIUM_BUILD_DIR), "--prefix", "/usr"}, environment);
    QVERIFY2(ran.status == 0, qPrintable(ran.messages));
    m_usr = m_folder.filePath(QStringLiteral("stage/usr"));
}

void TestInstall::everyFileIsInItsPlace() {
    const QString id = QStringLiteral(KERNELARIUM_DESKTOP_ID);
    QStringList wanted{"share/kernelarium/starter.sqlite",      "share/kernelarium/starter.jsonl",
                       "share/applications/" + id + ".desktop", "share/metainfo/" + id + ".metainfo.xml",
                       "share/mime/packages/" + id + ".xml",    "share/icons/hicolor/scalable/apps/kernelarium.svg",
                       "share/man/man7/kernelarium-guide.7"};
    for (const char* program : {"kernelarium", "kernelarium-cli"}) {
        const QString name = QLatin1String(program);
        wanted << "bin/" + name << "share/man/man1/" + name + ".1"
               << "share/bash-completion/completions/" + name << "share/zsh/site-functions/_" + name
               << "share/fish/vendor_completions.d/" + name + ".fish";
    }
    for (const int pixels : {16, 22, 24, 32, 48, 64, 128, 256, 512})
        wanted << QStringLiteral("share/icons/hicolor/%1x%1/apps/kernelarium.png").arg(pixels);
    QStringList found;
    QDirIterator files(m_folder.filePath(QStringLiteral("stage")), QDir::Files | QDir::Hidden,
                       QDirIterator::Subdirectories);
    while (files.hasNext())
        found << QDir(m_usr).relativeFilePath(files.next());
    wanted.sort(), found.sort();
    QCOMPARE(found, wanted); // and nothing else
    for (const QString& name : found) {
        const QFileInfo file(m_usr + "/" + name);
        QVERIFY2(file.size() > 0, qPrintable(name));
        QCOMPARE(file.permission(QFile::ExeOther), name.startsWith(QStringLiteral("bin/")));
        QVERIFY2(file.permission(QFile::ReadOther), qPrintable(name));
    }
}

void TestInstall::theProgramsNameNoFolderOfTheBuild() {
    for (const char* name : {"kernelarium", "kernelarium-cli"}) {
        QFile built(builtProgram(QLatin1String(name))), installed(m_usr + "/bin/" + QLatin1String(name));
        QVERIFY(built.open(QIODevice::ReadOnly) && installed.open(QIODevice::ReadOnly));
        const QByteArray path("$ORIGIN/../lib"); // of the bundle
        QVERIFY(built.readAll().contains(path));
        QVERIFY(!installed.readAll().contains(path));
    }
}

void TestInstall::theCommandLineWorks() {
    const QString cli = m_usr + "/bin/kernelarium-cli";
    QCOMPARE(runProgram(cli, {"--version"}).output, QStringLiteral("kernelarium-cli " KERNELARIUM_VERSION "\n"));
    const Ran list = runProgram(cli, {"archive", "list", "--db", m_usr + "/share/kernelarium/starter.sqlite"});
    QCOMPARE(list.status, 0);
    QVERIFY(list.output.contains(QStringLiteral("L1/T23/online")));
}

void TestInstall::theWindowFindsTheStarterArchive() {
    OpenWindow window(m_usr + "/bin/kernelarium", m_folder.filePath(QStringLiteral("home")), {});
    WAIT_VERIFY(!window.runs() || window.holds(m_usr + "/share/kernelarium/starter.sqlite"));
    QVERIFY(window.runs());
    const QString said = window.messages();
    QVERIFY2(!said.contains(QStringLiteral("svg")), qPrintable(said)); // the icon is in the program
}

void TestInstall::aSessionFileIsTheOneToKeepSessionsIn() {
    const QString starter = m_usr + "/share/kernelarium/starter.sqlite",
                  home = m_folder.filePath(QStringLiteral("two")),
                  session = m_folder.filePath(QStringLiteral("of a friend.sqlite"));
    QCOMPARE(runProgram(m_usr + "/bin/kernelarium-cli",
                        {"archive", "search", "--db", starter, "softmax", "--save", "x", "--session-file", session})
                 .status,
             0);
    OpenWindow window(m_usr + "/bin/kernelarium", home, {session});
    WAIT_VERIFY(!window.runs() || window.holds(session));
    QVERIFY(window.runs());
    WAIT_VERIFY(!window.runs() || window.holds(starter)); // and no other archive took its place
    QVERIFY(window.runs());
    QVERIFY(!QFile::exists(home + "/.local/share/kernelarium/sessions.sqlite"));
}

KERNELARIUM_TEST(TestInstall);
