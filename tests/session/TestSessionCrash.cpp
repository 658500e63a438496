// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/TestRegistry.h"
#include "tests/Waiting.h"
#include "tests/session/SessionFixture.h"

#include <QProcess>
#include <cstdio>

namespace kernelarium::session {

namespace {

/// Writes attempts until it is killed, printing each acknowledged number. The other half of TestSessionCrash.
int writeForever(int argc, char** argv) {
    auto store = SessionStore::open(argc > 1 ? argv[1] : "");
    if (!store) return 1;
    Attempt attempt;
    attempt.session = store->createSession("child").value().id;
    attempt.kernelKey = "k";
    for (int i = 0;; ++i) {
        attempt.source = "source " + std::to_string(i) + std::string(5000, 'x');
        attempt.timings = {timing(Timing::Origin::measured, i)};
        const auto id = store->addAttempt(attempt);
        const auto draft = store->saveDraft({"k", attempt.source, 0, i});
        if (!id || !draft) return 1;
        std::printf("%lld %d\n", static_cast<long long>(*id), i);
        std::fflush(stdout);
    }
}

KERNELARIUM_TEST_PROGRAM("--write-forever", writeForever);

class TestSessionCrash : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// The same file through several deaths: whatever a child had acknowledged is there, whole.
    void acknowledgedWritesSurviveAKill() {
        QTemporaryDir folder;
        const QString path = folder.filePath("sessions.sqlite");
        QMap<qint64, int> acknowledged;
        for (const int lines : {1, 7, 30, 60}) {
            QProcess child;
            child.start(QCoreApplication::applicationFilePath(), {"--write-forever", path});
            QVERIFY(child.waitForStarted(longWait));
            QByteArray said;
            while (said.count('\n') < lines) {
                QVERIFY2(child.waitForReadyRead(longWait), child.readAllStandardError().constData());
                said += child.readAllStandardOutput();
            }
            child.kill();
            child.waitForFinished(longWait);
            QCOMPARE(child.exitStatus(), QProcess::CrashExit);
            said += child.readAllStandardOutput();
            for (const QByteArray& line : said.left(said.lastIndexOf('\n')).split('\n')) {
                const auto fields = line.split(' ');
                acknowledged[fields[0].toLongLong()] = fields[1].toInt();
            }
            auto store = SessionStore::open(path.toStdString());
            VERIFY_OK(store);
            for (auto it = acknowledged.cbegin(); it != acknowledged.cend(); ++it) {
                const auto attempt = store->attempt(it.key());
                VERIFY_OK(attempt);
                QCOMPARE(attempt->source, "source " + std::to_string(it.value()) + std::string(5000, 'x'));
                QCOMPARE(attempt->timings.size(), std::size_t{1});
            }
            const auto draft = store->draft("k").value();
            QVERIFY(draft.has_value());
            QVERIFY(draft->cursorLine >= acknowledged.last());
        }
        QVERIFY(acknowledged.size() >= 98);
    }
};

} // namespace

KERNELARIUM_TEST(TestSessionCrash);

} // namespace kernelarium::session

#include "TestSessionCrash.moc"
