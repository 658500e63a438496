// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/archive/TableSelection.h"
#include "ui/theme/Theme.h"

#include <QWidget>

class QComboBox;
class QLineEdit;
class QToolButton;

namespace kernelarium::ui {

/// What to look for in the archive.
class FilterBar : public QWidget {
    Q_OBJECT
public:
    explicit FilterBar(Theme& theme, QWidget* parent = nullptr);

    /// Text and filter; sort is the caller's.
    [[nodiscard]] archive::TableSelection selection() const;
    [[nodiscard]] bool inCode() const;
    [[nodiscard]] bool isFiltering() const;
    /// Levels and tasks that there are.
    void setTable(const archive::KernelTable& table);
    void focusSearch();
    /// Looks for just this: a text with fields in it (core/archive/SearchSyntax.h).
    void setSearch(const QString& typed);
    void reset();

    /// For the next start.
    [[nodiscard]] QByteArray saveState() const;
    void restoreState(const QByteArray& state);

Q_SIGNALS:
    void changed();
    void leftForTable(); ///< Down or Return in the search field

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void fillTasks();
    void refreshIcons();

    Theme& m_theme;
    QLineEdit* m_text;
    QAction* m_searchIcon;
    QToolButton* m_code;
    QToolButton* m_reset;
    QComboBox* m_level;
    QComboBox* m_task;
    QComboBox* m_claim;
    QComboBox* m_speed;
    std::vector<std::tuple<int, int, QString>> m_tasks; ///< level, task, operator
};

} // namespace kernelarium::ui
