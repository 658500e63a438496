// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/workspace/Place.h"

#include "core/perf/DeviceSpec.h"
#include "gpu/protocol/RemoteStarter.h"
#include "ui/desks/DeviceDesk.h"
#include "ui/workspace/Notices.h"
#include "ui/workspace/Settings.h"

#include <QJsonDocument>
#include <QJsonObject>

namespace kernelarium::ui {

Place::Place(QString program, Settings& settings, DeviceDesk& devices, ChildQueue& runner, Notices& notices,
             QObject* parent)
    : QObject(parent)
    , m_program(std::move(program))
    , m_settings(settings)
    , m_devices(devices)
    , m_runner(runner)
    , m_notices(notices) {
    connect(&m_devices, &DeviceDesk::changed, this, &Place::hear);
}

void Place::startThere() {
    auto starter = protocol::starterFor(m_target.host.toStdString(), m_program.toStdString(), m_target.ordinal);
    if (starter)
        m_runner.setStarter(std::move(*starter));
    else
        m_notices.postError(starter.error());
    m_toldVanished = false;
}

Target Place::targetFor(const Kernel& kernel) const {
    Target target = m_target;
    target.compilerOptions = kernel.compilerOptions;
    if (const auto* device = perf::findDeviceSpec(kernel.device.toStdString())) { // none has an empty name
        target.device = QString::fromStdString(device->id);
        target.arch = QString::fromStdString(device->arch);
    }
    return target;
}

std::string Place::optionsFor(const Kernel& kernel) const {
    QJsonObject options;
    options[QStringLiteral("arch")] = targetFor(kernel).arch;
    options[QStringLiteral("fast_math")] = m_target.fastMath;
    if (!kernel.compilerOptions.isEmpty()) options[QStringLiteral("settings")] = kernel.compilerOptions;
    if (!kernel.function.isEmpty()) options[QStringLiteral("function")] = kernel.function;
    return QJsonDocument(options).toJson(QJsonDocument::Compact).toStdString();
}

void Place::setTarget(const Target& target) {
    if (target == m_target) return;
    const bool elsewhere = !target.isSamePlace(m_target);
    m_target = target;
    if (elsewhere) startThere();
    m_settings.set(setting::target, target);
    Q_EMIT changed();
}

void Place::restore() {
    if (!m_settings.isSet(setting::target)) return;
    m_target = m_settings.get(setting::target);
    if (!m_target.host.isEmpty() && !m_devices.hosts().contains(m_target.host)) choose({}, nullptr, 0);
    startThere();
    Q_EMIT changed();
}

void Place::choose(const QString& host, const protocol::DeviceSummary* gpu, int ordinal) {
    Target target = m_target;
    target.host = host;
    target.ordinal = gpu ? ordinal : 0;
    target.gpu = gpu ? QString::fromStdString(gpu->name) : QString();
    target.arch = gpu ? QString::fromStdString(gpu->arch) : Target().arch;
    const perf::DeviceSpec* spec = gpu ? perf::findDeviceSpec(gpu->name) : nullptr;
    if (spec) target.device = QString::fromStdString(spec->id);
    setTarget(target);
}

QString Place::obstacle() const {
    if (m_target.host.isEmpty() && !m_target.onGpu()) return {}; // the emulator is always there
    const HostDevices devices = m_devices.at(m_target.host);
    if (devices.stage == Stage::failed) return QString::fromStdString(devices.error.text());
    if (devices.stage != Stage::finished || !m_target.onGpu()) return {};
    const protocol::DeviceSummary* gpu = devices.answer.gpu(m_target.ordinal);
    if (gpu && m_target.gpu == QString::fromStdString(gpu->name)) return {};
    const QString why =
        devices.answer.missing ? QLatin1Char(' ') + QString::fromStdString(devices.answer.missing->text()) : QString();
    return tr("%1 is not there any more.").arg(placeText(m_target)) + why;
}

void Place::hear(const QString& host) {
    if (host == m_target.host) {
        const QString reason = obstacle();
        if (!reason.isEmpty() && !m_toldVanished)
            m_notices.post(tr("%1 Choose where kernels run: Kernel, Target.").arg(reason), true);
        if (m_devices.at(host).stage != Stage::running) m_toldVanished = !reason.isEmpty();
    } else if (m_devices.at(host).stage == Stage::failed && !host.isEmpty()) {
        m_notices.postError(m_devices.at(host).error);
    }
    Q_EMIT changed();
}

} // namespace kernelarium::ui
