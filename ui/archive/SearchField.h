// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/archive/search/SearchSyntax.h"
#include "ui/theme/Theme.h"

#include <QLineEdit>
#include <functional>

class QCompleter;
class QStringListModel;

namespace kernelarium::ui {

/// Where a search is typed. Completes the names of fields and the values that they take (at once after two letters, or
/// with Ctrl+Space) and underlines what is wrong.
class SearchField : public QLineEdit {
    Q_OBJECT
public:
    explicit SearchField(const Theme& theme, QWidget* parent = nullptr);

    /// Tasks and operators that there are: "1/23", "softmax".
    void setValues(const QStringList& tasks, const QStringList& operators);
    /// Who knows the reasons (true) and remarks (false) of our verdicts that there are; asked when they are completed.
    void setVerdictWords(std::function<QStringList(bool reasons)> words) { m_verdictWords = std::move(words); }
    /// In bytes of the text's UTF-8; of no length: nothing is wrong.
    void setProblem(const archive::SearchProblem& problem);
    [[nodiscard]] QStringList completions() const; ///< that fit the word at the cursor
    [[nodiscard]] bool isCompleting() const;
    /// Types a field behind what is there, "verdict:", and offers its values.
    void beginField(const QString& field);
    /// The text without what is unfinished at its end: a field that has no value yet ("tile class:" is "tile" until
    /// something stands there), OR, AND or NOT with nothing behind it.
    [[nodiscard]] QString finishedText() const;

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    [[nodiscard]] int wordBegin() const;
    void offer(bool asked);
    void complete(const QString& completion);

    const Theme& m_theme;
    QCompleter* m_completer;
    QStringListModel* m_words;
    QStringList m_tasks;
    QStringList m_operators;
    std::function<QStringList(bool)> m_verdictWords;
};

} // namespace kernelarium::ui
