// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/editor/DiffRows.h"
#include "ui/editor/LineNumbers.h"
#include "ui/editor/Scintilla.h"

#include <QWidget>
#include <memory>

class QLabel;
class QPushButton;
class QStackedLayout;
class QToolButton;

namespace kernelarium::ui {

class CudaLexer;
class ElidedLabel;
class LatestJob;
class Theme;

/// The original beside the edited text, changed lines and words marked. Compared off the GUI thread.
class DiffView : public QWidget {
    Q_OBJECT
public:
    explicit DiffView(Theme& theme, QWidget* parent = nullptr);

    /// Keeps the place where the reader is while texts change.
    void setTexts(const QString& original, const QString& edited);

    /// Whose texts they are: "Original" and "Edited" at first.
    void nameSides(const QString& left, const QString& right);
    [[nodiscard]] QString sideName(int side) const; ///< 0: left
    /// What the button calls it to bring a change of the left side to the right: "Revert this change" at first.
    void nameTaking(const QString& text, const QString& toolTip);

    void nextChange();
    void previousChange();
    /// Asks for the change at the cursor to be taken back; does nothing outside a change.
    void revertChange();

    [[nodiscard]] int changes() const { return int(m_rows.changes.size()); }
    [[nodiscard]] int currentChange() const; ///< 0-based; -1: the cursor is outside changes
    [[nodiscard]] QString summary() const;   ///< "+3 −1"
    [[nodiscard]] QsciScintilla& originalSide() { return *m_sides[0].editor; }
    [[nodiscard]] QsciScintilla& editedSide() { return *m_sides[1].editor; }

Q_SIGNALS:
    void revertRequested(const QString& newText);
    void backRequested(); ///< there is nothing to see
    void compared();      ///< what setTexts() gave is shown

private:
    struct Side {
        QsciScintilla* editor = nullptr;
        ElidedLabel* name = nullptr; ///< above it
        CudaLexer* lexer = nullptr;
        std::unique_ptr<LineNumbers> numbers;
    };
    QWidget* makeBar();
    void makeSide(Side& side);
    void tie(QsciScintilla& from, QsciScintilla& to);
    void applyTheme();
    void showRows();
    void mark(Side& side, const DiffSide& rows);
    void goTo(int change);
    void refreshButtons();

    Theme& m_theme;
    LatestJob* m_job;
    QStackedLayout* m_pages = nullptr;
    QLabel* m_empty = nullptr;
    QPushButton* m_back = nullptr; ///< of the empty state
    QLabel* m_summary = nullptr;
    QToolButton* m_previous = nullptr;
    QToolButton* m_next = nullptr;
    QToolButton* m_revert = nullptr;
    Side m_sides[2];
    QString m_original;
    QString m_edited;
    DiffRows m_rows;
    QString m_takingTip;
    bool m_tying = false;
    bool m_fresh = false; ///< m_rows is of m_original and m_edited
};

} // namespace kernelarium::ui
