// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui_window/TestOneWindow.h"

#include "core/session/SessionStore.h"
#include "tests/TestRegistry.h"
#include "tests/Waiting.h"
#include "tests/ui_window/Room.h"
#include "ui/sessions/SessionClaim.h"

#include <QApplication>
#include <QDataStream>
#include <QDir>
#include <QLocalSocket>
#include <QProcess>
#include <QTest>
#include <random>
#include <sys/resource.h>

namespace kernelarium::ui {

namespace {

using std::chrono::milliseconds;

/// The program itself, off screen, with a home of its own.
class Started {
public:
    Started(const QTemporaryDir& home, const QStringList& arguments) {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen"));
        for (const char* folder : {"XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"})
            environment.insert(QLatin1String(folder), home.path());
        m_process.setProcessEnvironment(environment);
        m_process.setWorkingDirectory(home.path());
        m_process.start(QApplication::applicationDirPath() + QStringLiteral("/kernelarium"),
                        QStringList{QStringLiteral("--session-file"), home.filePath(QStringLiteral("s.sqlite"))} +
                            arguments);
    }
    ~Started() { kill(); }
    Started(const Started&) = delete;
    Started& operator=(const Started&) = delete;

    void kill() {
        m_process.kill();
        m_process.waitForFinished(longWait);
    }
    /// Its exit code; -1 where it goes on or was killed. Events go on meanwhile: it may want something of us.
    int end() {
        const bool ended = QTest::qWaitFor([this] { return hasEnded(); }, longWait);
        return ended && m_process.exitStatus() == QProcess::NormalExit ? m_process.exitCode() : -1;
    }
    [[nodiscard]] bool hasEnded() const { return m_process.state() == QProcess::NotRunning; }
    [[nodiscard]] qint64 pid() const { return m_process.processId(); }
    QString errors() { return QString::fromUtf8(m_process.readAllStandardError()); }

private:
    QProcess m_process;
};

QString sessionIn(const QTemporaryDir& folder) {
    return folder.filePath(QStringLiteral("s.sqlite"));
}

/// Whether somebody else has the file, and answers.
bool isHandedOver(const QTemporaryDir& folder, const SessionClaim::Wish& wish = {}) {
    SessionClaim claim(sessionIn(folder));
    const Result<bool> first = claim.take(wish, milliseconds(longWait));
    return first && !*first;
}

/// Until the program has locked the file; asking for it before would take it away.
bool isLockedSoon(const QTemporaryDir& folder) {
    return QTest::qWaitFor([&] { return QFileInfo(sessionIn(folder) + QStringLiteral(".lock")).size() > 0; }, longWait);
}

struct Wishes {
    explicit Wishes(const SessionClaim& claim) {
        QObject::connect(&claim, &SessionClaim::wished,
                         [this](const SessionClaim::Wish& wish) { all.push_back(wish); });
    }
    std::vector<SessionClaim::Wish> all;
};

QByteArray lastBench(const QTemporaryDir& folder) {
    auto store = session::SessionStore::open(sessionIn(folder).toStdString());
    if (!store) return {};
    auto value = store->value("bench");
    return value && *value ? QByteArray::fromStdString(**value) : QByteArray();
}

} // namespace

void TestOneWindow::theSecondHandsOver() {
    const QTemporaryDir folder;
    SessionClaim claim(sessionIn(folder));
    Wishes wishes(claim);
    const Result<bool> first = claim.take({}, milliseconds(0));
    QVERIFY(first && *first && claim.isLocked());
    Started second(folder, {QStringLiteral("--archive"), QStringLiteral("a.sqlite"), QStringLiteral("b.cu"),
                            QStringLiteral("/c/d.cu")});
    QCOMPARE(second.end(), 0);
    QCOMPARE(int(wishes.all.size()), 1);
    const QString here = QDir(folder.path()).canonicalPath() + QLatin1Char('/');
    QCOMPARE(wishes.all[0].archive, here + QStringLiteral("a.sqlite"));
    QCOMPARE(wishes.all[0].files, (QStringList{here + QStringLiteral("b.cu"), QStringLiteral("/c/d.cu")}));
    // It has not touched the file.
    QVERIFY(!QFileInfo::exists(sessionIn(folder)));
    // A tour cannot be handed over.
    Started tour(folder, {QStringLiteral("--tour"), folder.path()});
    QCOMPARE(tour.end(), 1);
    QVERIFY(tour.errors().contains(QStringLiteral("--session-file")));
}

void TestOneWindow::theFirstOpensWhatItIsGiven() {
    const QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("mine.cu"));
    QFile source(file);
    QVERIFY(source.open(QIODevice::WriteOnly) && source.write(addSource()) > 0);
    source.close();
    Started first(folder, {});
    QVERIFY(isLockedSoon(folder));
    Started second(folder, {QStringLiteral("mine.cu")});
    QCOMPARE(second.end(), 0);
    WAIT_VERIFY(lastBench(folder).contains("mine.cu"));
    QVERIFY(!first.hasEnded());
}

void TestOneWindow::manyAtOnce() {
    const QTemporaryDir folder;
    std::vector<std::unique_ptr<Started>> all;
    for (int i = 0; i < 5; ++i)
        all.push_back(std::make_unique<Started>(folder, QStringList{}));
    const auto ended = [&] {
        return std::count_if(all.begin(), all.end(), [](const auto& started) { return started->hasEnded(); });
    };
    WAIT_COMPARE(ended(), 4);
    QVERIFY(isHandedOver(folder));
    QCOMPARE(ended(), 4);
    for (const auto& started : all)
        if (started->hasEnded()) QCOMPARE(started->end(), 0);
}

