// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/NcuSource.h"
#include "gpu/protocol/ProfileMessages.h"
#include "ui/workspace/LineHeat.h"

#include <QObject>
#include <memory>
#include <vector>

namespace kernelarium::ui {

/// What the heat margin shows of each line.
enum class HeatCounter { instructions, sectors, conflicts, divergence, barriers, stalls };
inline constexpr HeatCounter heatCounters[] = {HeatCounter::instructions, HeatCounter::sectors,  HeatCounter::conflicts,
                                               HeatCounter::divergence,   HeatCounter::barriers, HeatCounter::stalls};
[[nodiscard]] QString titleOf(HeatCounter counter); ///< "Instructions"
[[nodiscard]] QString aboutOf(HeatCounter counter); ///< what its bars are made of

/// The counter by source line, the line with the most being 1. What hovering says has the figures of all counters, and
/// the findings of the line; lines with findings are there whatever the counter.
[[nodiscard]] std::vector<LineHeat> heatOf(const protocol::ProfileSummary& profile, HeatCounter counter);

using StalledLines = std::vector<profile::LineStalls>;
/// Lines by how often warps were seen at them, sampled by Nsight Compute; hovering says what they wait for.
[[nodiscard]] std::vector<LineHeat> heatOfStalls(const StalledLines& stalls);
/// "long_sb 72% (data of global, local, surface or texture memory)", a line for each of the commonest.
[[nodiscard]] QString stallsText(const profile::LineStalls& line);

/// The chosen counter of the last profile of the text as it stands, by source line.
class Heat : public QObject {
    Q_OBJECT
public:
    using Profile = std::shared_ptr<const protocol::ProfileSummary>;
    explicit Heat(QObject* parent = nullptr)
        : QObject(parent) {}

    void show(Profile profile); ///< null: nothing is known of this text any more
    /// What was sampled of the text as it stands; null: nothing. Other counters' hovering says it, too.
    void showStalls(std::shared_ptr<const StalledLines> stalls);
    [[nodiscard]] const std::vector<LineHeat>& lines() const { return m_lines; }
    [[nodiscard]] HeatCounter counter() const { return m_counter; }
    void setCounter(HeatCounter counter);

Q_SIGNALS:
    void changed();

private:
    void refresh();

    Profile m_profile;
    std::shared_ptr<const StalledLines> m_stalls;
    HeatCounter m_counter = HeatCounter::instructions;
    std::vector<LineHeat> m_lines;
};

} // namespace kernelarium::ui
