// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/audit/AuditFacets.h"
#include "ui/theme/Theme.h"

#include <QTreeWidget>

namespace kernelarium::ui {

/// Verdicts, reasons and claims with how many kernels have each; ticking words narrows the list to them.
class FacetTree : public QTreeWidget {
    Q_OBJECT
public:
    explicit FacetTree(Theme& theme, QWidget* parent = nullptr);

    void setCounts(const audit::FacetCounts& counts);
    [[nodiscard]] const audit::FacetChoice& choice() const { return m_choice; }
    void clearChoice();
    /// The item of a word, by the facet's number (0 verdicts, 1 reasons, 2 claims); null where it is not shown.
    [[nodiscard]] QTreeWidgetItem* itemOf(int facet, const QString& word) const;

Q_SIGNALS:
    void choiceChanged();

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void fill(int facet, const audit::Counts& counts);
    void take(QTreeWidgetItem* item);
    void restyle();

    Theme& m_theme;
    audit::FacetChoice m_choice;
    audit::FacetCounts m_counts;
    bool m_filling = false;
};

} // namespace kernelarium::ui
