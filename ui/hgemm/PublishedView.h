// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/hgemm/HeatSlices.h"
#include "ui/hgemm/HgemmDesk.h"
#include "ui/widgets/HoverCard.h"

#include <QWidget>
#include <memory>
#include <optional>

class QCheckBox;
class QComboBox;
class QDataStream;
class QLabel;
class QSlider;
class QStackedWidget;

namespace kernelarium::ui {

class EmptyState;
class FigureView;
class HeatPlot;
class Notices;
class Theme;

/// Published results: a heat map of one table and baseline, and every table's means and worst cases.
class PublishedView : public QWidget {
    Q_OBJECT
public:
    PublishedView(const HgemmDesk& desk, Notices& notices, Theme& theme, QWidget* parent = nullptr);

    [[nodiscard]] HeatPlot& map() { return *m_map; }
    [[nodiscard]] FigureView& summaries() { return *m_summaries; }
    [[nodiscard]] EmptyState& emptyState() { return *m_empty; }
    [[nodiscard]] QComboBox& table() { return *m_table; }
    [[nodiscard]] QComboBox& baseline() { return *m_baseline; }
    [[nodiscard]] QComboBox& plane() { return *m_plane; }
    [[nodiscard]] QSlider& third() { return *m_third; }
    [[nodiscard]] QCheckBox& every() { return *m_every; }
    [[nodiscard]] bool isEmpty() const { return m_desk.results().empty(); }
    [[nodiscard]] QString sentence() const; ///< of the chosen table and baseline
    [[nodiscard]] QString facts() const;    ///< that stand below it
    bool focusFirst();                      ///< false: nothing here takes the focus
    /// Shows a shape of the chosen table and points it out.
    void showShape(const hgemm::Shape& shape);
    void follow(); ///< what the desk has now

    void save(QDataStream& out) const;
    void restore(QDataStream& in);

Q_SIGNALS:
    void openRequested(); ///< tables are to be chosen
    void shownChanged();  ///< the sentence and the facts
    void appeared();      ///< the first table, where the empty state was
    void stateChanged();

private:
    void build();
    QWidget* buildControls();
    void connectParts();
    void fillTables();
    void fillBaselines();
    void fillThird();
    void refreshMap();
    void refreshEmpty();
    void chooseSummary(int viewRow);
    [[nodiscard]] const HgemmResult* chosen() const;
    [[nodiscard]] HeatSlices::Plane planeNow() const;
    [[nodiscard]] int only() const;
    [[nodiscard]] Record recordOf(int mark) const;
    [[nodiscard]] QString numbers() const;

    const HgemmDesk& m_desk;
    Notices& m_notices;
    QComboBox* m_table;
    QComboBox* m_baseline;
    QComboBox* m_plane;
    QSlider* m_third;
    QLabel* m_thirdText;
    QCheckBox* m_every;
    HeatPlot* m_map;
    FigureView* m_summaries;
    EmptyState* m_empty;
    QStackedWidget* m_body;
    std::unique_ptr<HeatSlices> m_slices;
    const HgemmResult* m_slicesOf = nullptr;
    const HgemmDesk::Results* m_filled = nullptr;
    std::optional<hgemm::Shape> m_shape;
    QString m_wantedTable, m_wantedBaseline; ///< of the last start, until tables are there
    bool m_filling = false;
};

} // namespace kernelarium::ui
