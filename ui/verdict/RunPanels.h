// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/protocol/ProfileMessages.h"
#include "ui/verdict/EvidencePanel.h"

class QComboBox;

namespace kernelarium::ui {

/// What a plain run gave: outputs in figures, launches, what was printed.
class OutputPanel : public EvidencePanel {
    Q_OBJECT
public:
    OutputPanel(Workspace& workspace, Theme& theme, QWidget* parent = nullptr);

private:
    void refresh();
    Workspace& m_workspace;
};

/// What the emulator counted at full size, the time that follows from it, and what costs it; which counter the heat
/// margin of the editor shows is chosen here.
class CountersPanel : public EvidencePanel {
    Q_OBJECT
public:
    CountersPanel(Workspace& workspace, Theme& theme, QWidget* parent = nullptr);

private:
    void addHeatChooser();
    void refresh();
    Workspace& m_workspace;
    QComboBox* m_heat = nullptr;
};

[[nodiscard]] std::vector<VerdictModel::Group> runGroups(const protocol::RunSummary& run);
[[nodiscard]] std::vector<VerdictModel::Group> profileGroups(const protocol::ProfileSummary& profile);

} // namespace kernelarium::ui
