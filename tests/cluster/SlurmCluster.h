// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QProcess>
#include <QString>
#include <QTemporaryDir>
#include <map>
#include <memory>
#include <vector>

/// A slurmctld and two slurmd, node1 and node2, with a munged of their own, in a temporary folder and on ports of their
/// own. All of it is killed when this goes, and when this process dies.
class SlurmCluster {
public:
    SlurmCluster();
    ~SlurmCluster();

    /// Starts all and waits for the nodes; a word on why it cannot be, or nothing.
    [[nodiscard]] QString start();
    /// Where Slurm's programs find it; set it as SLURM_CONF.
    [[nodiscard]] QString configuration() const { return m_folder.filePath("slurm.conf"); }

    void startNode(const QString& node);
    /// As if its power failed: the daemon, its steps and whatever they run get SIGKILL.
    void killNode(const QString& node);
    /// Whether Slurm can use it.
    [[nodiscard]] bool isUp(const QString& node) const;
    /// Numbers of the array tasks that a node runs now.
    [[nodiscard]] std::vector<int> tasksOn(const QString& node) const;

    /// What one of Slurm's programs prints.
    [[nodiscard]] QByteArray call(const QString& program, const QStringList& arguments) const;

private:
    QString m_owner;
    void startDaemon(const QString& name, const QString& program, const QStringList& arguments);
    void writeConfiguration();
    void killWhere(const std::function<bool(const QString& folder, const QByteArrayList& environment)>& which) const;
    [[nodiscard]] QString saidBy(const QString& daemon) const;

    QTemporaryDir m_folder;
    std::map<QString, std::unique_ptr<QProcess>> m_daemons;
};
