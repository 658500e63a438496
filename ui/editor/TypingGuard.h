// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/editor/Scintilla.h"

class QKeyEvent;

namespace kernelarium::ui {

/// Keeps a text from being changed by who only walks past it.
///
/// Tab moves the focus on, and types nothing, while any of these holds: the user chose so (tabMoves()); the focus came
/// by Tab and nothing else was pressed since; the text is archived and nobody has changed it yet, where Tab indents
/// only a selection of several lines. In such an archived text Backspace, Delete and Return are heard once the cursor
/// was placed since the focus came (by mouse or by a key that moves it), and what is dropped or pasted by the middle
/// button is not. Typing a character, pasting and commands are deliberate everywhere.
class TypingGuard : public QObject {
    Q_OBJECT
public:
    explicit TypingGuard(QsciScintilla& editor);

    /// A text as archived was put into the editor. The first edit ends it.
    void setArchived(bool archived);
    [[nodiscard]] bool isArchived() const { return m_archived; }
    void setTabMoves(bool moves);
    [[nodiscard]] bool tabMoves() const { return m_tabMoves; }
    /// Whether Tab moves the focus just now.
    [[nodiscard]] bool lets() const;

    // What the editor meets.
    void focusCame(Qt::FocusReason reason);
    void focusWent() { Q_EMIT changed(); }
    void placed(); ///< by the mouse
    void edited();
    /// Before the editor takes a key: false where it must not.
    [[nodiscard]] bool takes(const QKeyEvent& event);
    /// Says why something had no effect.
    void explain(const QString& text);

Q_SIGNALS:
    void changed();

private:
    QsciScintilla& m_editor;
    bool m_tabMoves = false;
    bool m_archived = false;
    bool m_walking = false; ///< the focus came by Tab, and Tab may take it on
    bool m_placed = false;  ///< the cursor, since the focus came
};

} // namespace kernelarium::ui
