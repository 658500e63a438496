// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/schedule/MeasureChoice.h"

#include <QComboBox>
#include <QDataStream>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>

namespace kernelarium::ui {

MeasureChoice::MeasureChoice(QWidget* parent)
    : QWidget(parent) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(4);
    m_timings = addBox(tr("Calls"), tr("What is measured: calls that find a cold L2 cache, or a warm one"));
    m_timings->addItem(tr("cold"), QStringLiteral("cold"));
    m_timings->addItem(tr("hot"), QStringLiteral("hot"));
    m_sizes = addBox(tr("Size"), tr("At which size of the task's card it is measured"));
    m_sizeLabel = qobject_cast<QLabel*>(row->itemAt(row->count() - 2)->widget());
    setCard(nullptr);
    connect(m_timings, &QComboBox::currentIndexChanged, this, &MeasureChoice::changed);
    connect(m_sizes, &QComboBox::currentIndexChanged, this, [this] {
        m_wanted = m_sizes->currentText();
        Q_EMIT changed();
    });
}

QComboBox* MeasureChoice::addBox(const QString& text, const QString& tip) {
    auto* box = new QComboBox;
    box->setAccessibleName(text);
    box->setToolTip(tip);
    box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    auto* label = new QLabel(text);
    label->setBuddy(box);
    layout()->addWidget(label);
    layout()->addWidget(box);
    return box;
}

void MeasureChoice::setCard(const CardPointer& card) {
    m_card = card;
    const QSignalBlocker block(m_sizes);
    m_sizes->clear();
    if (card)
        for (const auto& [name, symbols] : card->sizes)
            m_sizes->addItem(QString::fromStdString(name));
    m_sizes->setCurrentIndex(std::max(0, m_sizes->findText(m_wanted)));
    if (m_sizes->currentText() != m_wanted)
        m_sizes->setCurrentIndex(std::max(0, m_sizes->findText(QStringLiteral("full"))));
    m_sizes->setVisible(card != nullptr);
    m_sizeLabel->setVisible(card != nullptr);
}

QString MeasureChoice::timing() const {
    return m_timings->currentData().toString();
}

QString MeasureChoice::size() const {
    return m_card ? m_sizes->currentText() : QStringLiteral("small");
}

QByteArray MeasureChoice::saveState() const {
    QByteArray state;
    QDataStream out(&state, QIODevice::WriteOnly);
    out << timing() << m_wanted;
    return state;
}

void MeasureChoice::restoreState(const QByteArray& state) {
    QString timing, size;
    QDataStream in(state);
    in >> timing >> size;
    if (in.status() != QDataStream::Ok) return;
    {
        const QSignalBlocker block(m_timings);
        m_timings->setCurrentIndex(std::max(0, m_timings->findData(timing)));
    }
    m_wanted = size;
    setCard(m_card);
    Q_EMIT changed();
}

} // namespace kernelarium::ui
