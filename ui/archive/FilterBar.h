// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/archive/search/SearchSyntax.h"
#include "core/session/SavedSearches.h"
#include "ui/theme/Theme.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QToolButton;

namespace kernelarium::ui {

class FilterRow;
class SavedSearchMenu;
class SearchField;
class SearchHelp;
class SessionDesk;

/// What to look for in the archive: a text with fields in it, and choices for the most usual fields.
class FilterBar : public QWidget {
    Q_OBJECT
public:
    FilterBar(Theme& theme, SessionDesk& session, QWidget* parent = nullptr);

    /// Sort is the caller's. Error "bad_input" for what is not understood, which is then said and underlined here.
    [[nodiscard]] Result<archive::SearchQuery> query();
    [[nodiscard]] bool isFiltering() const;
    [[nodiscard]] bool folds() const;
    /// What is wrong with the text; empty: nothing.
    [[nodiscard]] QString problem() const;
    /// Something that only searching brings out.
    void showProblem(const QString& text, const archive::SearchProblem& place);
    /// Levels, tasks and operators that there are.
    void setTable(const archive::KernelTable& table);
    void focusSearch();
    /// Looks for just this: a text with fields in it (core/archive/search/SearchSyntax.h).
    void setSearch(const QString& typed);
    /// What is typed, with each word of its text to be found on its own; empty where that is nothing else.
    [[nodiscard]] QString searchForEachWord() const;
    /// Types a condition beside what is typed: "verdict:wrong", "-task:1/23".
    void addTerm(const QString& term);
    /// Types this instead; what is chosen stays.
    void setText(const QString& typed);
    void reset();
    [[nodiscard]] SearchField& field() { return *m_text; }
    [[nodiscard]] SearchHelp& help() { return *m_help; }

    /// Everything chosen here as something to save; sort is the caller's.
    [[nodiscard]] session::SavedSearch saved() const;
    void apply(const session::SavedSearch& search);

    /// For the next start.
    [[nodiscard]] QByteArray saveState() const;
    void restoreState(const QByteArray& state);

Q_SIGNALS:
    void changed();
    void leftForTable(); ///< Down or Return in the search field
    void saveWanted(const QString& name);
    void savedRemoved(const QString& name);
    void savedChosen(const kernelarium::session::SavedSearch& search);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void buildChoices();
    void buildSwitches();
    void arrange();
    void fillTasks();
    void refreshIcons();
    [[nodiscard]] archive::SearchQuery choices() const;
    [[nodiscard]] QList<QComboBox*> boxes() const { return {m_level, m_task, m_claim, m_speed}; }

    Theme& m_theme;
    SearchField* m_text;
    FilterRow* m_row = nullptr;
    QAction* m_searchIcon;
    QToolButton* m_saved;
    QToolButton* m_explain;
    QToolButton* m_code;
    QToolButton* m_case;
    QToolButton* m_regex;
    QToolButton* m_fold;
    QToolButton* m_reset;
    QComboBox* m_level;
    QComboBox* m_task;
    QComboBox* m_claim;
    QComboBox* m_speed;
    QLabel* m_problem;
    SavedSearchMenu* m_menu;
    SearchHelp* m_help;
    bool m_literal = false; ///< of a search saved so: fields are not read until the text is edited
    std::vector<std::tuple<int, int, QString>> m_tasks; ///< level, task, operator
};

} // namespace kernelarium::ui
