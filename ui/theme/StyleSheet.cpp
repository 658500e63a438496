// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/StyleSheet.h"

#include "ui/theme/Style.h"

#include <QHash>

namespace kernelarium::ui {

namespace {

constexpr const char* sheet = R"(
QMainWindow::separator { background: @line; width: 1px; height: 1px; }
QMainWindow::separator:hover { background: @accent; }
QSplitter::handle { background: @line; }
QSplitter::handle:hover { background: @accent; }
QToolBar { background: @raised; border: 0; border-bottom: 1px solid @line; spacing: 4px; padding: 4px 8px; }
QToolButton { border: 1px solid transparent; border-radius: 4px; padding: 4px 8px; background: transparent; }
QToolButton:hover { background: @hover; }
QToolButton:pressed, QToolButton:checked { background: @selection; color: @selectionText; }
QToolButton:focus { border: 1px solid @accent; }
QToolButton:disabled { color: @muted; }
QToolButton::menu-indicator { image: none; }
QToolButton[popupMode="2"] { padding-right: 8px; }
QToolButton[role="menu"] { padding-right: 20px; }
QToolButton[role="menu"]::menu-indicator { image: url(:/icons/@chevron); width: 10px; height: 10px;
    subcontrol-origin: padding; subcontrol-position: center right; right: 6px; }
QPushButton { border: 1px solid @line; border-radius: 4px; padding: 4px 12px; background: @raised; min-height: 18px; }
QPushButton:hover { background: @hover; }
QPushButton:pressed { background: @selection; }
QPushButton:focus { border: 1px solid @accent; }
QPushButton:default { background: @accent; color: @accentText; border: 1px solid @accent; }
QPushButton:default:hover { background: @accent; }
QPushButton:disabled { color: @muted; background: @background; border: 1px solid @line; }
QLineEdit, QComboBox, QSpinBox, QDoubleSpinBox { border: 1px solid @line; border-radius: 4px; padding: 3px 8px;
    background: @field; selection-background-color: @selection; selection-color: @selectionText; min-height: 18px; }
QLineEdit:focus, QComboBox:focus, QSpinBox:focus, QDoubleSpinBox:focus { border: 1px solid @accent; }
QComboBox::drop-down { border: 0; width: 16px; }
QComboBox::down-arrow { image: url(:/icons/@chevron); width: 10px; height: 10px; }
QSpinBox, QDoubleSpinBox { padding-right: 20px; }
QSpinBox::up-button, QDoubleSpinBox::up-button, QSpinBox::down-button, QDoubleSpinBox::down-button {
    subcontrol-origin: border; width: 18px; border: 0; border-left: 1px solid @line; background: transparent; }
QSpinBox::up-button, QDoubleSpinBox::up-button { subcontrol-position: top right; margin-top: 1px; margin-right: 1px; }
QSpinBox::down-button, QDoubleSpinBox::down-button { subcontrol-position: bottom right; margin-bottom: 1px;
    margin-right: 1px; }
QSpinBox::up-button:hover, QDoubleSpinBox::up-button:hover, QSpinBox::down-button:hover,
QDoubleSpinBox::down-button:hover { background: @hover; }
QSpinBox::up-button:pressed, QDoubleSpinBox::up-button:pressed, QSpinBox::down-button:pressed,
QDoubleSpinBox::down-button:pressed { background: @selection; }
QSpinBox::up-arrow, QDoubleSpinBox::up-arrow { image: url(:/icons/@upChevron); width: 10px; height: 10px; }
QSpinBox::down-arrow, QDoubleSpinBox::down-arrow { image: url(:/icons/@chevron); width: 10px; height: 10px; }
QComboBox QAbstractItemView { background: @field; border: 1px solid @line; outline: 0; }
QHeaderView { background: @raised; border: 0; }
QHeaderView::section { background: @raised; color: @muted; border: 0; border-right: 1px solid @line;
    border-bottom: 1px solid @line; padding: 3px @cellMargin; }
QHeaderView::section:hover { color: @text; }
QAbstractItemView { border: 0; outline: 0; }
QTableView, QTreeView, QListView { background: @field; gridline-color: @grid; selection-background-color: @selection;
    selection-color: @selectionText; }
QTableView, QTreeView, QListView { border: 1px solid @field; }
QTableView:focus, QTreeView:focus, QListView:focus { border: 1px solid @accent; }
QListView[role="sections"]::item { padding: 4px 8px; border: 0; }
QListView[role="sections"]::item:hover { background: @hover; }
QListView[role="sections"]::item:selected { background: @selection; color: @selectionText; }
QListView[role="completions"], QsciSciListBox { border: 1px solid @muted; padding: 2px 0; }
QListView[role="completions"]::item, QsciSciListBox::item { padding: 3px 8px; border: 0; }
QListView[role="completions"]::item:selected, QsciSciListBox::item:selected { background: @selection;
    color: @selectionText; }
QPlainTextEdit, QTextEdit, QTextBrowser { background: @field; border: 0; selection-background-color: @selection;
    selection-color: @selectionText; }
QTabBar { background: @raised; qproperty-drawBase: 0; }
QTabBar::tab { background: @raised; color: @muted; border: 0; border-bottom: 2px solid transparent;
    padding: 5px 12px; }
QMainWindow > QTabBar::tab { padding: 5px 5px; }
QTabBar::tab:hover { color: @text; background: @hover; }
QTabBar::tab:selected { color: @text; background: @background; border-bottom: 2px solid @accent; }
QTabBar::tab:focus { color: @text; border-bottom: 2px solid @text; }
QTabBar::scroller { width: 40px; }
QTabBar QToolButton { background: @raised; border: 0; padding: 0; }
QTabBar QToolButton:hover { background: @hover; }
QTabBar QToolButton::left-arrow { image: url(:/icons/@leftChevron); width: 12px; height: 12px; }
QTabBar QToolButton::right-arrow { image: url(:/icons/@rightChevron); width: 12px; height: 12px; }
QTabBar QToolButton::left-arrow:disabled, QTabBar QToolButton::right-arrow:disabled { image: none; }
QTabWidget::pane { border: 0; }
QDockWidget { titlebar-close-icon: none; titlebar-normal-icon: none; }
QDockWidget::title { background: @raised; padding: 5px 8px; border-bottom: 1px solid @line; text-align: left; }
QMenuBar { background: @raised; border: 0; }
QMenuBar::item { padding: 4px 8px; background: transparent; }
QMenuBar::item:selected { background: @selection; color: @selectionText; }
QMenu { background: @field; border: 1px solid @line; padding: 4px 0; }
QMenu::item { padding: 4px 24px 4px 24px; }
QMenu::icon { padding-left: 8px; }
QMenu::item:selected { background: @selection; color: @selectionText; }
QMenu::item:disabled { color: @muted; }
QMenu::separator { height: 1px; background: @line; margin: 4px 0; }
QStatusBar { background: @raised; border-top: 1px solid @line; }
QStatusBar::item { border: 0; }
QToolTip { background: @raised; color: @text; border: 1px solid @line; padding: 4px 8px; }
QProgressBar { border: 0; border-radius: 2px; background: @grid; max-height: 4px; text-align: center; }
QProgressBar::chunk { background: @accent; border-radius: 2px; }
QScrollBar:vertical { background: transparent; width: 12px; margin: 0; }
QScrollBar:horizontal { background: transparent; height: 12px; margin: 0; }
QScrollBar::handle { background: @scroll; border-radius: 4px; margin: 2px; min-height: 24px; min-width: 24px; }
QScrollBar::handle:hover { background: @muted; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QCheckBox, QRadioButton { spacing: 6px; }
QCheckBox, QRadioButton { border: 1px solid transparent; border-radius: 3px; padding: 1px; }
QCheckBox:focus, QRadioButton:focus { border: 1px solid @accent; }
QCheckBox::indicator, QTreeView::indicator { width: 12px; height: 12px; border: 1px solid @muted; border-radius: 3px;
    background: @field; }
QCheckBox::indicator:checked, QTreeView::indicator:checked { background: @accent; border: 1px solid @accent;
    image: url(:/icons/@check); }
QRadioButton::indicator { width: 12px; height: 12px; border: 1px solid @muted; border-radius: 7px; background: @field; }
QRadioButton::indicator:checked { width: 6px; height: 6px; border: 4px solid @accent; border-radius: 7px; }
QRadioButton::indicator:disabled { border-color: @scroll; }
QCheckBox::indicator:disabled, QTreeView::indicator:disabled { border: 1px solid @line; }
QGroupBox { border: 0; margin-top: 16px; font-weight: 600; }
QGroupBox::title { subcontrol-origin: margin; left: 0; }
QLabel[role="muted"] { color: @muted; }
QLabel[role="heading"] { font-weight: 600; }
QLabel[role="wrong"] { color: @wrong; }
QLabel[role="ok"] { color: @ok; }
QLabel[role="warning"] { color: @warning; }
QFrame[role="hairline"] { background: @line; border: 0; max-height: 1px; min-height: 1px; }
QFrame[role="panel"], QWidget[role="panel"] { background: @background; }
)";

QString blend(const QColor& a, const QColor& b, double share) {
    return QColor::fromRgbF(a.redF() * (1 - share) + b.redF() * share, a.greenF() * (1 - share) + b.greenF() * share,
                            a.blueF() * (1 - share) + b.blueF() * share)
        .name();
}

} // namespace

QString styleSheet(const Palette& p) {
    // Longer names first: @accentText begins with @accent.
    const std::pair<const char*, QString> names[] = {
        {"@selectionText", p.selectionText.name()},
        {"@selection", p.selection.name()},
        {"@accentText", p.accentText.name()},
        {"@accent", p.accent.name()},
        {"@background", p.background.name()},
        {"@raised", p.raised.name()},
        {"@field", p.field.name()},
        {"@hover", p.hover.name()},
        {"@text", p.text.name()},
        {"@muted", p.muted.name()},
        {"@line", p.line.name()},
        {"@grid", p.grid.name()},
        {"@warning", p.warning.name()},
        {"@wrong", p.wrong.name()},
        {"@ok", p.ok.name()},
        {"@cellMargin", QString::number(Style::cellMargin) + QStringLiteral("px")},
        {"@scroll", blend(p.line, p.muted, 0.35)},
        {"@check", p.dark ? QStringLiteral("check-dark.svg") : QStringLiteral("check-light.svg")},
        {"@leftChevron", p.dark ? QStringLiteral("chevron-left-dark.svg") : QStringLiteral("chevron-left-light.svg")},
        {"@rightChevron",
         p.dark ? QStringLiteral("chevron-right-dark.svg") : QStringLiteral("chevron-right-light.svg")},
        {"@upChevron", p.dark ? QStringLiteral("chevron-up-dark.svg") : QStringLiteral("chevron-up-light.svg")},
        {"@chevron", p.dark ? QStringLiteral("chevron-down-dark.svg") : QStringLiteral("chevron-down-light.svg")},
    };
    QString text = QString::fromLatin1(sheet);
    for (const auto& [name, value] : names)
        text.replace(QLatin1String(name), value);
    return text;
}

} // namespace kernelarium::ui
