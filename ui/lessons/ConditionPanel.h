// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/lesson/Evaluation.h"
#include "ui/theme/Theme.h"

#include <QWidget>

class QGridLayout;
class QLabel;
class QLineEdit;

namespace kernelarium::ui {

/// What a step asks for, one row for each condition: a shape for its state, the words, what was found.
/// Questions have a field for the reader's number.
class ConditionPanel : public QWidget {
    Q_OBJECT
public:
    explicit ConditionPanel(const Theme& theme, QWidget* parent = nullptr);

    void setStep(const lesson::Step& step, const std::map<std::string, double>& answers);
    /// As many results as the step has conditions.
    void showResults(const std::vector<lesson::ConditionResult>& results);
    /// What stands in the fields, whether or not Return was pressed there.
    void takeAnswers();
    [[nodiscard]] QLineEdit* answerField(const std::string& key) const;

Q_SIGNALS:
    void answered(const QString& key, double value);
    void answerCleared(const QString& key);

private:
    struct Row {
        QLabel* icon;
        QLabel* text;
        QLabel* sentence;
        QLineEdit* field = nullptr;
        std::string key;
        bool asksForPercent = false;
    };
    void addRow(const lesson::Condition& condition, const std::map<std::string, double>& answers);
    void takeAnswer(const Row& row);
    /// Empty: there is a number in it, or nothing.
    [[nodiscard]] static QString unreadable(const Row& row);
    void refresh();

    const Theme& m_theme;
    QGridLayout* m_grid;
    std::vector<Row> m_rows;
    std::vector<lesson::ConditionResult> m_results;
};

} // namespace kernelarium::ui
