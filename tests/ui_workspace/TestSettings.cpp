// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui_workspace/TestSettings.h"

#include "tests/TestRegistry.h"
#include "tests/Waiting.h"
#include "ui/workspace/Settings.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <memory>

namespace kernelarium::ui {

namespace {

/// A session file and the settings in it; again() is another start of the program.
struct Remembering {
    Remembering() { again(); }
    void again() {
        settings.reset();
        session = std::make_unique<SessionDesk>();
        settings = std::make_unique<Settings>(*session);
        session->wantValues(Settings::keys());
        session->open(folder.filePath(QStringLiteral("sessions.sqlite")));
    }
    [[nodiscard]] bool isReady() const {
        return QTest::qWaitFor([this] { return session->isReady(); }, longWait);
    }
    QTemporaryDir folder;
    std::unique_ptr<SessionDesk> session;
    std::unique_ptr<Settings> settings;
};

} // namespace

void TestSettings::hasItsDefaults() {
    Remembering file;
    for (int start = 0; start < 2; ++start) { // before the file is read, and of an empty one
        QVERIFY(file.settings->get(setting::target) == Target());
        QVERIFY(file.settings->get(setting::hosts).isEmpty());
        QVERIFY(file.settings->get(setting::python).isEmpty());
        QVERIFY(file.settings->get(setting::archivedTidy));
        QVERIFY(file.settings->get(setting::liveTidy));
        QVERIFY(file.settings->get(setting::bench).archive.isEmpty());
        QVERIFY(file.settings->get(setting::window).isEmpty());
        QVERIFY(!file.settings->isSet(setting::window));
        QVERIFY(file.isReady());
    }
}

void TestSettings::remembersEveryKind() {
    Remembering file;
    QVERIFY(file.isReady());
    Target target;
    target.host = QStringLiteral("ada@gpu1");
    target.fastMath = true;
    file.settings->set(setting::target, target);
    file.settings->set(setting::hosts, QStringList{QStringLiteral("ada@gpu1"), QStringLiteral("bob@gpu2:22")});
    file.settings->set(setting::python, QStringLiteral("/opt/python"));
    file.settings->set(setting::archivedTidy, false);
    file.settings->set(setting::liveTidy, false);
    file.settings->set(setting::bench, LastBench{QStringLiteral("/a.sqlite"), QStringLiteral("file:/b.cu")});
    file.settings->set(setting::window, QJsonObject{{QStringLiteral("theme"), QStringLiteral("dark")}});
    file.settings->set(setting::lessons, QByteArray("{\"a\":1}"));
    file.settings->set(setting::interruptedImport, QByteArray("{}"));
    file.again();
    QVERIFY(file.isReady());
    QVERIFY(file.settings->get(setting::target) == target);
    QCOMPARE(file.settings->get(setting::hosts).size(), 2);
    QCOMPARE(file.settings->get(setting::python), QStringLiteral("/opt/python"));
    QVERIFY(!file.settings->get(setting::archivedTidy));
    QVERIFY(!file.settings->get(setting::liveTidy));
    QCOMPARE(file.settings->get(setting::bench).archive, QStringLiteral("/a.sqlite"));
    QCOMPARE(file.settings->get(setting::bench).kernel, QStringLiteral("file:/b.cu"));
    QCOMPARE(file.settings->get(setting::window)[QStringLiteral("theme")].toString(), QStringLiteral("dark"));
    QCOMPARE(file.settings->get(setting::lessons), QByteArray("{\"a\":1}"));
    QVERIFY(file.settings->isSet(setting::interruptedImport));
}

/// Keys and texts of earlier versions: who has a session file keeps their settings.
void TestSettings::readsWhatWasStoredBefore() {
    Remembering file;
    QVERIFY(file.isReady());
    file.session->setValue(QStringLiteral("target"), R"({"arch":"sm_80","seed":"9","time_mode":"hot"})");
    file.session->setValue(QStringLiteral("hosts"), "ada@gpu1\nbob@gpu2");
    file.session->setValue(QStringLiteral("python"), "/usr/bin/python3");
    file.session->setValue(QStringLiteral("archived_tidy"), "off");
    file.session->setValue(QStringLiteral("live_tidy"), "on");
    file.session->setValue(QStringLiteral("bench"), R"({"archive":"/a.sqlite","kernel":"new:1"})");
    file.session->setValue(QStringLiteral("lesson_progress"), "{}");
    file.session->setValue(QStringLiteral("import"), "{}");
    file.again();
    QVERIFY(file.isReady());
    QCOMPARE(file.settings->get(setting::target).arch, QStringLiteral("sm_80"));
    QCOMPARE(file.settings->get(setting::target).seed, quint64(9));
    QCOMPARE(file.settings->get(setting::target).timeMode, QStringLiteral("hot"));
    QCOMPARE(file.settings->get(setting::hosts), (QStringList{QStringLiteral("ada@gpu1"), QStringLiteral("bob@gpu2")}));
    QCOMPARE(file.settings->get(setting::python), QStringLiteral("/usr/bin/python3"));
    QVERIFY(!file.settings->get(setting::archivedTidy));
    QVERIFY(file.settings->get(setting::liveTidy));
    QCOMPARE(file.settings->get(setting::bench).kernel, QStringLiteral("new:1"));
    QVERIFY(file.settings->isSet(setting::lessons) && file.settings->isSet(setting::interruptedImport));
}

void TestSettings::saysWhatChanged() {
    Remembering file;
    QVERIFY(file.isReady());
    QSignalSpy changed(file.settings.get(), &Settings::changed);
    file.settings->set(setting::liveTidy, false);
    QCOMPARE(changed.size(), 1);
    QVERIFY(Settings::isOf(changed[0][0].toString(), setting::liveTidy));
    QVERIFY(!Settings::isOf(changed[0][0].toString(), setting::archivedTidy));
    file.settings->set(setting::liveTidy, false);
    QCOMPARE(changed.size(), 1); // it did not
}

} // namespace kernelarium::ui

KERNELARIUM_TEST(kernelarium::ui::TestSettings);
