// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/TestRegistry.h"
#include "ui/theme/Theme.h"
#include "ui/widgets/WrappedLabel.h"

#include <QTest>

namespace kernelarium::ui {

/// What it remembers of its heights is what a plain label would say.
class TestWrappedLabel : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void asHighAsLabels_data() {
        QTest::addColumn<bool>("dark");
        QTest::newRow("light") << false;
        QTest::newRow("dark") << true;
    }
    void asHighAsLabels();

private:
    Theme m_theme;
};

void TestWrappedLabel::asHighAsLabels() {
    QFETCH(bool, dark);
    m_theme.setChoice(dark ? Theme::Choice::dark : Theme::Choice::light);
    QLabel label;
    WrappedLabel wrapped;
    label.setWordWrap(true);
    const auto both = [&](const auto& change) {
        change(label);
        change(wrapped);
    };
    const auto compare = [&] {
        for (int round = 0; round < 2; ++round) // measured, and remembered
            for (int width = 40; width <= 400; width += 40)
                QCOMPARE(wrapped.heightForWidth(width), label.heightForWidth(width));
    };
    const QString words = QStringLiteral("What a page says of a kernel, in a sentence that takes several lines. ");
    both([&](QLabel& l) { l.setText(words); });
    compare();
    both([&](QLabel& l) { l.setText(words.repeated(3)); });
    compare();
    both([&](QLabel& l) { l.setTextInteractionFlags(Qt::TextSelectableByMouse); });
    compare();
    both([&](QLabel& l) {
        QFont font = l.font();
        font.setPointSizeF(2 * font.pointSizeF());
        l.setFont(font);
    });
    compare();
    both([](QLabel& l) { l.setContentsMargins(20, 5, 20, 5); });
    compare();
    both([](QLabel& l) { l.setMargin(9); });
    compare();
    both([](QLabel& l) { l.setText(QStringLiteral("<b>Rich</b><br>words<br>on<br>lines")); });
    compare();
    both([](QLabel& l) { l.setTextFormat(Qt::PlainText); });
    compare();
    both([](QLabel& l) { l.setWordWrap(false); });
    compare();
}

} // namespace kernelarium::ui

KERNELARIUM_TEST(kernelarium::ui::TestWrappedLabel);
#include "TestWrappedLabel.moc"
