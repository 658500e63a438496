// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/perf/MeasuredCeilings.h"
#include "ui/plots/PlotPanel.h"
#include "ui/plots/RooflineCanvas.h"

#include <vector>

namespace kernelarium::ui {

/// Where kernels stand under the roofs of a device, and why.
class RooflinePlot : public PlotPanel {
    Q_OBJECT
public:
    explicit RooflinePlot(Theme& theme, QWidget* parent = nullptr);

    /// Shows the roofs of device memory, L2, shared memory, float32, and the tensor cores' tf32 and float16.
    void setDevice(const perf::DeviceSpec& device);
    /// What the device was seen to reach, beside its data sheet; null: it was never measured. After setDevice().
    void setMeasured(const perf::MeasuredCeilings* ceilings, const perf::DeviceSpec& device);
    void setPoints(std::vector<RooflinePoint> points);
    /// Ids of this session's attempts in order; those without a point are left out.
    void setTrail(std::vector<qint64> ids);
    /// Marks a point as chosen; none where no point has the id. Emits nothing.
    void select(qint64 id);
    [[nodiscard]] const std::vector<RooflinePoint>& points() const { return m_data.points; }
    [[nodiscard]] RooflineCanvas& plot() const { return m_plot; }

    [[nodiscard]] QString svg(QSize size, const Palette& palette) const override;
    [[nodiscard]] QString numbers() const override;
    [[nodiscard]] Record recordOf(int mark) const override;

    /// Switches of the roofs, one for each that the device has.
    [[nodiscard]] QList<QAction*> roofActions() const { return m_roofActions; }

    /// Switch of the layer that marks well-known work (perf::referencePoints) on the roof.
    [[nodiscard]] QAction* referenceAction() const { return m_referenceAction; }

Q_SIGNALS:
    void pointActivated(qint64 id);

protected:
    void activate(int mark) override;
    void fillMenu(QMenu& menu, int mark) override;

private:
    RooflinePlot(Theme& theme, RooflineCanvas* canvas, QWidget* parent);
    void refresh();
    void makeRoofActions();
    template <class Kind> void addRoofAction(std::set<Kind>& shown, Kind kind);

    RooflineCanvas& m_plot;
    RooflineData m_data;
    QList<QAction*> m_roofActions;
    QAction* m_referenceAction;
};

} // namespace kernelarium::ui
