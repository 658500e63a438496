// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/source/SassPanel.h"

#include "ui/desks/CompileDesk.h"
#include "ui/editor/PtxView.h"
#include "ui/schedule/ScheduleView.h"
#include "ui/workspace/Bench.h"
#include "ui/workspace/Place.h"

#include <QDataStream>

namespace kernelarium::ui {

SassPanel::SassPanel(const Around& around, Theme& theme, QWidget* parent)
    : QTabWidget(parent)
    , m_with(around)
    , m_listing(new PtxView(theme, Assembly::sass))
    , m_schedule(new ScheduleView(theme)) {
    setDocumentMode(true);
    setAccessibleName(tr("SASS"));
    addTab(m_schedule, tr("Schedule"));
    addTab(m_listing, tr("Listing"));
    setTabToolTip(0, tr("The machine's instructions with their scheduling in columns, and why each waits"));
    setTabToolTip(1, tr("The machine's instructions as nvdisasm of the CUDA Toolkit lists them"));
    connect(this, &QTabWidget::currentChanged, this, [this] {
        follow();
        Q_EMIT stateChanged();
    });
    connect(&around.compiler, &CompileDesk::changed, this, &SassPanel::follow);
    connect(m_listing, &PtxView::sourceLineActivated, this, &SassPanel::sourceLineActivated);
    connect(m_schedule, &ScheduleView::sourceLineActivated, this, &SassPanel::sourceLineActivated);
    connect(m_schedule, &ScheduleView::stateChanged, this, &SassPanel::stateChanged);
}

void SassPanel::follow() {
    const CompileState& state = m_with.compiler.state();
    // The last listing is better than none while an error stands.
    if (isHidden() || state.stage != Stage::finished || !state.answer || !state.answer->ok) return;
    if (isShowingListing())
        followListing(state.answer);
    else
        followSchedule(state.answer);
}

void SassPanel::followListing(const Unit& unit) {
    if (unit == m_listed) return;
    m_listed = unit;
    if (m_listing->isEmpty()) m_listing->refuse(tr("Disassembling… (Escape cancels)"));
    m_with.compiler.disassemble(
        m_with.bench.source(), m_with.place.targetFor(m_with.bench.kernel()), [this, unit](Result<QString> sass) {
            if (unit != m_listed) return; // of an older text
            if (!sass) {
                const bool cancelled = sass.error().code == "cancelled";
                if (cancelled) m_listed = nullptr;
                m_listing->refuse(cancelled ? tr("The disassembly was cancelled. Ctrl+Shift+P closes this view; opened "
                                                 "again it disassembles.")
                                            : QString::fromStdString(sass.error().text()));
                return;
            }
            m_listing->setPtx(*sass);
            m_listing->showSourceLine(m_line);
        });
}

void SassPanel::followSchedule(const Unit& unit) {
    if (unit == m_read) return;
    m_read = unit;
    const quint64 generation = m_with.compiler.state().answered;
    if (!unit->cubin.empty()) return m_schedule->read(unit->cubin, generation);
    m_schedule->wait(tr("Assembling… (Escape cancels)"));
    m_with.compiler.assemble(
        m_with.bench.source(), m_with.place.targetFor(m_with.bench.kernel()),
        [this, unit, generation](Result<std::vector<std::byte>> cubin) {
            if (unit != m_read) return; // of an older text
            if (cubin) return m_schedule->read(std::move(*cubin), generation);
            const bool cancelled = cubin.error().code == "cancelled";
            if (cancelled) m_read = nullptr;
            m_schedule->refuse(cancelled
                                   ? tr("Assembling was cancelled. Ctrl+Shift+P closes this view; opened again it "
                                        "assembles.")
                                   : QString::fromStdString(cubin.error().text()));
        });
}

void SassPanel::clear() {
    m_listed.reset();
    m_read.reset();
    m_listing->setPtx({});
    m_schedule->clear();
}

void SassPanel::showSourceLine(int line) {
    m_line = line;
    m_listing->showSourceLine(line);
    m_schedule->showSourceLine(line);
}

void SassPanel::showListing() {
    setCurrentWidget(m_listing);
}
void SassPanel::showSchedule() {
    setCurrentWidget(m_schedule);
}
bool SassPanel::isShowingListing() const {
    return currentWidget() == m_listing;
}

QByteArray SassPanel::saveState() const {
    QByteArray state;
    QDataStream out(&state, QIODevice::WriteOnly);
    out << isShowingListing() << m_schedule->saveState();
    return state;
}

void SassPanel::restoreState(const QByteArray& state) {
    bool listing = false;
    QByteArray schedule;
    QDataStream in(state);
    in >> listing >> schedule;
    if (in.status() != QDataStream::Ok) return;
    listing ? showListing() : showSchedule();
    m_schedule->restoreState(schedule);
}

} // namespace kernelarium::ui
