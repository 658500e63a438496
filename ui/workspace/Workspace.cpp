// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/workspace/Workspace.h"

namespace kernelarium::ui {

Workspace::Workspace(WorkspacePaths paths, QObject* parent)
    : QObject(parent)
    , m_paths(std::move(paths))
    , m_desks(m_paths)
    , m_settings(m_desks.session)
    , m_bench(m_desks.archive, m_desks.session, m_notices)
    , m_assignment(m_bench, m_desks.archive, m_desks.cards, m_notices)
    , m_place(m_paths.program, m_settings, m_desks.devices, m_desks.runner.child(), m_notices)
    , m_trials({m_bench, m_assignment, m_place, m_desks, m_heat, m_notices, m_plan})
    , m_past({m_bench, m_assignment, m_place, m_desks, m_notices, m_plan})
    , m_standing(m_bench, m_past) {
    connectBench();
    connectDesks();
}

Workspace::~Workspace() = default;

void Workspace::connectBench() {
    connect(&m_bench, &Bench::kernelPut, this, [this] {
        m_trials.kernelPut();
        m_desks.runner.clear();
        m_desks.stepper.clear();
        m_desks.tensors.clear();
        m_desks.ncu.clear();
        m_desks.timer.clear();
        m_heat.show(nullptr);
        m_desks.profiles.read(m_bench.kernel());
        m_assignment.load();
        m_past.kernelPut();
    });
    connect(&m_bench, &Bench::textChanged, this, [this](bool opened) {
        if (opened) Q_EMIT m_assignment.changed();
        if (!opened) m_trials.textChanged(); // a kernel that was opened has dropped what was wanted already
        m_heat.show(nullptr);
        m_desks.compiler.setSource(m_bench.source(), m_bench.generation());
        if (opened) m_desks.compiler.compileNow();
        m_desks.tidy.setSource(m_bench.source(), m_bench.generation());
    });
    const auto retarget = [this] { m_desks.compiler.setTarget(m_place.targetFor(m_bench.kernel())); };
    connect(&m_place, &Place::changed, this, retarget);
    connect(&m_assignment, &Assignment::changed, this, retarget);
}

void Workspace::connectDesks() {
    connect(&m_desks.session, &SessionDesk::ready, this, &Workspace::restore);
    connect(&m_desks.session, &SessionDesk::writeFailed, &m_notices, &Notices::postLasting);
    connect(&m_desks.cards, &CardDesk::pythonChanged, this, [this] {
        m_settings.set(setting::python, m_desks.cards.python());
        m_desks.timer.setPython(m_desks.cards.python());
    });
    connect(&m_desks.archive, &ArchiveDesk::changed, this, [this] {
        const ArchiveDesk& archive = m_desks.archive;
        if (archive.stage() == Stage::failed) m_notices.postLasting(QString::fromStdString(archive.error().text()));
        if (archive.stage() == Stage::finished) m_desks.verdicts.follow(archive.path());
    });
    connect(&m_desks.ncu, &NcuDesk::changed, this, [this] {
        const StallsState& stalls = m_desks.ncu.stalls();
        const bool ofText = stalls.stage == Stage::finished && stalls.generation == m_bench.generation();
        m_heat.showStalls(ofText ? stalls.answer : nullptr);
    });
    connect(&m_desks.verdicts, &VerdictDesk::failed, &m_notices, &Notices::postLasting);
    connect(&m_settings, &Settings::changed, this, [this](const QString& key) {
        if (Settings::isOf(key, setting::liveTidy)) m_desks.tidy.setEnabled(m_settings.get(setting::liveTidy));
    });
}

void Workspace::restore() {
    DeviceDesk& devices = m_desks.devices;
    devices.setHosts(m_settings.get(setting::hosts));
    connect(&devices, &DeviceDesk::hostsChanged, this,
            [this] { m_settings.set(setting::hosts, m_desks.devices.hosts()); });
    m_place.restore();
    m_desks.cards.setPython(m_settings.get(setting::python));
    devices.readKept();
    devices.look({});
    if (const QString& host = m_place.target().host; !host.isEmpty()) devices.look(host);
    if (!m_desks.session.problem().code.empty())
        m_notices.postLasting(QString::fromStdString(m_desks.session.problem().text()));
}

} // namespace kernelarium::ui
