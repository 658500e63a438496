// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui_toolkit/TestKeptPage.h"

#include "tests/TestRegistry.h"
#include "tests/Waiting.h"
#include "ui/dialogs/KeptPage.h"

#include <QPushButton>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QTest>

namespace kernelarium::ui {

namespace {

struct Shown {
    QTemporaryDir folder;
    std::filesystem::path path = std::filesystem::path(folder.path().toStdString()) / "compiled";
    files::BoundedCache cache{path};
    KeptDesk desk{path};
    std::unique_ptr<KeptPage> page;

    void open() {
        page = std::make_unique<KeptPage>(desk);
        page->show();
    }
};

} // namespace

void TestKeptPage::showsAndClears() {
    Shown shown;
    shown.cache.keep("one", "a text");
    shown.open();
    WAIT_VERIFY(shown.page->finding().startsWith(QStringLiteral("1 compiled kernel is kept in ")));
    QCOMPARE(shown.page->limit().value(), 256);
    QVERIFY(shown.page->clear().isEnabled());
    shown.page->clear().setFocus();
    QTest::keyClick(&shown.page->clear(), Qt::Key_Space);
    WAIT_VERIFY(shown.page->finding().startsWith(QStringLiteral("0 compiled kernels are kept in ")));
    QVERIFY(!shown.page->clear().isEnabled());
    QVERIFY(!shown.cache.find("one"));
}

void TestKeptPage::settlesTheRoom() {
    Shown shown;
    shown.cache.keep("one", std::string(3'000'000, 'x'));
    shown.open();
    WAIT_VERIFY(shown.page->limit().isEnabled());
    QSpinBox& limit = shown.page->limit();
    limit.setFocus();
    limit.selectAll();
    QTest::keyClicks(&limit, QStringLiteral("12"));
    QCOMPARE(shown.cache.limit(), files::BoundedCache::standardLimit); // not before the number is whole
    QTest::keyClick(&limit, Qt::Key_Return);
    WAIT_VERIFY(shown.cache.limit() == 12 * files::BoundedCache::megabyte);
    QVERIFY(shown.cache.find("one"));
    limit.selectAll();
    QTest::keyClicks(&limit, QStringLiteral("0"));
    QTest::keyClick(&limit, Qt::Key_Return);
    WAIT_VERIFY(shown.page->finding() == QStringLiteral("Compiled kernels are not kept."));
    QVERIFY(!shown.cache.find("one"));
    QCOMPARE(limit.text(), QStringLiteral("none are kept"));
}

void TestKeptPage::saysWhatCannotBeChanged() {
    Shown shown;
    QVERIFY(QFile(QString::fromStdString(shown.path.string())).open(QIODevice::WriteOnly)); // a file stands there
    shown.open();
    WAIT_VERIFY(shown.page->limit().isEnabled());
    shown.page->limit().setValue(64);
    WAIT_VERIFY(shown.desk.state().stage == Stage::failed);
    QVERIFY2(shown.page->finding().contains(QStringLiteral("is not used")), qPrintable(shown.page->finding()));
    QCOMPARE(shown.page->limit().value(), 256); // as it is
}

} // namespace kernelarium::ui

KERNELARIUM_TEST(kernelarium::ui::TestKeptPage);
