// SPDX-License-Identifier: GPL-3.0-or-later
// What the theme looks like on real widgets, by their pixels.
#include "tests/TestRegistry.h"
#include "tests/Waiting.h"
#include "ui/editor/CodeEditor.h"
#include "ui/frame/HelpPanel.h"
#include "ui/lessons/LessonTree.h"
#include "ui/theme/Style.h"
#include "ui/theme/Theme.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QPushButton>
#include <QRadioButton>
#include <QSpinBox>
#include <QStyleOptionSpinBox>
#include <QTableWidget>
#include <QTest>
#include <QTextBlock>
#include <QTextEdit>
#include <QTextLayout>
#include <QToolButton>
#include <QUrl>
#include <QVBoxLayout>
#include <map>
#include <set>

namespace kernelarium::ui {

namespace {

QImage pictureOf(QWidget& widget) {
    return widget.grab().toImage().convertToFormat(QImage::Format_RGB32);
}

QColor groundOf(const QImage& picture, const QRect& part) {
    std::map<QRgb, int> counts;
    const QRect all = part & picture.rect();
    for (int y = all.top(); y <= all.bottom(); ++y)
        for (int x = all.left(); x <= all.right(); ++x)
            ++counts[picture.pixel(x, y)];
    const auto most =
        std::max_element(counts.begin(), counts.end(), [](auto& a, auto& b) { return a.second < b.second; });
    return most == counts.end() ? QColor() : QColor(most->first);
}

/// How much what is drawn in a part of a picture stands out from what it is drawn on.
double standsOut(const QImage& picture, const QRect& part) {
    const QColor ground = groundOf(picture, part);
    double most = 1;
    const QRect all = part & picture.rect();
    for (int y = all.top(); y <= all.bottom(); ++y)
        for (int x = all.left(); x <= all.right(); ++x)
            most = std::max(most, contrast(QColor(picture.pixel(x, y)), ground));
    return most;
}

/// The columns, or the rows, of a part in which something is drawn.
std::vector<int> drawnIn(const QImage& picture, const QRect& part, bool columns) {
    const QColor ground = groundOf(picture, part);
    std::set<int> drawn;
    for (int y = part.top(); y <= part.bottom(); ++y)
        for (int x = part.left(); x <= part.right(); ++x)
            if (contrast(QColor(picture.pixel(x, y)), ground) > 1.6) drawn.insert(columns ? x : y);
    return {drawn.begin(), drawn.end()};
}

void bothThemes() {
    QTest::addColumn<bool>("dark");
    QTest::newRow("light") << false;
    QTest::newRow("dark") << true;
}

/// Where the links of a text lead, as they are written.
QStringList linksOf(const QTextEdit& view) {
    QStringList links;
    for (QTextBlock block = view.document()->begin(); block.isValid(); block = block.next())
        for (auto part = block.begin(); !part.atEnd(); ++part)
            if (part.fragment().charFormat().isAnchor()) links << part.fragment().charFormat().anchorHref();
    return links;
}

QString number(double value) {
    return QString::number(value, 'f', 2);
}

} // namespace

class TestTheme : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() {
        QFETCH(bool, dark);
        m_theme.setChoice(dark ? Theme::Choice::dark : Theme::Choice::light);
    }
    void spinBoxesHaveArrows_data() { bothThemes(); }
    void spinBoxesHaveArrows();
    void radioButtonsAreSeen_data() { bothThemes(); }
    void radioButtonsAreSeen();
    void quietTextIsReadable_data() { bothThemes(); }
    void quietTextIsReadable();
    void lockedStepsAreReadable_data() { bothThemes(); }
    void lockedStepsAreReadable();
    void completionsHaveRoom_data() { bothThemes(); }
    void completionsHaveRoom();
    void theEditorsListShowsWholeRows_data() { bothThemes(); }
    void theEditorsListShowsWholeRows();
    void dialogsButtonsHaveNoIcons_data() { bothThemes(); }
    void dialogsButtonsHaveNoIcons();
    void titlesMakeRoomForTheArrow_data() { bothThemes(); }
    void titlesMakeRoomForTheArrow();
    void cellsBeginWhereTitlesDo_data() { bothThemes(); }
    void cellsBeginWhereTitlesDo();
    void menusAndTheirButtons_data() { bothThemes(); }
    void menusAndTheirButtons();
    void helpBreaksBetweenWords_data() { bothThemes(); }
    void helpBreaksBetweenWords();
    void helpPagesLeadToOneAnother_data() { bothThemes(); }
    void helpPagesLeadToOneAnother();
    void helpLinksGoToHeadings_data() { bothThemes(); }
    void helpLinksGoToHeadings();
    void focusGoesRoundATable_data() { bothThemes(); }
    void focusGoesRoundATable();

private:
    Theme m_theme;
};

