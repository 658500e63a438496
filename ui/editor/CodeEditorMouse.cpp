// SPDX-License-Identifier: GPL-3.0-or-later
// What the mouse does in the source: clicks with a meaning of their own, and what is dropped there.
#include "ui/editor/CodeEditor.h"

#include "ui/editor/Symbols.h"
#include "ui/editor/TypingGuard.h"

#include <QApplication>
#include <QDropEvent>
#include <QMimeData>
#include <QMouseEvent>
#include <QUrl>

namespace kernelarium::ui {

namespace {

QStringList localFiles(const QMimeData* data) {
    QStringList paths;
    for (const QUrl& url : data->urls())
        if (url.isLocalFile()) paths.append(url.toLocalFile());
    return paths;
}

} // namespace

bool CodeEditor::isInText(const QPoint& point) const {
    int left = 0;
    for (int margin = 0; margin < margins(); ++margin)
        left += marginWidth(margin);
    return point.x() >= left;
}

void CodeEditor::mousePressEvent(QMouseEvent* event) {
    m_press = {};
    const bool inText = event->button() == Qt::LeftButton && isInText(event->position().toPoint());
    if (inText && event->modifiers() == Qt::ControlModifier)
        m_press = {Press::Meaning::definition, event->position().toPoint(), {}};
    else if (inText && event->modifiers() == Qt::AltModifier)
        m_press = {Press::Meaning::cursor, event->position().toPoint(), cursorsOf(*this)};
    if (m_press.meaning == Press::Meaning::cursor) { // a drag selects a rectangle: QScintilla's keys are Ctrl and Alt
        QMouseEvent rectangle(event->type(), event->position(), event->globalPosition(), event->button(),
                              event->buttons(), event->modifiers() | Qt::ControlModifier);
        QsciScintilla::mousePressEvent(&rectangle);
    } else if (m_press.meaning != Press::Meaning::definition) { // where Scintilla would begin another selection
        QsciScintilla::mousePressEvent(event);
    }
    m_guard->placed();
}

void CodeEditor::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() == Qt::MiddleButton && m_guard->isArchived()) {
        m_guard->explain(tr("This is the archived text. Ctrl+V pastes into it; so does the middle button once it was "
                            "edited."));
        return;
    }
    Press press = std::exchange(m_press, {});
    const QPoint at = event->position().toPoint();
    const bool clicked = (at - press.at).manhattanLength() < QApplication::startDragDistance();
    if (press.meaning != Press::Meaning::definition) QsciScintilla::mouseReleaseEvent(event);
    if (press.meaning == Press::Meaning::none || !clicked) return;
    const auto x = static_cast<unsigned long>(at.x());
    if (press.meaning == Press::Meaning::cursor) {
        toggleCursor(*this, std::move(press.before), SendScintilla(SCI_POSITIONFROMPOINT, x, long(at.y())));
    } else if (const long position = SendScintilla(SCI_POSITIONFROMPOINTCLOSE, x, long(at.y())); position >= 0) {
        SendScintilla(SCI_SETEMPTYSELECTION, static_cast<unsigned long>(position));
        m_symbols->goToDefinition(position);
    }
}

void CodeEditor::dragEnterEvent(QDragEnterEvent* event) {
    if (localFiles(event->mimeData()).isEmpty())
        QsciScintilla::dragEnterEvent(event);
    else
        event->acceptProposedAction();
}

void CodeEditor::dragMoveEvent(QDragMoveEvent* event) {
    if (localFiles(event->mimeData()).isEmpty())
        QsciScintilla::dragMoveEvent(event);
    else
        event->acceptProposedAction();
}

void CodeEditor::dropEvent(QDropEvent* event) {
    const QStringList paths = localFiles(event->mimeData());
    if (paths.isEmpty()) {
        if (m_guard->isArchived()) {
            event->setDropAction(Qt::IgnoreAction); // or whoever dragged it would remove it
            event->ignore();
            m_guard->explain(tr("This is the archived text. Text can be dropped into it once it was edited."));
        } else {
            QsciScintilla::dropEvent(event);
        }
        return;
    }
    event->acceptProposedAction();
    Q_EMIT filesDropped(paths);
}

} // namespace kernelarium::ui
