// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/profiles/NcuModel.h"

#include <QSet>
#include <QWidget>

class QLabel;
class QPushButton;
class QTreeView;

namespace kernelarium::ui {

/// Figures of Nsight Compute in a tree, what the current one means beneath. Groups stay folded as the reader left them.
class NcuPage : public QWidget {
    Q_OBJECT
public:
    explicit NcuPage(Theme& theme, QWidget* parent = nullptr);

    void show(const QString& sentence, std::vector<NcuGroup> groups);
    [[nodiscard]] QTreeView& tree() { return *m_tree; }
    [[nodiscard]] QPushButton& measureButton() { return *m_measure; }
    [[nodiscard]] QString sentence() const;
    [[nodiscard]] QString explanation() const;

private:
    void explain(const QModelIndex& index);

    NcuModel* m_model;
    QLabel* m_sentence;
    QPushButton* m_measure;
    QTreeView* m_tree;
    QLabel* m_about;
    QSet<QString> m_folded; ///< titles
};

} // namespace kernelarium::ui