void TestTheme::spinBoxesHaveArrows() {
    QSpinBox box;
    box.setRange(0, 9);
    box.setValue(4);
    box.resize(80, box.sizeHint().height());
    const QImage picture = pictureOf(box);
    QStyleOptionSpinBox option;
    option.initFrom(&box);
    option.subControls = QStyle::SC_All;
    for (const auto part : {QStyle::SC_SpinBoxUp, QStyle::SC_SpinBoxDown}) {
        QRect button = box.style()->subControlRect(QStyle::CC_SpinBox, &option, part, &box).adjusted(2, 1, -2, -1);
        QVERIFY2(button.width() >= 10 && button.height() >= 6, qPrintable(QString::number(button.height())));
        QVERIFY2(standsOut(picture, button) >= 3, qPrintable(number(standsOut(picture, button))));
        const auto columns = drawnIn(picture, button, true);
        QVERIFY(!columns.empty());
        // An arrow is symmetrical about its button's middle; a fragment of a bevel is not.
        QVERIFY2(std::abs(columns.front() + columns.back() - 2 * button.center().x()) <= 3, "not in the middle");
        QVERIFY(columns.back() - columns.front() >= 3);
    }
}

void TestTheme::radioButtonsAreSeen() {
    QWidget window;
    QVBoxLayout rows(&window);
    QRadioButton chosen(QStringLiteral("one")), other(QStringLiteral("other"));
    chosen.setChecked(true);
    rows.addWidget(&chosen);
    rows.addWidget(&other);
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window, longWait));
    const auto indicator = [](QRadioButton& button) {
        QStyleOptionButton option;
        option.initFrom(&button);
        return button.style()->subElementRect(QStyle::SE_RadioButtonIndicator, &option, &button);
    };
    window.setFocus();
    const QImage unchecked = pictureOf(other), checked = pictureOf(chosen);
    QVERIFY2(standsOut(unchecked, indicator(other)) >= 3, qPrintable(number(standsOut(unchecked, indicator(other)))));
    QVERIFY(standsOut(checked, indicator(chosen)) >= 3);
    QVERIFY(unchecked.copy(indicator(other)) != checked.copy(indicator(chosen)));
    window.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&window, longWait));
    other.setFocus(Qt::TabFocusReason);
    const QImage focused = pictureOf(other);
    const int middle = focused.width() / 2;
    QCOMPARE(QColor(focused.pixel(middle, 0)),
             m_theme.colours().accent); // a frame, not only another colour of text
}

void TestTheme::quietTextIsReadable() {
    QWidget window;
    QVBoxLayout rows(&window);
    QLineEdit line;
    line.setPlaceholderText(QStringLiteral("HHHH EEEE"));
    QTextEdit text;
    text.setPlaceholderText(QStringLiteral("HHHH EEEE"));
    QComboBox editable;
    editable.setEditable(true);
    editable.lineEdit()->setPlaceholderText(QStringLiteral("HHHH EEEE"));
    QLineEdit disabled(QStringLiteral("HHHH EEEE"));
    disabled.setEnabled(false);
    for (QWidget* widget : std::initializer_list<QWidget*>{&line, &text, &editable, &disabled})
        rows.addWidget(widget);
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window, longWait));
    window.setFocus();
    for (QWidget* widget : std::initializer_list<QWidget*>{&line, text.viewport(), editable.lineEdit(), &disabled}) {
        const double seen = standsOut(pictureOf(*widget), QRect(3, 3, 70, widget->height() - 6));
        QVERIFY2(seen >= 4.5, qPrintable(QStringLiteral("%1 %2").arg(widget->metaObject()->className(), number(seen))));
    }
}

