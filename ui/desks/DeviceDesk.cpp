// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/desks/DeviceDesk.h"

#include "gpu/protocol/KernelClient.h"
#include "gpu/protocol/RemoteStarter.h"

namespace kernelarium::ui {

namespace {

std::string lookTag(const QString& host) {
    return "look " + host.toStdString();
}

} // namespace

DeviceDesk::DeviceDesk(QString program, ChildQueue& runner, QObject* parent)
    : QObject(parent)
    , m_program(std::move(program))
    , m_runner(runner) {}

void DeviceDesk::look(const QString& host) {
    const auto ticket = m_devices[host].begin(0, Former::kept);
    Q_EMIT changed(host);
    const auto say = [this, host, ticket](const std::string& stage) {
        deliver(this, [this, host, ticket, step = QString::fromStdString(stage)] {
            const auto asked = m_devices.find(host);
            if (asked != m_devices.end() && asked->progress(ticket, step)) Q_EMIT changed(host);
        });
    };
    ask<protocol::DeviceList>(
        m_thread, this, lookTag(host),
        [host = host.toStdString(), program = m_program.toStdString(),
         say](const std::stop_token& stop) -> Result<protocol::DeviceList> {
            auto starter = protocol::starterFor(host, program);
            if (!starter) return starter.error();
            protocol::KernelClient client(std::move(*starter)); // for this question alone
            return client.devices({.progress = say, .stop = stop});
        },
        [this, host, ticket](Result<protocol::DeviceList> list) {
            const auto asked = m_devices.find(host);
            if (asked != m_devices.end() && asked->end(ticket, std::move(list))) Q_EMIT changed(host);
        });
}

bool DeviceDesk::isBusy() const {
    return !busyText().isEmpty();
}

QString DeviceDesk::busyText() const {
    const auto with = [](const QString& text, const QString& step) {
        return step.isEmpty() ? text : text + QStringLiteral(": ") + step;
    };
    if (m_measure.isBusy()) return with(tr("Measuring the GPU"), m_measure.state().step);
    for (auto entry = m_devices.begin(); entry != m_devices.end(); ++entry)
        if (!entry.key().isEmpty() && entry->isBusy())
            return with(tr("Asking %1").arg(entry.key()), entry->state().step);
    return {};
}

void DeviceDesk::cancel() {
    m_runner.cancel("measure");
    for (const QString& host : m_devices.keys())
        if (!host.isEmpty()) m_thread.cancel(lookTag(host));
}

void DeviceDesk::setHosts(const QStringList& hosts) {
    m_hosts.clear();
    for (const QString& host : hosts)
        if (protocol::RemoteHost::parse(host.toStdString())) m_hosts << host;
    Q_EMIT hostsChanged();
}

Result<QString> DeviceDesk::addHost(const QString& text) {
    auto parsed = protocol::RemoteHost::parse(text.trimmed().toStdString());
    if (!parsed) return parsed.error();
    const QString host = QString::fromStdString(parsed->text());
    if (!m_hosts.contains(host)) {
        m_hosts << host;
        Q_EMIT hostsChanged();
    }
    return host;
}

void DeviceDesk::removeHost(const QString& host) {
    m_thread.cancel(lookTag(host));
    m_devices[host].clear(); // which keeps its count of requests
    if (m_hosts.removeAll(host) > 0) Q_EMIT hostsChanged();
}

void DeviceDesk::measure() {
    using Answer = MeasureState::Answer;
    const auto ticket = m_measure.begin();
    Q_EMIT measureChanged();
    ChildQueue::Call<Answer> call;
    call.tag = "measure";
    call.make = [](const auto& child, const auto& options) -> Result<Answer> {
        auto measured = protocol::KernelClient(child).measure(options);
        if (!measured) return measured.error();
        auto file = perf::saveCeilings(*measured);
        if (!file) return file.error();
        return Answer(
            std::make_shared<const MeasuredRoofs>(std::move(*measured), QString::fromStdString(file->string())));
    };
    call.progress = [this, ticket](const QString& step) {
        if (m_measure.progress(ticket, step)) Q_EMIT measureChanged();
    };
    call.ended = [this, ticket](Result<Answer> result) {
        if (!m_measure.end(ticket, std::move(result))) return;
        if (m_measure.state().stage == Stage::finished) readKept();
        Q_EMIT measureChanged();
    };
    m_runner.submit(std::move(call));
}

void DeviceDesk::readKept() {
    using Answer = std::vector<perf::MeasuredCeilings>;
    ask<Answer>(
        m_files, this, "kept", [](const std::stop_token&) -> Result<Answer> { return perf::keptCeilings(); },
        [this](Result<Answer> kept) {
            if (!kept) return; // replaced by a newer reading
            m_kept = std::move(*kept);
            Q_EMIT keptChanged();
        });
}

} // namespace kernelarium::ui
