// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/EditActions.h"

#include "ui/desks/CardDesk.h"
#include "ui/dialogs/PreferencesDialog.h"
#include "ui/editor/CodeEditor.h"
#include "ui/frame/Actions.h"
#include "ui/window/EditorArea.h"
#include "ui/workspace/Bench.h"

#include <QApplication>
#include <QMenu>

namespace kernelarium::ui {

namespace {

/// Texts and fields of Qt and of QScintilla have the same slots under the same names.
bool knows(const QWidget* widget, const char* slot) {
    return widget && widget->metaObject()->indexOfSlot((QByteArray(slot) + "()").constData()) >= 0;
}

} // namespace

EditActions::EditActions(Bench& bench, CardDesk& cards, ToolkitDesk& toolkits, EditorArea& editor, Actions& actions,
                         QWidget& window)
    : QObject(&window)
    , m_bench(bench)
    , m_cards(cards)
    , m_toolkits(toolkits)
    , m_editor(editor)
    , m_actions(actions)
    , m_window(window) {
    addEdits();
    addSearches();
    addSizes();
    m_actions.add({QStringLiteral("edit.preferences"),
                   tr("Preference&s…"),
                   tr("Choose the Python that exports task cards; see and get CUDA toolkits"),
                   QKeySequence(Qt::CTRL | Qt::Key_Comma),
                   {},
                   [this] { editPreferences(); },
                   {}});
}

QString EditActions::noKernel() const {
    return m_bench.kernel().isEmpty() ? tr("no kernel is open") : QString();
}

/// The text that has the focus; else the kernel's.
QWidget* EditActions::widgetWith(const char* slot) const {
    QWidget* focus = QApplication::focusWidget();
    if (knows(focus, slot) && m_window.isAncestorOf(focus)) return focus;
    return m_bench.kernel().isEmpty() ? nullptr : &m_editor.editor();
}

void EditActions::addEdits() {
    const auto addText = [this](const char* name, const QString& text, const QString& tip, const QKeySequence& key,
                                const char* slot) {
        Actions::Spec spec{QLatin1String(name),
                           text,
                           tip,
                           key,
                           {},
                           [this, slot] {
                               if (QWidget* widget = widgetWith(slot)) QMetaObject::invokeMethod(widget, slot);
                           },
                           [this, slot] { return widgetWith(slot) ? QString() : tr("no kernel is open"); }};
        spec.keyOfTheWidget = true;
        m_actions.add(std::move(spec));
    };
    addText("edit.undo", tr("&Undo"), tr("Undo the last edit"), QKeySequence(Qt::CTRL | Qt::Key_Z), "undo");
    addText("edit.redo", tr("R&edo"), tr("Redo the edit that was undone"), QKeySequence(Qt::CTRL | Qt::Key_Y), "redo");
    addText("edit.cut", tr("Cu&t"), tr("Move the selected text to the clipboard"), QKeySequence(Qt::CTRL | Qt::Key_X),
            "cut");
    addText("edit.copy", tr("&Copy"), tr("Copy the selected text to the clipboard"), QKeySequence(Qt::CTRL | Qt::Key_C),
            "copy");
    addText("edit.paste", tr("&Paste"), tr("Insert the clipboard's text at the cursor"),
            QKeySequence(Qt::CTRL | Qt::Key_V), "paste");
    addText("edit.selectAll", tr("Select &all"), tr("Select all of the text"), QKeySequence(Qt::CTRL | Qt::Key_A),
            "selectAll");
}

void EditActions::addSearches() {
    const auto none = [this] { return noKernel(); };
    m_actions.add({QStringLiteral("edit.find"), tr("&Find…"), tr("Find in the text"), QKeySequence::Find,
                   QStringLiteral("search"), [this] { m_editor.find(); }, none});
    m_actions.add({QStringLiteral("edit.findNext"),
                   tr("Find ne&xt"),
                   tr("Go to the next match"),
                   QKeySequence(Qt::Key_F3),
                   {},
                   [this] { m_editor.findNext(); },
                   none});
    m_actions.add({QStringLiteral("edit.findPrevious"),
                   tr("Find pre&vious"),
                   tr("Go to the previous match"),
                   QKeySequence(Qt::SHIFT | Qt::Key_F3),
                   {},
                   [this] { m_editor.findPrevious(); },
                   none});
    m_actions.add({QStringLiteral("edit.replace"),
                   tr("&Replace…"),
                   tr("Find and replace in the text"),
                   QKeySequence(Qt::CTRL | Qt::Key_H),
                   {},
                   [this] { m_editor.replace(); },
                   none});
    m_actions.add({QStringLiteral("edit.nextMark"),
                   tr("&Next problem"),
                   tr("Go to the next error, warning or fault"),
                   QKeySequence(Qt::Key_F8),
                   {},
                   [this] { m_editor.goToNextMark(); },
                   none});
    m_actions.add({QStringLiteral("edit.previousMark"),
                   tr("Previous pro&blem"),
                   tr("Go to the previous error, warning or fault"),
                   QKeySequence(Qt::SHIFT | Qt::Key_F8),
                   {},
                   [this] { m_editor.goToPreviousMark(); },
                   none});
}

void EditActions::addSizes() {
    const auto none = [this] { return noKernel(); };
    const auto addSize = [this, none](const char* name, const QString& text, const QString& tip,
                                      const QKeySequence& key, auto change) {
        Actions::Spec spec{
            QLatin1String(name), text, tip, key, {}, [this, change] { change(m_editor.editor()); }, none};
        spec.keyOfTheWidget = true;
        m_actions.add(std::move(spec));
    };
    addSize("edit.larger", tr("Lar&ger text"), tr("Make the source text larger"), QKeySequence(Qt::CTRL | Qt::Key_Plus),
            [](CodeEditor& e) { e.zoomIn(1); });
    addSize("edit.smaller", tr("S&maller text"), tr("Make the source text smaller"),
            QKeySequence(Qt::CTRL | Qt::Key_Minus), [](CodeEditor& e) { e.zoomOut(1); });
    addSize("edit.normalSize", tr("Normal text si&ze"), tr("Show the source text at its normal size"),
            QKeySequence(Qt::CTRL | Qt::Key_0), [](CodeEditor& e) { e.resetZoom(); });
}

void EditActions::editPreferences() {
    auto* dialog = new PreferencesDialog(m_cards, m_toolkits, &m_window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

void EditActions::follow(QMenu& menu) {
    connect(&menu, &QMenu::aboutToShow, &m_actions, &Actions::refresh); // of the text that has the focus
    QList<QAction*> shared;
    for (QAction* action : menu.actions()) {
        if (action->objectName() == QLatin1String("edit.preferences")) break;
        if (action->isSeparator()) {
            shared << nullptr;
        } else if (!action->objectName().startsWith(QLatin1String("kernel."))) {
            shared << action;
        }
    }
    m_editor.editor().setMenuActions(shared);
}

} // namespace kernelarium::ui