void TestTheme::lockedStepsAreReadable() {
    LessonTree tree(m_theme);
    lesson::Lesson lesson;
    lesson.id = "one";
    lesson.title = "One";
    for (const char* step : {"EEEE", "HHHH", "EHEH"}) {
        lesson.steps.emplace_back();
        lesson.steps.back().id = lesson.steps.back().title = step;
    }
    tree.setLessons({lesson});
    tree.showProgress({lesson}, {});
    tree.resize(300, 200);
    tree.show();
    QVERIFY(QTest::qWaitForWindowExposed(&tree, longWait));
    auto* locked = tree.topLevelItem(0)->child(2);
    QVERIFY(locked->isDisabled());
    const QRect row = tree.visualItemRect(locked);
    const QImage picture = pictureOf(*tree.viewport());
    const double seen = standsOut(picture, row.adjusted(24, 0, 0, 0));
    QVERIFY2(seen >= 4.5, qPrintable(number(seen)));
    const QRect open = tree.visualItemRect(tree.topLevelItem(0)->child(0));
    QVERIFY(standsOut(picture, open.adjusted(24, 0, 0, 0)) > seen); // and still less than an open one
}

void TestTheme::completionsHaveRoom() {
    QListWidget list;
    list.setProperty("role", "completions");
    list.addItems({QStringLiteral("class:"), QStringLiteral("correct:")});
    list.setCurrentRow(0);
    list.resize(200, 100);
    list.show();
    QVERIFY(QTest::qWaitForWindowExposed(&list, longWait));
    QVERIFY(list.sizeHintForRow(0) >= list.fontMetrics().height() + 6);
    const QImage picture = pictureOf(list);
    QVERIFY(contrast(QColor(picture.pixel(picture.width() / 2, 0)), m_theme.colours().field) >= 3); // an edge
    const QRect row = list.visualItemRect(list.item(0)).translated(list.viewport()->pos());
    QCOMPARE(groundOf(picture, row), m_theme.colours().selection); // flat
}

void TestTheme::theEditorsListShowsWholeRows() {
    CodeEditor editor(m_theme);
    editor.resize(500, 400);
    static_cast<QWidget&>(editor).show();
    QVERIFY(QTest::qWaitForWindowExposed(&editor, longWait));
    editor.open(QStringLiteral("\n"));
    QTest::keyClicks(&editor, "__s");
    QVERIFY(editor.isListActive());
    auto* list = editor.findChild<QListWidget*>();
    for (QWidget* top : QApplication::topLevelWidgets())
        if (list == nullptr) list = qobject_cast<QListWidget*>(top);
    QVERIFY(list && list->isVisible());
    const int row = list->sizeHintForRow(0);
    QVERIFY(row >= list->fontMetrics().height() + 6);
    const int over = list->viewport()->height() % row; // no part of a row, but for a line or two
    QVERIFY2(over <= 2, qPrintable(QStringLiteral("%1 of %2").arg(list->viewport()->height()).arg(row)));
    const QImage picture = pictureOf(*list);
    QVERIFY(contrast(QColor(picture.pixel(0, picture.height() / 2)), m_theme.colours().field) >= 3);
    QTest::keyClick(&editor, Qt::Key_Escape);
}

void TestTheme::dialogsButtonsHaveNoIcons() {
    const QDialogButtonBox box(QDialogButtonBox::Ok | QDialogButtonBox::Cancel | QDialogButtonBox::Close);
    for (const QAbstractButton* button : box.buttons())
        QVERIFY2(button->icon().isNull(), qPrintable(button->text()));
}