void TestOneWindow::anotherNameOfTheFile() {
    const QTemporaryDir folder;
    SessionClaim claim(sessionIn(folder));
    Wishes wishes(claim);
    QVERIFY(claim.take({}, milliseconds(0)).value());
    const QString other = folder.filePath(QStringLiteral("link"));
    QVERIFY(QFile::link(folder.path(), other));
    SessionClaim same(other + QStringLiteral("/s.sqlite"));
    const Result<bool> mine = same.take({}, milliseconds(0));
    QVERIFY(!mine);
    SessionClaim another(folder.filePath(QStringLiteral("t.sqlite")));
    QVERIFY(another.take({}, milliseconds(0)).value());
}

void TestOneWindow::oneThatDoesNotAnswer() {
    const QTemporaryDir folder;
    Started first(folder, {});
    QVERIFY(isLockedSoon(folder));
    QVERIFY(isHandedOver(folder));
    {
        const Frozen frozen(first.pid());
        SessionClaim second(sessionIn(folder));
        const Result<bool> taken = second.take({}, milliseconds(300));
        QVERIFY(!taken);
        QCOMPARE(taken.error().code, std::string("already_open"));
        const QString said = QString::fromStdString(taken.error().text());
        QVERIFY2(said.contains(QString::number(first.pid())) && said.contains(sessionIn(folder)), qPrintable(said));
        QVERIFY(!second.isLocked());
    }
    QVERIFY(isHandedOver(folder));
}

void TestOneWindow::theKilledAreForgotten() {
    const QTemporaryDir folder;
    std::mt19937 draw(25); // NOLINT(cert-msc51-cpp): the same moments in each run
    auto first = std::make_unique<Started>(folder, QStringList{});
    QVERIFY(isLockedSoon(folder));
    for (int i = 0; i < 5; ++i) {
        Started second(folder, {});
        QTest::qWait(int(draw() % 300));
        second.kill();
        QVERIFY(isHandedOver(folder));
    }
    first->kill();
    SessionClaim next(sessionIn(folder));
    Wishes wishes(next);
    QVERIFY(next.take({}, milliseconds(0)).value());
    Started second(folder, {QStringLiteral("x.cu")});
    QCOMPARE(second.end(), 0);
    QCOMPARE(int(wishes.all.size()), 1);
}

void TestOneWindow::strangeVisitors() {
    const QTemporaryDir folder;
    SessionClaim claim(sessionIn(folder));
    Wishes wishes(claim);
    QVERIFY(claim.take({}, milliseconds(0)).value());
    for (const QByteArray& text :
         {QByteArray(), QByteArray("x"), QByteArray("\xff\xff\xff\xff", 4), QByteArray("\x7f\xff\xff\xff and more", 13),
          QByteArray("\0\0\0\4none", 8), QByteArray("\0\0\0\x10\x4b\x4e\x4c\x01\xff\xff\xff\x00........", 20),
          QByteArray(1 << 22, 'A')}) {
        QLocalSocket visitor;
        visitor.connectToServer(claim.address());
        QVERIFY(visitor.waitForConnected(longWait));
        visitor.write(text);
        QTest::qWait(20);
    }
    QVERIFY(wishes.all.empty());
    Started second(folder, {});
    QCOMPARE(second.end(), 0);
    QCOMPARE(int(wishes.all.size()), 1);
}

/// A short message that says it has four thousand million paths: room for them is not made.
void TestOneWindow::aVisitorWithManyPaths() {
    const QTemporaryDir folder;
    SessionClaim claim(sessionIn(folder));
    Wishes wishes(claim);
    QVERIFY(claim.take({}, milliseconds(0)).value());
    QByteArray message;
    QDataStream stream(&message, QIODevice::WriteOnly);
    stream.setVersion(QDataStream::Qt_6_0);
    stream << quint32(0x4b4e4c01) << QString() << quint32(0xfffffff0);
    for (int i = 0; i < 5; ++i)
        stream << QStringLiteral("/a/kernel.cu");
    rlimit before{}, least{};
    QCOMPARE(getrlimit(RLIMIT_AS, &before), 0);
    least = before;
    least.rlim_cur = std::min<rlim_t>(before.rlim_max, rlim_t(64) << 30);
    QCOMPARE(setrlimit(RLIMIT_AS, &least), 0);
    QLocalSocket visitor;
    visitor.connectToServer(claim.address());
    QVERIFY(visitor.waitForConnected(longWait));
    QDataStream sent(&visitor);
    sent << message;
    const bool left = QTest::qWaitFor([&] { return visitor.state() == QLocalSocket::UnconnectedState; }, longWait);
    QCOMPARE(setrlimit(RLIMIT_AS, &before), 0);
    QVERIFY(left); // sent away
    QVERIFY(wishes.all.empty());
    // Names of any kind come whole.
    const QStringList files{QStringLiteral("/a/b c.cu"), QStringLiteral("/a/two\nlines ü.cu"),
                            QStringLiteral("/a/%1&<b>.cu")};
    Started second(folder, files);
    QCOMPARE(second.end(), 0);
    QCOMPARE(wishes.all.size(), std::size_t(1));
    QCOMPARE(wishes.all[0].files, files);
}

void TestOneWindow::aFolderThatCannotBeWritten() {
    SessionClaim claim(QStringLiteral("/proc/1/nowhere/s.sqlite"));
    const Result<bool> first = claim.take({}, milliseconds(0));
    QVERIFY(first && *first && !claim.isLocked());
}

} // namespace kernelarium::ui

KERNELARIUM_TEST(kernelarium::ui::TestOneWindow);
