// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/TorchProfile.h"
#include "ui/plots/PlotPanel.h"
#include "ui/profiles/TorchCanvas.h"

class QComboBox;

namespace kernelarium::ui {

/// Where PyTorch's profiler saw the time go, as bars.
class TorchPlot : public PlotPanel {
    Q_OBJECT
public:
    /// Which of an entry's times: without or with what it calls, on the device or the processor.
    enum class Time { deviceSelf, deviceTotal, cpuSelf, cpuTotal };
    static constexpr int mostBars = 24;

    explicit TorchPlot(Theme& theme, QWidget* parent = nullptr);

    void setProfile(profile::TorchProfile profile);
    [[nodiscard]] QComboBox& chooser() const { return *m_chooser; }
    [[nodiscard]] TorchCanvas& plot() const { return m_plot; }

    [[nodiscard]] QString svg(QSize size, const Palette& palette) const override;
    /// Every entry, those without a bar included.
    [[nodiscard]] QString numbers() const override;
    [[nodiscard]] Record recordOf(int mark) const override;

protected:
    void activate(int) override {}
    void fillMenu(QMenu&, int) override {}

private:
    TorchPlot(Theme& theme, TorchCanvas* canvas, QWidget* parent);
    void offerTimes();
    void refresh();
    [[nodiscard]] std::vector<TimeBar> shownBars() const;
    [[nodiscard]] Time chosen() const;

    TorchCanvas& m_plot;
    QComboBox* m_chooser;
    profile::TorchProfile m_profile;
};

[[nodiscard]] std::optional<double> timeOf(const profile::TorchEntry& entry, TorchPlot::Time time);

} // namespace kernelarium::ui
