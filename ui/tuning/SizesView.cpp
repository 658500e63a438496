// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tuning/SizesView.h"

#include "ui/statistics/FigureView.h"
#include "ui/theme/Theme.h"
#include "ui/tuning/TuneFigures.h"
#include "ui/widgets/WrappedLabel.h"

#include <QBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <algorithm>

namespace kernelarium::ui {

SizesView::SizesView(Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_table(new FigureView(theme))
    , m_words(new WrappedLabel)
    , m_file(new QPushButton(tr("Open one file of them"))) {
    m_words->setProperty("role", "muted");
    m_words->setFont(theme.captionFont());
    m_file->setToolTip(
        tr("Puts a file on the bench whose function takes the best version of the size that it is called "
           "with, of other sizes that of the nearest; it is compiled first"));
    m_table->setEmptyText(tr("No point has a time yet."));
    auto* head = new QHBoxLayout;
    head->setSpacing(8);
    head->addWidget(m_words, 1);
    head->addWidget(m_file);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 8, 8, 0);
    layout->setSpacing(8);
    layout->addLayout(head);
    layout->addWidget(m_table, 1);
    connect(m_file, &QPushButton::clicked, this, &SizesView::fileRequested);
    connect(m_table, &FigureView::keyRequested, this, [this](qint64 row) {
        if (row > 0 && std::size_t(row) <= m_keys.size()) Q_EMIT pointRequested(m_keys[std::size_t(row) - 1]);
    });
    refresh();
}

void SizesView::setBests(const std::vector<protocol::SizeBest>& bests) {
    m_keys.clear();
    for (const protocol::SizeBest& best : bests)
        m_keys.push_back(best.judged ? QString::fromStdString(best.judged->candidate.key) : QString());
    m_table->setTable(sizesTable(bests));
    refresh();
}

void SizesView::setBusy(bool busy) {
    m_busy = busy;
    refresh();
}

void SizesView::refresh() {
    const bool all =
        !m_keys.empty() && std::none_of(m_keys.begin(), m_keys.end(), [](const QString& k) { return k.isEmpty(); });
    m_file->setEnabled(all && !m_busy);
    m_words->setText(m_busy ? tr("One file is put together and compiled.")
                     : all  ? tr("Return on a line puts its point on the bench.")
                            : tr("One file of the best for each size can be made when each has one that is right."));
}

} // namespace kernelarium::ui
