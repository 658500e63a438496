// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/profiles/ProfilesPanel.h"

#include "ui/desks/NcuDesk.h"
#include "ui/desks/ProfileDesk.h"
#include "ui/desks/RunDesk.h"
#include "ui/profiles/NcuPage.h"
#include "ui/profiles/RowCopying.h"
#include "ui/profiles/TidyModel.h"
#include "ui/profiles/TorchPlot.h"
#include "ui/widgets/EmptyState.h"
#include "ui/workspace/Bench.h"
#include "ui/workspace/Notices.h"
#include "ui/workspace/Settings.h"
#include "ui/workspace/Trials.h"

#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QStackedWidget>
#include <QTabWidget>
#include <QTableView>

namespace kernelarium::ui {

namespace {

/// Whose figures are shown.
QString launchText(const std::string& kernel, std::size_t launches) {
    const QString name = QString::fromStdString(kernel);
    return launches == 1 ? ProfilesPanel::tr("%1, the only launch").arg(name)
                         : ProfilesPanel::tr("%1, the longest of %2 launches").arg(name).arg(launches);
}

} // namespace

ProfilesPanel::ProfilesPanel(const Around& around, Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_with(around)
    , m_theme(theme)
    , m_tabs(new QTabWidget)
    , m_ncu(new NcuPage(theme))
    , m_torch(new TorchPlot(theme))
    , m_tidy(new QTableView)
    , m_tidyModel(new TidyModel(theme, this))
    , m_tidySentence(new QLabel)
    , m_beside(new QCheckBox(tr("Beside the source"))) {
    m_tabs->setDocumentMode(true);
    m_tabs->setAccessibleName(tr("Kind of profile"));
    addPage(ncu, m_ncu, tr("Nsight Compute"), QStringLiteral("counters"));
    addPage(torch, m_torch, tr("PyTorch profiler"), QStringLiteral("time"));
    addPage(tidy, makeTidyPage(), tr("clang-tidy"), QStringLiteral("compile"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_tabs);
    connect(&around.profiles, &ProfileDesk::changed, this, &ProfilesPanel::refresh);
    connect(&around.bench, &Bench::kernelChanged, this, &ProfilesPanel::refresh);
    connect(&around.bench, &Bench::sourceChanged, this, &ProfilesPanel::refreshNcu);
    connect(&around.runner, &RunDesk::profileChanged, this, &ProfilesPanel::refreshNcu);
    connect(&around.ncu, &NcuDesk::changed, this, &ProfilesPanel::refreshNcu);
    connect(&m_ncu->measureButton(), &QPushButton::clicked, &around.trials, &Trials::measure);
    connect(m_torch, &PlotPanel::failed, this, [this](const QString& text) { m_with.notices.post(text, true); });
    refresh();
}

QWidget* ProfilesPanel::makeTidyPage() {
    m_tidy->setModel(m_tidyModel);
    m_tidy->setAccessibleName(tr("Archived clang-tidy findings"));
    m_tidy->setShowGrid(false);
    m_tidy->setWordWrap(false);
    m_tidy->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_tidy->setTabKeyNavigation(false);
    m_tidy->verticalHeader()->hide();
    m_tidy->verticalHeader()->setDefaultSectionSize(m_tidy->fontMetrics().height() + 8);
    m_tidy->horizontalHeader()->setHighlightSections(false);
    m_tidy->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    m_tidy->horizontalHeader()->setStretchLastSection(true);
    m_tidy->setColumnWidth(TidyModel::line, 56);
    m_tidy->setColumnWidth(TidyModel::check, 280);
    makeCopyable(*m_tidy);
    m_tidySentence->setTextFormat(Qt::PlainText);
    m_beside->setToolTip(tr("Marks the archived findings in the editor's margin while the text is as it was archived"));
    m_beside->setChecked(m_with.settings.get(setting::archivedTidy));
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(8, 4, 8, 4);
    bar->addWidget(m_tidySentence, 1);
    bar->addWidget(m_beside);
    auto* page = new QWidget;
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(bar);
    layout->addWidget(m_tidy, 1);
    const auto go = [this](const QModelIndex& index) {
        m_with.bench.goTo(index.data(TidyModel::lineRole).toInt(), index.data(TidyModel::columnRole).toInt());
    };
    connect(m_tidy, &QTableView::clicked, this, go);
    connect(m_tidy, &QTableView::activated, this, go);
    connect(m_beside, &QCheckBox::toggled, this, [this](bool on) { m_with.settings.set(setting::archivedTidy, on); });
    connect(&m_with.settings, &Settings::changed, this, [this](const QString& key) {
        if (Settings::isOf(key, setting::archivedTidy))
            m_beside->setChecked(m_with.settings.get(setting::archivedTidy));
    });
    return page;
}

void ProfilesPanel::addPage(Tab tab, QWidget* content, const QString& title, const QString& iconName) {
    Page& page = m_pages[tab];
    page.stack = new QStackedWidget;
    page.empty = new EmptyState(m_theme, iconName);
    page.stack->addWidget(page.empty);
    page.stack->addWidget(content);
    m_tabs->addTab(page.stack, title);
    connect(page.empty, &EmptyState::actionRequested, this, [this, tab] {
        if (!m_pages[tab].archivedText.isEmpty())
            QApplication::clipboard()->setText(m_pages[tab].archivedText);
        else if (tab == ncu)
            m_with.trials.measure();
    });
}

void ProfilesPanel::showContent(Tab tab) {
    m_pages[tab].emptyText.clear();
    m_pages[tab].stack->setCurrentIndex(1);
}

void ProfilesPanel::showEmpty(Tab tab, const QString& title, const QString& sentence, const QString& archivedText) {
    Page& page = m_pages[tab];
    page.emptyText = title + QStringLiteral(". ") + sentence;
    page.archivedText = archivedText;
    page.empty->setTexts(title, sentence);
    page.empty->setAction(archivedText.isEmpty() ? QString() : tr("Copy the archived text"),
                          tr("Copies the profile as the archive keeps it"));
    page.stack->setCurrentIndex(0);
}

QString ProfilesPanel::emptyText(Tab tab) const {
    return m_pages[tab].emptyText;
}

template <class T>
bool ProfilesPanel::explainAbsence(Tab tab, const std::optional<Result<T>>& read, const QString& what,
                                   const QString& text) {
    if (read && *read) return true;
    if (read)
        showEmpty(tab, ProfilesPanel::tr("%1 cannot be read").arg(what), QString::fromStdString(read->error().text()),
                  text);
    else
        showEmpty(tab, ProfilesPanel::tr("Not profiled"),
                  ProfilesPanel::tr("The archive has no %1 for this kernel.").arg(what));
    return false;
}

void ProfilesPanel::refresh() {
    refreshNcu();
    refreshTorch();
    refreshTidy();
}

/// How the measurement stands, where there is something to say.
QString ProfilesPanel::measuredText() const {
    const NcuState& state = m_with.ncu.state();
    switch (state.stage) {
    case Stage::idle: return {};
    case Stage::waiting:
    case Stage::running: return tr("Measuring under Nsight Compute… (Escape cancels)");
    case Stage::cancelled: return tr("The measurement was cancelled.");
    case Stage::failed: return tr("Not measured: %1").arg(QString::fromStdString(state.error.text()));
    case Stage::finished: break;
    }
    if (state.generation != m_with.bench.generation())
        return tr("What was measured is of the text before your edit, and is not shown.");
    const int longest = longestLaunch(*state.answer);
    return tr("Measured: %1.")
        .arg(launchText((*state.answer)[std::size_t(std::max(0, longest))].kernel, state.answer->size()));
}

NcuSources ProfilesPanel::ncuSources() const {
    const auto& profiles = m_with.profiles.profiles();
    const ProfileState& counted = m_with.runner.profileState();
    const NcuState& measured = m_with.ncu.state();
    NcuSources sources;
    if (profiles && profiles->ncu && *profiles->ncu) sources.archived = &**profiles->ncu;
    if (m_with.bench.kernel().row) sources.archivedMilliseconds = m_with.bench.kernel().row->runtime;
    if (counted.answer && counted.stage == Stage::finished && counted.generation == m_with.bench.generation())
        sources.counted = counted.answer.get();
    if (measured.stage == Stage::finished && measured.generation == m_with.bench.generation())
        sources.measured = measured.answer.get();
    const StallsState& stalls = m_with.ncu.stalls();
    if (stalls.generation == m_with.bench.generation()) {
        if (stalls.stage == Stage::finished) sources.stalls = stalls.answer.get();
        if (stalls.stage == Stage::failed) sources.stallsProblem = QString::fromStdString(stalls.error.text());
        if (isBusy(stalls.stage)) sources.stallsProblem = tr("being sampled…");
    }
    return sources;
}

void ProfilesPanel::refreshNcu() {
    const auto& profiles = m_with.profiles.profiles();
    const NcuSources sources = ncuSources();
    const bool busy = m_with.ncu.isBusy();
    m_ncu->measureButton().setEnabled(!busy && !m_with.bench.kernel().isEmpty());
    if (!sources.archived && !sources.counted && !sources.measured) {
        const QString measured = measuredText();
        if (m_with.profiles.stage() == Stage::running)
            showEmpty(ncu, tr("Reading the profiles…"), {});
        else if (profiles && profiles->ncu && !*profiles->ncu)
            explainAbsence(ncu, profiles->ncu, tr("Nsight Compute profile"), m_with.bench.kernel().texts.ncu);
        else if (!measured.isEmpty())
            showEmpty(ncu, busy ? tr("Measuring") : tr("Nothing measured"), measured);
        else if (profiles)
            explainAbsence(ncu, profiles->ncu, tr("Nsight Compute profile"), m_with.bench.kernel().texts.ncu);
        else
            showEmpty(ncu, tr("No profiles"),
                      tr("How an archived kernel ran on its publishers' GPU appears here, beside what is counted and "
                         "measured of it here. Choose a kernel of the archive, or count this one (Ctrl+Alt+Return)."));
        const bool offer = !busy && !m_with.bench.kernel().isEmpty() && m_pages[ncu].archivedText.isEmpty();
        if (offer) m_pages[ncu].empty->setAction(m_ncu->measureButton().text(), m_ncu->measureButton().toolTip());
        return;
    }
    QStringList sentence;
    if (sources.archived)
        sentence << tr("Archived: the publishers' Nsight Compute, on a GPU that the profile does not name%1.")
                        .arg(m_with.bench.isEdited() ? tr(", of the text before your edit") : QString());
    if (sources.counted)
        if (const int longest = longestLaunch(*sources.counted); longest >= 0)
            sentence << tr("Emulator: %1.")
                            .arg(launchText(sources.counted->counters[std::size_t(longest)].kernel,
                                            sources.counted->counters.size()));
    sentence << measuredText();
    if (!sources.counted) sentence << tr("Ctrl+Alt+Return counts it in the emulator, too.");
    sentence.removeAll(QString());
    m_ncu->show(sentence.join(QLatin1Char(' ')), ncuGroups(sources));
    showContent(ncu);
}

void ProfilesPanel::refreshTorch() {
    const auto& profiles = m_with.profiles.profiles();
    if (!profiles) {
        showEmpty(torch, tr("No profiles"),
                  tr("Where an archived kernel spent its time, as PyTorch's profiler saw it, appears here as bars."));
        return;
    }
    if (!explainAbsence(torch, profiles->torch, tr("PyTorch profile"), m_with.bench.kernel().texts.torch)) return;
    m_torch->setProfile(**profiles->torch);
    showContent(torch);
}

void ProfilesPanel::refreshTidy() {
    const auto& profiles = m_with.profiles.profiles();
    m_tabs->setTabText(tidy, tr("clang-tidy"));
    if (!profiles) {
        m_tidyModel->show({});
        showEmpty(tidy, tr("No profiles"),
                  tr("What clang-tidy said about an archived kernel appears here, line by line."));
        return;
    }
    if (!explainAbsence(tidy, profiles->tidy, tr("clang-tidy report"), m_with.bench.kernel().texts.tidy)) return;
    const profile::ClangTidyReport& report = **profiles->tidy;
    if (report.findings.empty()) {
        m_tidyModel->show({});
        showEmpty(tidy, report.errored ? tr("clang-tidy failed") : tr("Nothing found"),
                  report.errored ? tr("The archived run of clang-tidy ended in an error of its own.")
                                 : tr("The archived run of clang-tidy had nothing to say about this kernel."),
                  QString::fromStdString(report.log));
        return;
    }
    m_tidyModel->show(report.findings);
    m_tabs->setTabText(tidy, tr("clang-tidy (%1)").arg(report.findings.size()));
    m_tidySentence->setText(tr("Archived: %1 findings of the publishers' clang-tidy%2")
                                .arg(report.findings.size())
                                .arg(report.errored ? tr(", which itself failed") : QString()));
    showContent(tidy);
}

} // namespace kernelarium::ui
