// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/desks/Kernel.h"

#include <QObject>

namespace kernelarium::protocol {
struct DeviceSummary;
}

namespace kernelarium::ui {

class ChildQueue;
class DeviceDesk;
class Notices;
class Settings;

/// The target: how kernels are compiled, run and timed, on which machine and device, and whether that is there.
class Place : public QObject {
    Q_OBJECT
public:
    /// `program`: kernelarium-cli; `runner`: the child that is started where the target is.
    Place(QString program, Settings& settings, DeviceDesk& devices, ChildQueue& runner, Notices& notices,
          QObject* parent = nullptr);

    [[nodiscard]] const Target& target() const { return m_target; }
    /// With what this kernel wants of its compiler.
    [[nodiscard]] Target targetFor(const Kernel& kernel) const;
    /// Session's AttemptSummary::optionsJson of an attempt at it.
    [[nodiscard]] std::string optionsFor(const Kernel& kernel) const;
    void setTarget(const Target& target); ///< remembered
    void restore();                       ///< the remembered one; the machines are known
    /// Where kernels run: a GPU of a machine (null: its emulator), what they are compiled for and whose roofs are
    /// shown.
    void choose(const QString& host, const protocol::DeviceSummary* gpu, int ordinal);
    /// Why kernels cannot run on the target, as far as its machine was asked; empty: they can, or nobody knows.
    [[nodiscard]] QString obstacle() const;

Q_SIGNALS:
    void changed(); ///< the target, or what is known of its machine

private:
    void startThere();
    void hear(const QString& host);

    QString m_program;
    Settings& m_settings;
    DeviceDesk& m_devices;
    ChildQueue& m_runner;
    Notices& m_notices;
    Target m_target;
    bool m_toldVanished = false;
};

} // namespace kernelarium::ui
