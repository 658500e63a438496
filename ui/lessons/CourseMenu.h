// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/Theme.h"

#include <QWidget>

class QAction;
class QLabel;
class QLineEdit;
class QMenu;
class QPushButton;
class QToolButton;

namespace kernelarium::ui {

/// What belongs to a course: folders with lessons of a teacher's, and the file that a student gives to the teacher. The
/// student's name is asked for in place.
class CourseMenu : public QWidget {
    Q_OBJECT
public:
    explicit CourseMenu(Theme& theme, QWidget* parent = nullptr);

    void setFolders(const QStringList& folders);
    void setStudent(const QString& name);
    /// What came of writing the file, in place of the question; empty takes both away.
    void say(const QString& sentence, bool isProblem);

    [[nodiscard]] QToolButton* button() const { return m_button; } ///< to stand among the page's buttons
    [[nodiscard]] QMenu* menu() const { return m_menu; }
    [[nodiscard]] QAction* recordAction() const { return m_record; }
    [[nodiscard]] QLineEdit* nameField() const { return m_name; }
    [[nodiscard]] QPushButton* writeButton() const { return m_write; }

Q_SIGNALS:
    void folderAdded(const QString& folder);
    void folderRemoved(const QString& folder);
    void recordRequested(const QString& student, const QString& path);

private:
    void ask();
    void chooseFolder();
    void chooseFile();
    void refresh();

    QToolButton* m_button;
    QMenu* m_menu;
    QAction* m_add;
    QAction* m_record;
    QAction* m_gap;
    QList<QAction*> m_removals;
    QWidget* m_question;
    QLineEdit* m_name;
    QPushButton* m_write;
    QPushButton* m_decline;
    QLabel* m_said;
};

} // namespace kernelarium::ui