void TestTheme::titlesMakeRoomForTheArrow() {
    QTableWidget table(1, 2);
    table.setHorizontalHeaderLabels({QStringLiteral("Task"), QStringLiteral("Other")});
    table.horizontalHeaderItem(0)->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
    table.resize(300, 100);
    table.setColumnWidth(0, 60);
    QHeaderView& header = *table.horizontalHeader();
    header.setHighlightSections(false);
    header.setSortIndicatorShown(true);
    header.setSortIndicator(1, Qt::AscendingOrder);
    table.show();
    QVERIFY(QTest::qWaitForWindowExposed(&table, longWait));
    const QRect section(1, 2, 57, header.height() - 4);
    const auto titleEnd = [&](const QImage& picture) { return drawnIn(picture, section, true).back(); };
    const auto title = drawnIn(pictureOf(*header.viewport()), section, true);
    header.setSortIndicator(0, Qt::AscendingOrder);
    const QImage sorted = pictureOf(*header.viewport());
    const auto drawn = drawnIn(sorted, section, true);
    const int width = title.back() - title.front();
    // The same title, whole, further to the left, then a gap, then the arrow.
    int gap = 0;
    for (std::size_t i = 1; i < drawn.size(); ++i)
        if (drawn[i] > drawn.front() + width) gap = std::max(gap, drawn[i] - drawn[i - 1]);
    QVERIFY2(drawn.front() <= title.front() - Style::sortArrow + 1, qPrintable(QString::number(drawn.front())));
    QVERIFY2(gap >= 2, qPrintable(QString::number(gap)));
    QVERIFY(titleEnd(sorted) >= section.right() - Style::sortArrow);
}

