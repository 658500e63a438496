// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/EditActions.h"

#include "ui/desks/CardDesk.h"
#include "ui/dialogs/PreferencesDialog.h"
#include "ui/editor/CodeEditor.h"
#include "ui/frame/Actions.h"
#include "ui/source/EditorArea.h"
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

EditActions::EditActions(Bench& bench, const Settled& settled, EditorArea& editor, Actions& actions, QWidget& window)
    : QObject(&window)
    , m_bench(bench)
    , m_settled(settled)
    , m_editor(editor)
    , m_actions(actions)
    , m_window(window) {
    addEdits();
    addSearches();
    addPlaces();
    addLines();
    addSizes();
    m_actions.add({QStringLiteral("edit.tabMoves"),
                   tr("Tab moves t&he focus"),
                   tr("Let Tab leave the editor instead of typing there"),
                   QKeySequence(Qt::CTRL | Qt::Key_M),
                   {},
                   [this] {
                       m_editor.setTabMoves(!m_editor.tabMoves());
                       m_actions.refresh(); // the check mark
                   },
                   {},
                   true,
                   [this] { return m_editor.tabMoves(); }});
    m_actions.add(
        {QStringLiteral("edit.preferences"),
         tr("Preference&s…"),
         tr("Choose the Python that exports task cards; see and get CUDA toolkits; room for compiled kernels"),
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

void EditActions::addPlaces() {
    const auto none = [this] { return noKernel(); };
    m_actions.add({QStringLiteral("edit.goToLine"),
                   tr("Go to &line…"),
                   tr("Go to a line by its number"),
                   QKeySequence(Qt::CTRL | Qt::Key_G),
                   {},
                   [this] { m_editor.askForLine(); },
                   none});
    const auto add = [this, none](const char* name, const QString& text, const QString& tip, const QKeySequence& key,
                                  auto method) {
        Actions::Spec spec{QLatin1String(name), text, tip, key, {}, [this, method] { (m_editor.*method)(); }, none};
        spec.keyOfTheWidget = true;
        m_actions.add(std::move(spec));
    };
    add("edit.definition", tr("Go to the def&inition"),
        tr("Go to where the name at the cursor is defined in this file"), QKeySequence(Qt::Key_F12),
        &EditorArea::goToDefinition);
    add("edit.definitionBack", tr("Bac&k from the definition"), tr("Go back to where the definition was asked for"),
        QKeySequence(Qt::SHIFT | Qt::Key_F12), &EditorArea::goBackFromDefinition);
    add("edit.rename", tr("Rename…"), tr("Give the name at the cursor another one, in all of its places"),
        QKeySequence(Qt::Key_F2), &EditorArea::askForNewName);
    add("edit.format", tr("Format"), tr("Lay the text out anew with clang-format, or only the selected lines"),
        QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_I), &EditorArea::format);
    for (const char* name : {"edit.rename", "edit.format"})
        addKeyOfTheEditor(name);
}

/// The window only shows the key: in other panels it is theirs.
void EditActions::addKeyOfTheEditor(const char* name) {
    const QAction& shown = *m_actions.action(QLatin1String(name));
    auto* key = new QAction(shown.text(), &m_editor.editor());
    key->setToolTip(shown.statusTip());
    key->setStatusTip(shown.statusTip());
    key->setShortcut(shown.shortcut());
    key->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    connect(key, &QAction::triggered, this, [this, name = shown.objectName()] { m_actions.run(name); });
    m_editor.editor().addAction(key);
}

void EditActions::addLines() {
    for (const LineCommand& command : lineCommands()) {
        Actions::Spec spec{QLatin1String(command.name),
                           command.text,
                           command.tip,
                           command.key,
                           {},
                           [this, run = command.run] { run(m_editor.editor()); },
                           [this] { return noKernel(); }};
        spec.keyOfTheWidget = true;
        m_actions.add(std::move(spec));
    }
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
    auto* dialog = new PreferencesDialog(m_settled.cards, m_settled.toolkits, m_settled.kept, &m_window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

void EditActions::follow(QMenu& menu) {
    connect(&menu, &QMenu::aboutToShow, &m_actions, &Actions::refresh); // of the text that has the focus
    QList<QAction*> shared;
    for (QAction* action : menu.actions()) {
        if (action->objectName() == QLatin1String("edit.tabMoves")) break;
        if (action->isSeparator()) {
            shared << nullptr;
        } else if (!action->objectName().startsWith(QLatin1String("kernel."))) {
            shared << action;
        }
    }
    m_editor.editor().setMenuActions(shared);
}

} // namespace kernelarium::ui
