// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/editor/Scintilla.h"
#include "ui/editor/TextSearch.h"

#include <QTimer>
#include <QWidget>

class QAction;
class QLabel;
class QLineEdit;
class QToolButton;

namespace kernelarium::ui {

class LatestJob;
class Theme;

/// Find and replace in a text. Searches run off the GUI thread; what is asked of a search that has not ended (a step,
/// a replacement) happens when it has. Hidden until asked for.
class FindBar : public QWidget {
    Q_OBJECT
public:
    static constexpr int indicator = 16; ///< that it takes in the editor

    /// Adds its actions to the editor: Ctrl+F, Ctrl+H, F3, Shift+F3.
    FindBar(Theme& theme, QsciScintilla& editor, QWidget* parent = nullptr);

    /// Shows the bar with the selected word as the pattern.
    void openFind();
    void openReplace(); ///< like openFind in a text that cannot be changed
    void closeBar();
    void findNext();
    void findPrevious();
    void replaceCurrent();
    void replaceAll();

    [[nodiscard]] SearchQuery query() const;
    [[nodiscard]] QString status() const; ///< "3 of 17"

Q_SIGNALS:
    /// The matches of the present text and pattern are known.
    void searched(int matches);
    void replaced(int count);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    enum class Pending { nothing, first, next, previous, replace, replaceAll };

    void build();
    void makeActions();
    void applyTheme();
    void search(Pending then);
    void arrived(SearchResult result, quint64 revision);
    void perform(Pending what);
    void step(bool forward);
    void select(std::size_t index);
    void applyAll();
    void highlight();
    void showStatus();
    void tellStatus();
    [[nodiscard]] QString noMatchText() const;
    [[nodiscard]] int currentIndex() const; ///< of the selected match; -1: none is

    Theme& m_theme;
    QsciScintilla& m_editor;
    LatestJob* m_job;
    QTimer m_settle; ///< between an edit and the search that it calls for
    QLineEdit* m_pattern = nullptr;
    QLineEdit* m_replacement = nullptr;
    QToolButton* m_case = nullptr;
    QToolButton* m_word = nullptr;
    QToolButton* m_regex = nullptr;
    QToolButton* m_previous = nullptr;
    QToolButton* m_next = nullptr;
    QToolButton* m_close = nullptr;
    QWidget* m_replaceRow = nullptr;
    QLabel* m_status = nullptr;
    SearchResult m_result;
    quint64 m_revision = 0; ///< counts changes of the text and of what is sought
    quint64 m_known = 0;    ///< revision that m_result is of
    Pending m_pending = Pending::nothing;
    long m_anchor = 0;
};

} // namespace kernelarium::ui
