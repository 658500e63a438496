// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/worker/ProfileMessages.h"
#include "ui/verdict/EvidencePanel.h"

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

/// What the emulator counted at full size, and the time that follows from it.
class CountersPanel : public EvidencePanel {
    Q_OBJECT
public:
    CountersPanel(Workspace& workspace, Theme& theme, QWidget* parent = nullptr);

private:
    void refresh();
    Workspace& m_workspace;
};

[[nodiscard]] std::vector<VerdictModel::Group> runGroups(const worker::RunSummary& run);
[[nodiscard]] std::vector<VerdictModel::Group> profileGroups(const worker::ProfileSummary& profile);

} // namespace kernelarium::ui
