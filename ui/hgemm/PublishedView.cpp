// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/hgemm/PublishedView.h"

#include "ui/hgemm/HeatPlot.h"
#include "ui/hgemm/HgemmFigures.h"
#include "ui/statistics/FigureView.h"
#include "ui/widgets/EmptyState.h"
#include "ui/workspace/Notices.h"

#include <QBoxLayout>
#include <QCheckBox>
#include <QComboBox>
#include <QDataStream>
#include <QLabel>
#include <QSlider>
#include <QSplitter>
#include <QStackedWidget>

namespace kernelarium::ui {

PublishedView::PublishedView(const HgemmDesk& desk, Notices& notices, Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_desk(desk)
    , m_notices(notices)
    , m_table(new QComboBox)
    , m_baseline(new QComboBox)
    , m_plane(new QComboBox)
    , m_third(new QSlider(Qt::Horizontal))
    , m_thirdText(new QLabel)
    , m_every(new QCheckBox(tr("All at once")))
    , m_map(new HeatPlot(theme))
    , m_summaries(new FigureView(theme))
    , m_empty(new EmptyState(theme, QStringLiteral("heatmap")))
    , m_body(new QStackedWidget) {
    build();
    connectParts();
    follow();
}

void PublishedView::connectParts() {
    m_map->recordFor = [this](int mark) { return recordOf(mark); };
    m_map->numbersFor = [this] { return numbers(); };
    connect(m_empty, &EmptyState::actionRequested, this, &PublishedView::openRequested);
    connect(m_map, &PlotPanel::failed, this, [this](const QString& text) { m_notices.post(text, true); });
    connect(m_map, &HeatPlot::cellActivated, this, [this](int mark) {
        m_shape = m_slices->shapeOf(planeNow(), only(), mark);
        refreshMap();
    });
    connect(m_summaries, &FigureView::failed, this, [this](const QString& text) { m_notices.post(text, true); });
    connect(m_summaries, &FigureView::rowEntered, this, &PublishedView::chooseSummary);
    connect(m_table, &QComboBox::currentIndexChanged, this, [this] {
        if (m_filling) return;
        fillBaselines();
        fillThird();
        refreshMap();
        Q_EMIT stateChanged();
    });
    connect(m_baseline, &QComboBox::currentIndexChanged, this, [this] {
        if (m_filling) return;
        refreshMap();
        Q_EMIT stateChanged();
    });
    connect(m_plane, &QComboBox::currentIndexChanged, this, [this] {
        fillThird();
        refreshMap();
        Q_EMIT stateChanged();
    });
    connect(m_third, &QSlider::valueChanged, this, &PublishedView::refreshMap);
    connect(m_every, &QCheckBox::toggled, this, [this] {
        refreshMap();
        Q_EMIT stateChanged();
    });
}

void PublishedView::build() {
    auto* split = new QSplitter(Qt::Vertical);
    split->setHandleWidth(1);
    split->setChildrenCollapsible(false);
    auto* top = new QWidget;
    auto* topLayout = new QVBoxLayout(top);
    topLayout->setContentsMargins(0, 0, 0, 0);
    topLayout->setSpacing(0);
    topLayout->addWidget(buildControls());
    topLayout->addWidget(m_map, 1);
    split->addWidget(top);
    split->addWidget(m_summaries);
    split->setStretchFactor(0, 3);
    split->setStretchFactor(1, 1);
    m_body->addWidget(split);
    m_body->addWidget(m_empty);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_body);
}

QWidget* PublishedView::buildControls() {
    const auto make = [](QComboBox* box, const QString& name, const QString& tip) {
        box->setAccessibleName(name);
        box->setToolTip(tip);
        box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    };
    make(m_table, tr("Table"),
         tr("Device, precision of accumulator, A, B and C, and how calls arrive: offline back to back, server one by "
            "one"));
    make(m_baseline, tr("Baseline"), tr("What the speed-up is over; -max is the faster of both layouts"));
    make(m_plane, tr("Axes"), tr("The two sizes that the map is drawn over"));
    m_plane->addItems({tr("M × N"), tr("M × K"), tr("N × K")});
    m_third->setAccessibleName(tr("Third size"));
    m_third->setToolTip(tr("The size that is not an axis: arrow keys and the wheel"));
    m_third->setPageStep(1);
    m_third->setMinimumWidth(96);
    m_thirdText->setMinimumWidth(fontMetrics().horizontalAdvance(QStringLiteral("K = 16384 ")));
    m_every->setToolTip(tr("A small map for each value of the third size"));
    auto* bar = new QWidget;
    auto* layout = new QHBoxLayout(bar);
    layout->setContentsMargins(12, 8, 8, 8);
    layout->setSpacing(8);
    for (QComboBox* box : {m_table, m_baseline, m_plane})
        layout->addWidget(box);
    layout->addWidget(m_thirdText);
    layout->addWidget(m_third, 1);
    layout->addWidget(m_every);
    return bar;
}

const HgemmResult* PublishedView::chosen() const {
    const auto& results = m_desk.results();
    const int at = m_table->currentIndex();
    return at >= 0 && std::size_t(at) < results.size() ? &results[std::size_t(at)] : nullptr;
}

HeatSlices::Plane PublishedView::planeNow() const {
    return static_cast<HeatSlices::Plane>(m_plane->currentIndex());
}
int PublishedView::only() const {
    return m_every->isChecked() ? -1 : m_third->value();
}

/// Keeps the chosen table and baseline by name.
void PublishedView::fillTables() {
    const QString before = m_table->currentIndex() >= 0 ? m_table->currentText() : m_wantedTable;
    m_slicesOf = nullptr;
    m_slices.reset();
    {
        m_filling = true;
        m_table->clear();
        for (const HgemmResult& result : m_desk.results())
            m_table->addItem(QString::fromStdString(result.table.title()));
        m_table->setCurrentIndex(m_table->count() > 0 ? std::max(0, m_table->findText(before)) : -1);
        m_filling = false;
    }
    fillBaselines();
    fillThird();
    refreshMap();
}

void PublishedView::fillBaselines() {
    const QString before = m_baseline->currentIndex() >= 0 ? m_baseline->currentText() : m_wantedBaseline;
    m_filling = true;
    m_baseline->clear();
    if (const HgemmResult* result = chosen())
        for (const std::string& name : result->table.baselines)
            m_baseline->addItem(QString::fromStdString(name));
    m_baseline->setCurrentIndex(m_baseline->count() > 0 ? std::max(0, m_baseline->findText(before)) : -1);
    m_filling = false;
}

void PublishedView::fillThird() {
    const HgemmResult* result = chosen();
    if (result != m_slicesOf) {
        m_slices = result ? std::make_unique<HeatSlices>(result->table) : nullptr;
        m_slicesOf = result;
    }
    const QSignalBlocker quiet(m_third);
    const int last = m_slices ? int(m_slices->third(planeNow()).size()) - 1 : 0;
    const bool sameRange = m_third->maximum() == last;
    m_third->setRange(0, std::max(0, last));
    if (!sameRange) m_third->setValue(last / 2);
}

void PublishedView::refreshMap() {
    const bool there = m_slices && m_baseline->currentIndex() >= 0;
    m_third->setEnabled(there && !m_every->isChecked());
    if (!there) {
        m_map->setData({});
        Q_EMIT shownChanged();
        return;
    }
    const auto& thirds = m_slices->third(planeNow());
    m_thirdText->setText(m_every->isChecked() ? tr("every %1").arg(HeatSlices::thirdName(planeNow()))
                                              : QStringLiteral("%1 = %2")
                                                    .arg(HeatSlices::thirdName(planeNow()))
                                                    .arg(thirds[std::size_t(m_third->value())]));
    HeatData data = m_slices->data(planeNow(), m_baseline->currentIndex(), only());
    if (m_shape) data.chosen = m_slices->cellOf(planeNow(), only(), *m_shape);
    m_map->setData(std::move(data));
    Q_EMIT shownChanged();
}

void PublishedView::showShape(const hgemm::Shape& shape) {
    m_shape = shape;
    if (!m_slices) return;
    const auto& thirds = m_slices->third(planeNow());
    const std::int64_t value = planeNow() == HeatSlices::Plane::mn   ? shape.k
                               : planeNow() == HeatSlices::Plane::mk ? shape.n
                                                                     : shape.m;
    const auto found = std::find(thirds.begin(), thirds.end(), value);
    const QSignalBlocker quiet(m_third);
    if (found != thirds.end()) m_third->setValue(int(found - thirds.begin()));
    refreshMap();
}

void PublishedView::chooseSummary(int viewRow) {
    if (viewRow < 0 || !m_summaries->hasFocus()) return; // not the reader's doing
    const qint64 key = m_summaries->rowAt(viewRow).key;
    const auto [table, baseline] = hgemmPlace(key);
    m_table->setCurrentIndex(table);
    m_baseline->setCurrentIndex(baseline);
    if (const HgemmResult* result = chosen();
        result && baseline < int(result->summaries.size()) && result->summaries[std::size_t(baseline)].shapes > 0)
        showShape(result->summaries[std::size_t(baseline)].worstShape);
}

Record PublishedView::recordOf(int mark) const {
    const HgemmResult* result = chosen();
    if (!result || !m_slices) return {};
    return hgemmRecord(*result, *m_slices, m_slices->shapeOf(planeNow(), only(), mark));
}

QString PublishedView::numbers() const {
    const HgemmResult* result = chosen();
    if (!result || !m_slices) return {};
    std::vector<hgemm::Shape> shapes;
    for (int mark = 0; mark < m_map->plot().markCount(); ++mark)
        shapes.push_back(m_slices->shapeOf(planeNow(), only(), mark));
    return hgemmNumbers(*result, *m_slices, shapes);
}

void PublishedView::follow() {
    if (m_filled != &m_desk.results()) {
        m_filled = &m_desk.results();
        fillTables();
        m_summaries->setTable(hgemmFigures(m_desk.results()));
    }
    refreshEmpty();
    Q_EMIT shownChanged();
}

bool PublishedView::focusFirst() {
    QWidget* const places[] = {m_table, m_empty->button()};
    for (QWidget* place : places)
        if (place->isVisibleTo(this)) {
            place->setFocus(Qt::ShortcutFocusReason);
            return true;
        }
    return false;
}

QString PublishedView::sentence() const {
    const HgemmResult* result = chosen();
    const int at = m_baseline->currentIndex();
    if (!result || at < 0 || std::size_t(at) >= result->summaries.size())
        return tr("Published results of half-precision matrix multiplication");
    return hgemmSentence(*result, at);
}

QString PublishedView::facts() const {
    const HgemmResult* result = chosen();
    const int at = m_baseline->currentIndex();
    if (!result || at < 0 || std::size_t(at) >= result->summaries.size())
        return tr("Speed-ups of kernels over PyTorch and cuBLAS, by the shape of the product");
    QStringList facts{tr("archived: published with the kernels, not measured here"), tr("C[M,N] = A[M,K] · B[K,N]"),
                      tr("from %1").arg(QString::fromStdString(result->table.origin))};
    if (m_shape)
        if (const int row = m_slices ? m_slices->rowOf(*m_shape) : -1; row >= 0)
            facts << tr("framed: %1, %2")
                         .arg(shapeText(*m_shape),
                              hgemmRatio(result->table.speedups[std::size_t(at)][std::size_t(row)]));
    return facts.join(QStringLiteral(" · "));
}

void PublishedView::refreshEmpty() {
    const bool first = m_body->currentIndex() == 1 && !isEmpty();
    m_body->setCurrentIndex(isEmpty() ? 1 : 0);
    if (first) Q_EMIT appeared();
    if (!isEmpty()) return;
    m_empty->setAction(tr("Open tables…"), tr("Choose published tables, CSV"));
    if (m_desk.stage() == Stage::running) {
        m_empty->setTexts(tr("Being read"), tr("The tables appear in a moment."));
        m_empty->setAction({}, {});
    } else if (m_desk.stage() == Stage::failed) {
        m_empty->setTexts(tr("The tables could not be read"), QString::fromStdString(m_desk.error().text()));
    } else {
        m_empty->setTexts(
            tr("No table was imported"),
            tr("A table holds the speed-ups of kernels over PyTorch and cuBLAS for many shapes M, N, K on one device. "
               "It is a CSV file named …\u2060_DEVICE_PRECISION_speedup_MODE.csv; F1 explains its columns. Drop files here, "
               "or:"));
    }
}

void PublishedView::save(QDataStream& out) const {
    const bool there = m_table->currentIndex() >= 0;
    out << (there ? m_table->currentText() : m_wantedTable) << (there ? m_baseline->currentText() : m_wantedBaseline)
        << qint32(m_plane->currentIndex()) << m_every->isChecked();
}

void PublishedView::restore(QDataStream& in) {
    QString table, baseline;
    qint32 plane = 0;
    bool every = false;
    in >> table >> baseline >> plane >> every;
    if (in.status() != QDataStream::Ok) return;
    m_wantedTable = table;
    m_wantedBaseline = baseline;
    m_plane->setCurrentIndex(std::clamp(plane, 0, 2));
    m_every->setChecked(every);
    if (const int at = m_table->findText(table); at >= 0) m_table->setCurrentIndex(at);
    if (const int at = m_baseline->findText(baseline); at >= 0) m_baseline->setCurrentIndex(at);
}

} // namespace kernelarium::ui
