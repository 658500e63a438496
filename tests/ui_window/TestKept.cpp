// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui_window/TestKept.h"

#include "core/session/SessionStore.h"
#include "tests/TestRegistry.h"
#include "tests/Waiting.h"
#include "tests/ui_window/Room.h"
#include "ui/editor/CodeEditor.h"
#include "ui/source/EditorArea.h"

#include <QApplication>
#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTest>

namespace kernelarium::ui {

namespace {

/// The typist's process, line by line.
class Typist {
public:
    explicit Typist(const QString& folder) {
        m_process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        m_process.start(QApplication::applicationFilePath(), {QStringLiteral("typist"), folder});
    }
    ~Typist() { end(); }
    /// The next line that begins with "kept " or "end "; empty when there is none any more.
    QByteArray next() {
        for (;;) {
            while (!m_process.canReadLine())
                if (!m_process.waitForReadyRead(longWait)) return {};
            const QByteArray line = m_process.readLine().trimmed();
            if (line.startsWith("kept ") || line.startsWith("end ")) return line;
        }
    }
    void goOn() {
        m_process.write("\n");
        m_process.waitForBytesWritten(longWait);
    }
    int end() {
        m_process.waitForFinished(longWait);
        return m_process.exitStatus() == QProcess::NormalExit ? m_process.exitCode() : -1;
    }
    void kill() {
        m_process.kill(); // SIGKILL
        m_process.waitForFinished(longWait);
    }
    [[nodiscard]] qint64 pid() const { return m_process.processId(); }

private:
    QProcess m_process;
};

QString draftIn(const QString& sessionFile, const QByteArray& key) {
    auto store = session::SessionStore::open(sessionFile.toStdString());
    if (!store) return QStringLiteral("no session: ") + QString::fromStdString(store.error().text());
    auto draft = store->draft(key.toStdString());
    if (!draft) return QStringLiteral("no drafts: ") + QString::fromStdString(draft.error().text());
    return *draft ? QString::fromStdString((*draft)->text) : QStringLiteral("no draft");
}

/// What the frozen process has on the disk, in a folder of its own.
QString copied(const QString& folder, const QString& name) {
    const QString copy = folder + QLatin1Char('/') + name;
    QDir().mkpath(copy);
    for (const char* file : {"sessions.sqlite", "sessions.sqlite-wal"})
        QFile::copy(folder + QLatin1Char('/') + QLatin1String(file), copy + QLatin1Char('/') + QLatin1String(file));
    return copy + QStringLiteral("/sessions.sqlite");
}

} // namespace

void TestKept::keepsTypedTextAtEveryStage() {
    const QTemporaryDir folder;
    Typist typist(folder.path());
    int stages = 0;
    for (QByteArray line = typist.next(); !line.startsWith("end "); line = typist.next()) {
        const QList<QByteArray> words = line.split(' ');
        QVERIFY2(words.size() == 4, "the typist died");
        const QString text = QString::fromUtf8(QByteArray::fromBase64(words[3]));
        QVERIFY(text.startsWith(QStringLiteral("//k%1\n").arg(++stages)));
        QString file;
        {
            const Frozen frozen(typist.pid());
            file = copied(folder.path(), QString::fromUtf8(words[1]));
        }
        typist.goOn();
        QVERIFY2(draftIn(file, QByteArray::fromBase64(words[2])) == text, words[1].constData());
    }
    QVERIFY(stages >= 12);
    QCOMPARE(typist.end(), 0); // its warnings, too
}

void TestKept::keepsTypedTextThroughAKill() {
    const QTemporaryDir folder;
    QByteArray line;
    {
        Typist typist(folder.path());
        line = typist.next(); // "open"
        typist.goOn();
        line = typist.next(); // "edit"
        QTest::qWait(20);
        typist.kill();
    }
    const QList<QByteArray> words = line.split(' ');
    QCOMPARE(words.size(), 4);
    const QString text = QString::fromUtf8(QByteArray::fromBase64(words[3]));
    Room room(Theme::Choice::dark);
    room.paths.sessionFile = folder.filePath(QStringLiteral("sessions.sqlite"));
    QVERIFY(room.start());
    // The kernel comes back by itself, with its text.
    WAIT_COMPARE(room.workspace->bench().kernel().key, QString::fromUtf8(QByteArray::fromBase64(words[2])));
    QCOMPARE(room.window->editorArea().editor().text(), text);
    QVERIFY(room.workspace->bench().isEdited());
    QVERIFY(!room.notice().isEmpty());
    QVERIFY(room.waitUntilCompiled());
}

} // namespace kernelarium::ui

KERNELARIUM_TEST_PART(kernelarium::ui::TestKept, "kept");
