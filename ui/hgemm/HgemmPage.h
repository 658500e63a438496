// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/hgemm/HeatSlices.h"
#include "ui/hgemm/HgemmDesk.h"
#include "ui/theme/Theme.h"
#include "ui/widgets/HoverCard.h"

#include <QWidget>

class QCheckBox;
class QComboBox;
class QLabel;
class QSlider;
class QStackedWidget;
class QToolButton;

namespace kernelarium::ui {

class EmptyState;
class FigureView;
class HeatPlot;
class LaboratoryView;
class Notices;
struct LaboratorySite;
struct WorkspacePaths;

/// Half-precision matrix multiplication. Published results: a heat map of one table and baseline, and every table's
/// means and worst cases. And the laboratory, where products are measured.
class HgemmPage : public QWidget {
    Q_OBJECT
public:
    HgemmPage(const LaboratorySite& site, Notices& notices, const WorkspacePaths& paths, Theme& theme,
              QWidget* parent = nullptr);

    void focusFirst(); ///< where the keyboard begins
    void import(const QStringList& files) { m_desk->import(files); }
    [[nodiscard]] HgemmDesk& desk() { return *m_desk; }
    [[nodiscard]] HeatPlot& map() { return *m_map; }
    [[nodiscard]] FigureView& summaries() { return *m_summaries; }
    [[nodiscard]] EmptyState& emptyState() { return *m_empty; }
    [[nodiscard]] QComboBox& table() { return *m_table; }
    [[nodiscard]] QComboBox& baseline() { return *m_baseline; }
    [[nodiscard]] QComboBox& plane() { return *m_plane; }
    [[nodiscard]] QSlider& third() { return *m_third; }
    [[nodiscard]] QCheckBox& every() { return *m_every; }
    [[nodiscard]] LaboratoryView& laboratory() { return *m_laboratory; }
    [[nodiscard]] QToolButton& publishedButton() { return *m_published; }
    [[nodiscard]] QToolButton& laboratoryButton() { return *m_measured; }
    [[nodiscard]] bool isInLaboratory() const; ///< else with what is published
    void setInLaboratory(bool inLaboratory);
    [[nodiscard]] QString headline() const;
    /// Shows a shape of the chosen table and points it out.
    void showShape(const hgemm::Shape& shape);

    [[nodiscard]] QByteArray saveState() const;
    void restoreState(const QByteArray& state);

Q_SIGNALS:
    void openRequested(); ///< tables are to be chosen
    void backRequested();
    void stateChanged();

protected:
    void showEvent(QShowEvent* event) override;

private:
    void build();
    QWidget* buildHead();
    QWidget* buildControls();
    void follow();
    void fillTables();
    void fillBaselines();
    void fillSummaries();
    void fillThird();
    void refreshMap();
    void refreshSentence();
    void refreshEmpty();
    void chooseSummary(int viewRow);
    [[nodiscard]] const HgemmResult* chosen() const;
    [[nodiscard]] HeatSlices::Plane planeNow() const;
    [[nodiscard]] int only() const;
    [[nodiscard]] Record recordOf(int mark) const;
    [[nodiscard]] QString numbers() const;

    Notices& m_notices;
    const WorkspacePaths& m_paths;
    Theme& m_theme;
    HgemmDesk* m_desk;
    QToolButton* m_back;
    QToolButton* m_published;
    QToolButton* m_measured;
    QToolButton* m_open;
    QToolButton* m_save;
    QLabel* m_headline;
    QLabel* m_subline;
    QComboBox* m_table;
    QComboBox* m_baseline;
    QComboBox* m_plane;
    QSlider* m_third;
    QLabel* m_thirdText;
    QCheckBox* m_every;
    HeatPlot* m_map;
    FigureView* m_summaries;
    EmptyState* m_empty;
    LaboratoryView* m_laboratory;
    QStackedWidget* m_body;
    std::unique_ptr<HeatSlices> m_slices;
    const HgemmResult* m_slicesOf = nullptr;
    const HgemmDesk::Results* m_filled = nullptr;
    std::optional<hgemm::Shape> m_shape;
    QString m_wantedTable, m_wantedBaseline; ///< of the last start, until tables are there
    bool m_filling = false;
};

} // namespace kernelarium::ui