void TestTheme::cellsBeginWhereTitlesDo() {
    QTableWidget table(1, 2);
    table.verticalHeader()->hide();
    table.setHorizontalHeaderLabels({QStringLiteral("HH"), QStringLiteral("HH")});
    table.setFont(m_theme.textFont());
    table.horizontalHeader()->setFont(m_theme.textFont());
    for (int column = 0; column < 2; ++column) {
        const auto align = Qt::Alignment((column == 0 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
        table.setItem(0, column, new QTableWidgetItem(QStringLiteral("HH")));
        table.item(0, column)->setTextAlignment(align);
        table.horizontalHeaderItem(column)->setTextAlignment(align);
        table.setColumnWidth(column, 100);
    }
    table.setShowGrid(false);
    table.resize(320, 120);
    table.show();
    QVERIFY(QTest::qWaitForWindowExposed(&table, longWait));
    const QImage titles = pictureOf(*table.horizontalHeader()->viewport()), cells = pictureOf(*table.viewport());
    const int height = table.horizontalHeader()->height();
    const auto leftTitle = drawnIn(titles, QRect(1, 2, 90, height - 4), true),
               leftCell = drawnIn(cells, QRect(1, 2, 90, 20), true);
    const auto rightTitle = drawnIn(titles, QRect(102, 2, 96, height - 4), true),
               rightCell = drawnIn(cells, QRect(102, 2, 96, 20), true);
    QVERIFY2(std::abs(leftTitle.front() - leftCell.front()) <= 1,
             qPrintable(QStringLiteral("%1 %2").arg(leftTitle.front()).arg(leftCell.front())));
    QVERIFY2(std::abs(rightTitle.back() - rightCell.back()) <= 1,
             qPrintable(QStringLiteral("%1 %2").arg(rightTitle.back()).arg(rightCell.back())));
}

void TestTheme::menusAndTheirButtons() {
    QMenu menu;
    menu.addAction(m_theme.icon(QStringLiteral("archive")), QStringLiteral("Something"));
    menu.popup(QPoint(0, 0));
    const QImage picture = pictureOf(menu);
    const QRect row = menu.actionGeometry(menu.actions().front());
    const auto drawn = drawnIn(picture, row.adjusted(3, 2, -3, -2), true);
    QVERIFY2(!drawn.empty() && drawn.front() >= 6,
             qPrintable(QString::number(drawn.front()))); // not at the edge
    menu.close();
    QToolButton button;
    button.setText(QStringLiteral("Saved"));
    button.setProperty("role", "menu");
    button.setMenu(&menu);
    button.setPopupMode(QToolButton::InstantPopup);
    button.resize(button.sizeHint());
    const QRect arrow(button.width() - 18, 4, 16, button.height() - 8);
    QVERIFY(standsOut(pictureOf(button), arrow) >= 3);
}

void TestTheme::helpBreaksBetweenWords() {
    HelpPanel help(m_theme);
    help.resize(150, 400);
    help.showPage(QStringLiteral("editor"));
    help.show();
    QVERIFY(QTest::qWaitForWindowExposed(&help, longWait));
    for (QTextBlock block = help.document()->begin(); block.isValid(); block = block.next())
        for (int i = 1; i < block.layout()->lineCount(); ++i) {
            const int at = block.layout()->lineAt(i).textStart();
            const QString around = block.text().mid(at - 1, 2);
            QVERIFY2(!around[0].isLetterOrNumber() || !around[1].isLetterOrNumber(),
                     qPrintable(block.text().mid(at - 12, 24)));
        }
}

/// From the list of pages by links alone, to every page that the program has.
void TestTheme::helpPagesLeadToOneAnother() {
    HelpPanel help(m_theme);
    help.showPage(QStringLiteral("no such page"));
    QCOMPARE(help.page(), QStringLiteral("index"));
    QSet<QString> seen{help.page()};
    QStringList next{help.page()};
    while (!next.isEmpty()) {
        const QString from = next.takeFirst();
        help.showPage(from);
        QCOMPARE(help.page(), from);
        for (const QString& link : linksOf(help)) {
            if (!QUrl(link).isRelative()) continue; // of the web
            help.showPage(from);
            Q_EMIT help.anchorClicked(QUrl(link));
            const QString wanted = QUrl(link).path().isEmpty() ? from : QUrl(link).path().chopped(3);
            QVERIFY2(help.page() == wanted, qPrintable(from + ": " + link));
            if (seen.contains(wanted)) continue;
            seen.insert(wanted);
            next << wanted;
        }
    }
    const QStringList pages = QDir(QStringLiteral(":/help")).entryList();
    QVERIFY(pages.size() > 20);
    for (const QString& page : pages)
        QVERIFY2(seen.contains(page.chopped(3)), qPrintable(page));
}

void TestTheme::helpLinksGoToHeadings() {
    HelpPanel help(m_theme);
    help.resize(300, 300);
    help.show();
    QVERIFY(QTest::qWaitForWindowExposed(&help, longWait));
    help.showPage(QStringLiteral("verdict"));
    Q_EMIT help.anchorClicked(QUrl(QStringLiteral("tasks.md#what-the-code-may-do")));
    QCOMPARE(help.page(), QStringLiteral("tasks"));
    QCOMPARE(help.textCursor().block().text(), QStringLiteral("What the code may do"));
    const QRect heading = help.cursorRect();
    QVERIFY2(heading.top() >= 0 && heading.top() < 60, qPrintable(QString::number(heading.top()))); // and not below
    // A change of colours leaves the page where it is.
    m_theme.setChoice(m_theme.colours().dark ? Theme::Choice::light : Theme::Choice::dark);
    QCOMPARE(help.page(), QStringLiteral("tasks"));
}

void TestTheme::focusGoesRoundATable() {
    QWidget window;
    QVBoxLayout rows(&window);
    QTableWidget table(3, 2);
    QPushButton other(QStringLiteral("other"));
    rows.addWidget(&table);
    rows.addWidget(&other);
    window.show();
    window.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&window, longWait));
    other.setFocus();
    const QRect before = table.viewport()->geometry();
    table.setFocus();
    QCOMPARE(table.viewport()->geometry(), before); // nothing moves
    const QImage picture = pictureOf(table);
    const int right = picture.width() - 1, bottom = picture.height() - 1;
    for (const QPoint& at : {QPoint(right / 2, 0), QPoint(right / 2, bottom), QPoint(0, bottom / 2),
                             QPoint(right, bottom / 2), QPoint(4, 0)})
        QCOMPARE(QColor(picture.pixel(at)), m_theme.colours().accent);
}

} // namespace kernelarium::ui

KERNELARIUM_TEST(kernelarium::ui::TestTheme);
#include "TestTheme.moc"
