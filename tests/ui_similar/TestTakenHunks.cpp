// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/TestRegistry.h"
#include "ui/workspace/TakenHunks.h"

#include <QtTest>

namespace kernelarium::ui {

/// Whose changes a text has.
class TestTakenHunks : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aChangeIsKnownByItsLines() {
        TakenHunks taken;
        taken.take(kernel, other, QStringLiteral("a;\nb;\n"), QStringLiteral("a;\nc;\nd;\n"));
        QCOMPARE(titles(taken, "a;\nc;\nd;\n"), QStringList{QStringLiteral("other")});
        QCOMPARE(titles(taken, "a;\n    c;  \nelse;\n"), QStringList{QStringLiteral("other")}); // adapted
        QCOMPARE(titles(taken, "a;\nb;\n"), QStringList());                                     // undone
        QVERIFY(taken.in(QStringLiteral("archive:another"), QStringLiteral("c;\n")).empty());
    }

    /// A line that was there before counts by how often it is there.
    void aSecondBarrierIsAChange() {
        TakenHunks taken;
        taken.take(kernel, other, QStringLiteral("sync;\nx;\n"), QStringLiteral("sync;\nx;\nsync;\n"));
        QCOMPARE(titles(taken, "sync;\nx;\nsync;\n").size(), 1);
        QCOMPARE(titles(taken, "sync;\nx;\n").size(), 0);
    }

    void linesTakenOutAreAChange() {
        TakenHunks taken;
        taken.take(kernel, other, QStringLiteral("a;\nslow;\n"), QStringLiteral("a;\n"));
        QCOMPARE(titles(taken, "a;\n").size(), 1);
        QCOMPARE(titles(taken, "a;\nslow;\n").size(), 0);
        taken.take(kernel, other, QStringLiteral("a;\n"), QStringLiteral("a;\n\n\n")); // nothing but space
        QCOMPARE(titles(taken, "a;\nslow;\n").size(), 0);
    }

    void eachParentIsNamedOnceAndForgottenWhenKept() {
        TakenHunks taken;
        const HunkSource attempt{QStringLiteral("file:/a.cu"), QStringLiteral("a.cu"), 7};
        taken.take(kernel, other, QStringLiteral("a;\n"), QStringLiteral("a;\nb;\n"));
        taken.take(kernel, other, QStringLiteral("a;\nb;\n"), QStringLiteral("a;\nb;\nc;\n"));
        taken.take(kernel, attempt, QStringLiteral("a;\nb;\nc;\n"), QStringLiteral("a;\nb;\nc;\nd;\n"));
        const auto all = taken.in(kernel, QStringLiteral("a;\nb;\nc;\nd;\n"));
        QCOMPARE(all.size(), std::size_t(2));
        QCOMPARE(all[1].attempt, 7);
        taken.kept(kernel, {all[0]});
        QCOMPARE(titles(taken, "a;\nb;\nc;\nd;\n"), QStringList{QStringLiteral("a.cu")});
        taken.rename(kernel, QStringLiteral("file:/b.cu"));
        QVERIFY(taken.in(kernel, QStringLiteral("d;\n")).empty());
        QCOMPARE(taken.in(QStringLiteral("file:/b.cu"), QStringLiteral("d;\n")).size(), std::size_t(1));
    }

    void theyOutliveTheProgram() {
        TakenHunks taken;
        taken.take(kernel, other, QStringLiteral("a;\nb;\n"), QStringLiteral("a;\n\"c\";\n"));
        const TakenHunks back = TakenHunks::fromJson(taken.toJson());
        QCOMPARE(titles(back, "a;\n\"c\";\n"), QStringList{QStringLiteral("other")});
        QCOMPARE(titles(back, "a;\nb;\n"), QStringList());
        for (const char* json : {"", "7", "[7, {}]", "[{\"kernel\":\"k\",\"added\":3}]"})
            QCOMPARE(TakenHunks::fromJson(json).toJson(), QByteArray("[]"));
    }

private:
    static QStringList titles(const TakenHunks& taken, const char* text) {
        QStringList titles;
        for (const auto& parent : taken.in(kernel, QString::fromUtf8(text)))
            titles << QString::fromStdString(parent.kernelTitle);
        return titles;
    }
    inline static const QString kernel = QStringLiteral("archive:L1/T1/naive@1");
    inline static const HunkSource other{QStringLiteral("archive:L1/T1/other@2"), QStringLiteral("other"), 0};
};

KERNELARIUM_TEST(TestTakenHunks);

} // namespace kernelarium::ui

#include "TestTakenHunks.moc"
