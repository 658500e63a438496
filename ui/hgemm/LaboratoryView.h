// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/hgemm/LaboratoryBar.h"
#include "ui/hgemm/LaboratoryFigures.h"

#include <QWidget>

class QComboBox;
class QLabel;

namespace kernelarium::ui {

class ChartPlot;
class DeviceDesk;
class FigureView;
class Notices;
class Place;
class Theme;

/// What the laboratory shares with the rest of the window.
struct LaboratorySite {
    ChildQueue& runner;
    DeviceDesk& devices;
    Place& place; ///< whose machine the products are measured on
};

/// Products measured beside the libraries, one device and one mode at a time, and what is recorded of others: a plot,
/// and a table.
class LaboratoryView : public QWidget {
    Q_OBJECT
public:
    LaboratoryView(const LaboratorySite& site, Notices& notices, Theme& theme, QWidget* parent = nullptr);

    [[nodiscard]] LaboratoryDesk& desk() { return *m_desk; }
    [[nodiscard]] LaboratoryBar& bar() { return *m_bar; }
    [[nodiscard]] ChartPlot& chart() { return *m_chart; }
    [[nodiscard]] FigureView& table() { return *m_table; }
    [[nodiscard]] QComboBox& plotBox() { return *m_plot; }
    [[nodiscard]] QComboBox& axisBox() { return *m_axis; }
    [[nodiscard]] QComboBox& deviceBox() { return *m_device; }
    [[nodiscard]] QLabel& obstacle() { return *m_obstacle; } ///< shown where nothing can be measured: why
    [[nodiscard]] const std::vector<LaboratoryEntry>& entries() const { return m_entries; }
    [[nodiscard]] QString device() const; ///< whose figures are shown; empty where there are none
    [[nodiscard]] QString sentence() const { return laboratorySentence(m_entries, device(), m_bar->mode()); }
    [[nodiscard]] QString origins() const { return laboratoryOrigins(m_entries); }
    void setPublished(const HgemmDesk::Results* published); ///< whose claims stand beside; not null

    [[nodiscard]] QByteArray saveState() const;
    void restoreState(const QByteArray& state);

Q_SIGNALS:
    void shownChanged(); ///< the entries
    void stateChanged();

protected:
    void showEvent(QShowEvent* event) override;

private:
    void build();
    void start();
    void refresh();
    void refreshChart();
    void refreshObstacle();
    void fillDevices();
    [[nodiscard]] QString gpuAtHand() const; ///< of the place's machine; empty: none, or it was not asked yet
    [[nodiscard]] LaboratorySources sources() const;

    LaboratorySite m_site;
    Notices& m_notices;
    LaboratoryDesk* m_desk;
    LaboratoryBar* m_bar;
    QLabel* m_obstacle;
    QComboBox* m_plot;
    QComboBox* m_axis;
    QComboBox* m_device;
    QString m_wantedDevice; ///< chosen by hand; empty: the GPU at hand
    ChartPlot* m_chart;
    FigureView* m_table;
    const HgemmDesk::Results* m_published = nullptr;
    std::vector<LaboratoryEntry> m_entries;
};

} // namespace kernelarium::ui
