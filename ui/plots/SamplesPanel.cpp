// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/SamplesPanel.h"

#include "gpu/protocol/MeasuredTiming.h"
#include "ui/desks/SessionDesk.h"
#include "ui/plots/HistoryPanel.h"
#include "ui/theme/Theme.h"
#include "ui/widgets/WrappedLabel.h"
#include "ui/words/Quantities.h"
#include "ui/workspace/Notices.h"
#include "ui/workspace/PastTrials.h"
#include "ui/workspace/RunWords.h"
#include "ui/workspace/Trials.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSplitter>
#include <QTextBrowser>
#include <QVBoxLayout>

namespace kernelarium::ui {

namespace {

const session::Timing* newestMeasured(const session::AttemptSummary& attempt) {
    for (auto timing = attempt.timings.rbegin(); timing != attempt.timings.rend(); ++timing)
        if (timing->origin == session::Timing::Origin::measured) return &*timing;
    return nullptr;
}

QString attemptLabel(const session::AttemptSummary& attempt) {
    return SamplesPanel::tr("#%1 %2")
        .arg(attempt.id)
        .arg(QString::fromStdString(attempt.name.empty() ? attempt.kernelTitle : attempt.name));
}

} // namespace

SamplesPanel::SamplesPanel(const Around& around, Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_with(around)
    , m_plot(new SamplesPlot(theme))
    , m_first(new QComboBox)
    , m_second(new QComboBox)
    , m_sentence(new WrappedLabel)
    , m_facts(new QTextBrowser)
    , m_bar(new QWidget) {
    auto* row = new QHBoxLayout(m_bar);
    row->setContentsMargins(8, 4, 8, 4);
    row->setSpacing(8);
    const auto add = [&](const QString& text, QComboBox* box, const QString& tip) {
        auto* label = new QLabel(text);
        label->setProperty("role", QStringLiteral("muted"));
        label->setBuddy(box);
        box->setAccessibleName(text);
        box->setToolTip(tip);
        box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
        row->addWidget(label);
        row->addWidget(box);
    };
    add(tr("Attempt"), m_first, tr("Whose samples are shown"));
    add(tr("beside"), m_second, tr("Another attempt of the same device, size and mode"));
    m_sentence->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_sentence->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    row->addWidget(m_sentence, 1);
    m_facts->setAccessibleName(tr("Figures of the measured time"));
    m_facts->setFrameShape(QFrame::NoFrame);
    m_facts->document()->setDocumentMargin(12);
    m_facts->document()->setDefaultFont(theme.captionFont());
    auto* both = new QSplitter;
    both->addWidget(m_plot);
    both->addWidget(m_facts);
    both->setHandleWidth(1);
    both->setStretchFactor(0, 3);
    both->setStretchFactor(1, 2);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_bar);
    layout->addWidget(both, 1);

    connect(m_first, &QComboBox::currentIndexChanged, this, [this] {
        fillSecond();
        load();
    });
    connect(m_second, &QComboBox::currentIndexChanged, this, &SamplesPanel::load);
    connect(m_plot, &PlotPanel::actionRequested, &around.trials, &Trials::time);
    connect(m_plot, &PlotPanel::failed, this, [this](const QString& text) { m_with.notices.post(text, true); });
    connect(&around.past, &PastTrials::knownChanged, this, &SamplesPanel::refresh);
    connect(&around.trials, &Trials::timeKept, this, [this](qint64 attempt) { showAttempt(attempt); });
    show({});
}

QString SamplesPanel::sentence() const {
    return m_sentence->text();
}
QString SamplesPanel::facts() const {
    return m_facts->toPlainText();
}

void SamplesPanel::showAttempt(qint64 attempt) {
    m_wanted = attempt;
    refresh();
}

void SamplesPanel::refresh() {
    fill(m_with.past.known());
}

void SamplesPanel::fill(const std::vector<session::AttemptSummary>& attempts) {
    const qint64 before = m_first->currentData().toLongLong();
    m_entries.clear();
    for (const auto& attempt : attempts)
        if (const session::Timing* timing = newestMeasured(attempt))
            m_entries.push_back({attempt.id,
                                 tr("%1, %2").arg(attemptLabel(attempt), secondsText(timing->milliseconds / 1e3, 5)),
                                 QString::fromStdString(timing->device) + QLatin1Char('\n') + sizeText(*timing)});
    const QSignalBlocker quiet(m_first);
    m_first->clear();
    for (const Entry& entry : m_entries)
        m_first->addItem(entry.text, entry.attempt);
    int index = m_wanted > 0 ? m_first->findData(m_wanted) : -1;
    if (index >= 0) m_wanted = 0;
    if (index < 0) index = m_first->findData(before);
    m_first->setCurrentIndex(index >= 0 ? index : m_first->count() - 1);
    fillSecond();
    load();
}

void SamplesPanel::fillSecond() {
    const qint64 before = m_second->currentData().toLongLong();
    const QSignalBlocker quiet(m_second);
    m_second->clear();
    m_second->addItem(tr("no other"), qint64(0));
    const qint64 chosen = m_first->currentData().toLongLong();
    QString kind;
    for (const Entry& entry : m_entries)
        if (entry.attempt == chosen) kind = entry.kind;
    for (const Entry& entry : m_entries)
        if (entry.attempt != chosen && entry.kind == kind) m_second->addItem(entry.text, entry.attempt);
    m_second->setCurrentIndex(std::max(0, m_second->findData(before)));
}

void SamplesPanel::load() {
    std::vector<qint64> ids;
    for (const QComboBox* box : {m_first, m_second})
        if (const qint64 id = box->currentData().toLongLong(); id > 0) ids.push_back(id);
    if (ids.empty()) {
        show({});
        return;
    }
    m_with.session.derive<Sets>(
        ids, "samples",
        [](std::vector<session::Attempt> attempts) -> Result<Sets> {
            Sets sets;
            for (const session::Attempt& attempt : attempts) {
                const session::Timing* timing = newestMeasured(attempt);
                if (!timing) continue;
                auto summary = protocol::summaryOf(*timing);
                if (!summary) return summary.error();
                sets.push_back({attempt.id, attemptLabel(attempt),
                                std::make_shared<const protocol::TimeSummary>(std::move(*summary))});
            }
            return sets;
        },
        [this](Result<Sets> sets) {
            if (sets)
                show(*sets);
            else if (sets.error().code != "cancelled") {
                show({});
                m_sentence->setText(QString::fromStdString(sets.error().text()));
            }
        });
}

void SamplesPanel::show(const Sets& sets) {
    m_plot->setSets(sets);
    m_bar->setVisible(!m_entries.empty());
    m_facts->setVisible(!sets.empty());
    QString html, sentence;
    for (const SampleSet& set : sets)
        html += factsHtml(set);
    m_facts->setHtml(html);
    const bool raced = !sets.empty() && sets[0].summary->against;
    const QString rival = raced ? QString::fromStdString(sets[0].summary->against->name) : QString();
    const bool withEachOther = sets.size() == 2 && (rival == tr("attempt %1").arg(sets[1].attempt) ||
                                                    sets[1].label.endsWith(QLatin1Char(' ') + rival));
    if (sets.size() == 2 && !(raced && withEachOther))
        sentence = tr("A sample of %1 is faster than one of %2 in %3 of all cases. They were not taken in pairs: "
                      "compare them head to head in the timing history to be sure.")
                       .arg(sets[0].label, sets[1].label, percentText(shareFaster(sets[0], sets[1])));
    else if (raced)
        sentence = pairSentence(*sets[0].summary->against, sets[0].label);
    m_sentence->setText(sentence);
}

} // namespace kernelarium::ui
