// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/Theme.h"
#include "ui/verdict/VerdictModel.h"

#include <QWidget>

class QLabel;
class QPushButton;
class QStackedWidget;
class QTreeView;
class QVBoxLayout;

namespace kernelarium::ui {

class Bench;

/// Facts in groups under one sentence; what can be gone to is gone to with a click or Return.
class EvidencePanel : public QWidget {
    Q_OBJECT
public:
    EvidencePanel(Bench& bench, Theme& theme, const QString& name, QWidget* parent = nullptr);

    void show(const QString& sentence, std::vector<VerdictModel::Group> groups);
    /// Instead of facts: what this panel will show, and the button that fills it (empty: none).
    void showEmpty(const QString& text, const QString& button, const QString& toolTip);
    /// Under the sentence, above the facts.
    void addTool(QWidget* tool);
    [[nodiscard]] QTreeView& tree() { return *m_tree; }
    [[nodiscard]] QString sentence() const;
    [[nodiscard]] bool isEmpty() const;

Q_SIGNALS:
    void buttonClicked();

private:
    void activate(const QModelIndex& index);

    Bench& m_bench;
    VerdictModel* m_model;
    QLabel* m_sentence;
    QTreeView* m_tree;
    QLabel* m_empty;
    QPushButton* m_button;
    QStackedWidget* m_pages;
    QVBoxLayout* m_facts;
};

} // namespace kernelarium::ui
