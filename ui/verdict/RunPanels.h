// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/protocol/ProfileMessages.h"
#include "ui/verdict/EvidencePanel.h"

class QComboBox;

namespace kernelarium::ui {

class Heat;
class RunDesk;
class Trials;

/// What a plain run gave: outputs in figures, launches, what was printed.
class OutputPanel : public EvidencePanel {
    Q_OBJECT
public:
    /// What it observes and asks; all outlive it.
    struct Around {
        Bench& bench;
        RunDesk& runner;
        Trials& trials;
    };
    OutputPanel(const Around& around, Theme& theme, QWidget* parent = nullptr);

private:
    void refresh();
    Around m_with;
};

/// What the emulator counted at full size, the time that follows from it, and what costs it; which counter the heat
/// margin of the editor shows is chosen here.
class CountersPanel : public EvidencePanel {
    Q_OBJECT
public:
    /// What it observes and asks; all outlive it.
    struct Around {
        Bench& bench;
        RunDesk& runner;
        Trials& trials;
        Heat& heat;
    };
    CountersPanel(const Around& around, Theme& theme, QWidget* parent = nullptr);

private:
    void addHeatChooser();
    void refresh();
    Around m_with;
    QComboBox* m_heat = nullptr;
};

[[nodiscard]] std::vector<VerdictModel::Group> runGroups(const protocol::RunSummary& run);
[[nodiscard]] std::vector<VerdictModel::Group> profileGroups(const protocol::ProfileSummary& profile);

} // namespace kernelarium::ui
