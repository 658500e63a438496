// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/workspace/DeviceDesk.h"

#include "gpu/protocol/RemoteStarter.h"
#include "gpu/protocol/Trial.h"

namespace kernelarium::ui {

namespace {

constexpr std::chrono::milliseconds lookLimit{60000};

std::string lookTag(const QString& host) {
    return "look " + host.toStdString();
}

} // namespace

DeviceDesk::DeviceDesk(QString program, ChildQueue& runner, QObject* parent)
    : QObject(parent)
    , m_program(std::move(program))
    , m_runner(runner) {}

void DeviceDesk::look(const QString& host) {
    const quint64 serial = ++m_serials[host];
    m_devices[host].stage = Stage::running;
    m_devices[host].step.clear();
    Q_EMIT changed(host);
    const auto say = [this, host, serial](const std::string& stage) {
        deliver(this, [this, host, serial, step = QString::fromStdString(stage)] {
            if (serial != m_serials.value(host)) return;
            m_devices[host].step = step;
            Q_EMIT changed(host);
        });
    };
    ask<protocol::DeviceList>(
        m_thread, this, lookTag(host),
        [host = host.toStdString(), program = m_program.toStdString(),
         say](const std::stop_token& stop) -> Result<protocol::DeviceList> {
            auto starter = protocol::starterFor(host, program);
            if (!starter) return starter.error();
            protocol::WorkerClient client(std::move(*starter)); // for this question alone
            auto answer = client.call("devices", nlohmann::json::object(), {lookLimit, say, {}, stop});
            if (!answer) return answer.error();
            return protocol::deviceListFromJson(*answer);
        },
        [this, host, serial](Result<protocol::DeviceList> list) {
            if (serial != m_serials.value(host)) return;
            HostDevices& devices = m_devices[host];
            devices.step.clear();
            if (list) {
                devices.stage = Stage::finished;
                devices.list = std::move(*list);
            } else {
                devices.stage = list.error().code == "cancelled" ? Stage::cancelled : Stage::failed;
                devices.error = list.error();
            }
            Q_EMIT changed(host);
        });
}

bool DeviceDesk::isBusy() const {
    return !busyText().isEmpty();
}

QString DeviceDesk::busyText() const {
    const auto with = [](const QString& text, const QString& step) {
        return step.isEmpty() ? text : text + QStringLiteral(": ") + step;
    };
    if (ui::isBusy(m_measure.stage)) return with(tr("Measuring the GPU"), m_measure.step);
    for (auto entry = m_devices.begin(); entry != m_devices.end(); ++entry)
        if (!entry.key().isEmpty() && ui::isBusy(entry->stage))
            return with(tr("Asking %1").arg(entry.key()), entry->step);
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
    ++m_serials[host];
    m_devices.remove(host);
    if (m_hosts.removeAll(host) > 0) Q_EMIT hostsChanged();
}

void DeviceDesk::measure() {
    using Answer = std::shared_ptr<MeasureState>;
    const quint64 serial = ++m_measureSerial;
    m_measure = {Stage::running, {}, {}, {}, {}};
    Q_EMIT measureChanged();
    ChildQueue::Job<Answer> job;
    job.method = "measure";
    job.tag = "measure";
    job.timeLimit = protocol::measureLimit;
    job.parameters = [] { return nlohmann::json::object(); };
    job.convert = [](const nlohmann::json& json) -> Result<Answer> {
        auto measured = perf::measuredCeilingsFromJson(json);
        if (!measured) return measured.error();
        auto file = perf::saveCeilings(*measured);
        if (!file) return file.error();
        auto state = std::make_shared<MeasureState>();
        state->ceilings = std::make_shared<const perf::MeasuredCeilings>(std::move(*measured));
        state->file = QString::fromStdString(file->string());
        return state;
    };
    job.progress = [this, serial](const QString& step) {
        if (serial != m_measureSerial) return;
        m_measure.step = step;
        Q_EMIT measureChanged();
    };
    job.ended = [this, serial](Result<Answer> result) { endMeasure(serial, std::move(result)); };
    m_runner.submit(std::move(job));
}

void DeviceDesk::endMeasure(quint64 serial, Result<std::shared_ptr<MeasureState>> result) {
    if (serial != m_measureSerial) return;
    m_measure.step.clear();
    if (result) {
        m_measure = **result;
        m_measure.stage = Stage::finished;
        readKept();
    } else {
        m_measure.stage = result.error().code == "cancelled" ? Stage::cancelled : Stage::failed;
        m_measure.error = result.error();
    }
    Q_EMIT measureChanged();
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
