// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tensors/TensorBar.h"

#include "ui/tensors/TensorWords.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <algorithm>
#include <limits>

namespace kernelarium::ui {

namespace {
QLabel* barLabel(const QString& text) {
    auto* label = new QLabel(text);
    label->setProperty("role", "muted");
    return label;
}
} // namespace

TensorBar::TensorBar(QWidget* parent)
    : QWidget(parent)
    , m_tensors(new QComboBox)
    , m_seen(barLabel(tr("Rows")))
    , m_row(new QComboBox)
    , m_by(barLabel(tr("Columns")))
    , m_column(new QComboBox)
    , m_beside(new QHBoxLayout)
    , m_below(new QHBoxLayout)
    , m_look(new QPushButton(tr("Look"))) {
    m_tensors->setAccessibleName(tr("Tensor"));
    m_tensors->setToolTip(tr("Which input, output, reference or difference is shown"));
    m_tensors->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    for (QComboBox* box : {m_row, m_column})
        box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_row->setAccessibleName(tr("Dimension that goes down"));
    m_column->setAccessibleName(tr("Dimension that goes to the right"));
    m_row->setToolTip(tr("The dimension whose indexes are the rows"));
    m_column->setToolTip(tr("The dimension whose indexes are the columns"));
    m_seen->setBuddy(m_row);
    m_by->setBuddy(m_column);
    m_beside->setSpacing(4);
    m_below->setSpacing(4);
    auto* both = new QVBoxLayout(this);
    both->setContentsMargins(8, 4, 8, 4);
    both->setSpacing(4);
    auto* layout = new QHBoxLayout;
    layout->setSpacing(4);
    both->addLayout(layout);
    both->addLayout(m_below);
    layout->addWidget(m_tensors);
    layout->addSpacing(4);
    layout->addWidget(m_seen);
    layout->addWidget(m_row);
    layout->addWidget(m_by);
    layout->addWidget(m_column);
    layout->addLayout(m_beside);
    layout->addStretch(1);
    layout->addWidget(m_look);
    connect(m_tensors, &QComboBox::currentIndexChanged, this, [this] {
        fillDimensions();
        Q_EMIT entryChosen();
    });
    connect(m_row, &QComboBox::currentIndexChanged, this, [this] { chooseDimension(m_row); });
    connect(m_column, &QComboBox::currentIndexChanged, this, [this] { chooseDimension(m_column); });
    connect(m_look, &QPushButton::clicked, this, &TensorBar::lookRequested);
    fillDimensions();
}

void TensorBar::setEntries(std::vector<tensorview::Entry> entries) {
    const std::optional<tensorview::Entry> before = entry();
    m_entries = std::move(entries);
    const QSignalBlocker quiet(m_tensors);
    m_tensors->clear();
    int current = 0;
    for (std::size_t k = 0; k < m_entries.size(); ++k) {
        m_tensors->addItem(subjectText(m_entries[k]));
        m_tensors->setItemData(int(k), shapeText(m_entries[k]), Qt::ToolTipRole);
        if (before && before->subject == m_entries[k].subject) current = int(k);
    }
    m_tensors->setCurrentIndex(m_entries.empty() ? -1 : current);
    fillDimensions();
}

std::optional<tensorview::Entry> TensorBar::entry() const {
    const int at = m_tensors->currentIndex();
    return at >= 0 && std::size_t(at) < m_entries.size() ? std::optional(m_entries[std::size_t(at)]) : std::nullopt;
}

void TensorBar::choose(const tensorview::Subject& subject) {
    for (std::size_t k = 0; k < m_entries.size(); ++k)
        if (m_entries[k].subject == subject) m_tensors->setCurrentIndex(int(k));
}

void TensorBar::fillDimensions() {
    const std::optional<tensorview::Entry> now = entry();
    const tensor::Shape shape = now ? now->shape : tensor::Shape();
    // A vector has but its columns, a number nothing to choose.
    for (QWidget* w : std::initializer_list<QWidget*>{m_seen, m_row, m_by, m_column})
        w->setVisible(shape.size() >= 2);
    if (shape == m_shape && m_row->count() == int(shape.size())) return; // tensors of one shape keep the slice
    m_shape = shape;
    m_at.assign(shape.size(), 0);
    {
        const QSignalBlocker quietRow(m_row), quietColumn(m_column);
        for (QComboBox* box : {m_row, m_column}) {
            box->clear();
            for (std::size_t d = 0; d < shape.size(); ++d)
                box->addItem(tr("dim %1 (%2)").arg(d).arg(shape[d]));
        }
        m_column->setCurrentIndex(int(shape.size()) - 1);
        m_row->setCurrentIndex(std::max(-1, int(shape.size()) - 2));
    }
    fillIndexes();
}

std::optional<std::size_t> TensorBar::dimensionOf(const QComboBox& box) const {
    return box.currentIndex() >= 0 ? std::optional(std::size_t(box.currentIndex())) : std::nullopt;
}

/// The two dimensions differ: who takes the other's gives it its own.
void TensorBar::chooseDimension(QComboBox* changed) {
    QComboBox* other = changed == m_row ? m_column : m_row;
    if (changed->currentIndex() == other->currentIndex()) {
        const QSignalBlocker quiet(other);
        std::vector<bool> taken(m_shape.size(), false);
        taken[std::size_t(changed->currentIndex())] = true;
        const auto free = std::find(taken.rbegin(), taken.rend(), false);
        other->setCurrentIndex(free == taken.rend() ? -1 : int(taken.rend() - free) - 1);
    }
    fillIndexes();
    Q_EMIT sliceChanged();
}

void TensorBar::fillIndexes() {
    for (QHBoxLayout* layout : {m_beside, m_below})
        while (QLayoutItem* item = layout->takeAt(0)) {
            if (item->widget()) {
                item->widget()->hide();
                item->widget()->deleteLater();
            }
            delete item;
        }
    // One fits beside the others; more would ask for a wider panel.
    constexpr std::size_t mostBeside = 3;
    QHBoxLayout* layout = m_shape.size() <= mostBeside ? m_beside : m_below;
    m_indexes.assign(m_shape.size(), nullptr);
    QWidget* before = m_column;
    for (std::size_t d = 0; d < m_shape.size(); ++d) {
        if (dimensionOf(*m_row) == d || dimensionOf(*m_column) == d) continue;
        auto* box = new QSpinBox;
        const std::int64_t last = std::clamp<std::int64_t>(m_shape[d] - 1, 0, std::numeric_limits<int>::max());
        box->setRange(0, int(last));
        box->setValue(int(std::min(m_at[d], last)));
        box->setWrapping(true);
        box->setAccessibleName(tr("Index of dimension %1").arg(d));
        box->setToolTip(tr("Where dimension %1 stands: 0 to %2").arg(d).arg(last));
        box->setMinimumWidth(52);
        box->setMaximumWidth(88);
        auto* label = barLabel(tr("%1:").arg(d));
        label->setBuddy(box);
        layout->addWidget(label);
        layout->addWidget(box);
        m_indexes[d] = box;
        connect(box, &QSpinBox::valueChanged, this, [this, d](int value) {
            m_at[d] = value;
            Q_EMIT sliceChanged();
        });
        setTabOrder(before, box);
        before = box;
    }
    setTabOrder(before, m_look);
    if (layout == m_below) m_below->addStretch(1);
}

QSpinBox* TensorBar::indexBox(std::size_t dimension) const {
    return dimension < m_indexes.size() ? m_indexes[dimension] : nullptr;
}

tensorview::SliceRequest TensorBar::slice() const {
    tensorview::SliceRequest slice;
    slice.at.assign(m_at.begin(), m_at.end());
    slice.columnDim = dimensionOf(*m_column);
    slice.rowDim = dimensionOf(*m_row);
    for (const auto& seen : {slice.rowDim, slice.columnDim})
        if (seen) slice.at[*seen] = 0;
    return slice;
}

void TensorBar::showElement(const tensor::Shape& element) {
    if (element.size() != m_shape.size()) return;
    bool changed = false;
    for (std::size_t d = 0; d < element.size(); ++d) {
        QSpinBox* box = m_indexes[d];
        if (!box || m_at[d] == element[d]) continue;
        const QSignalBlocker quiet(box);
        m_at[d] = element[d];
        box->setValue(int(std::min<std::int64_t>(element[d], std::numeric_limits<int>::max())));
        changed = true;
    }
    if (changed) Q_EMIT sliceChanged();
}

void TensorBar::setUsable(bool usable, const QString& why) {
    m_look->setEnabled(usable);
    m_look->setToolTip(tr("Run the kernel and look at its tensors (Shift+F5)") +
                       (usable ? QString() : QLatin1Char('\n') + tr("Not now: %1").arg(why)));
}

} // namespace kernelarium::ui
