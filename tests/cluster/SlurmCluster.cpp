// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/cluster/SlurmCluster.h"

#include "tests/Waiting.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QHostInfo>
#include <QStandardPaths>
#include <QTcpServer>
#include <QThread>
#include <csignal>
#include <functional>
#include <random>
#include <sys/prctl.h>
#include <sys/stat.h>

namespace {

QString programPath(const QString& name) {
    const QString found = QStandardPaths::findExecutable(name);
    return found.isEmpty() ? QStandardPaths::findExecutable(name, {"/usr/sbin", "/sbin", "/usr/local/sbin"}) : found;
}

/// Ports that were free just now.
std::vector<quint16> freePorts(int count) {
    std::vector<std::unique_ptr<QTcpServer>> servers;
    std::vector<quint16> ports;
    for (int i = 0; i < count; ++i) {
        servers.push_back(std::make_unique<QTcpServer>());
        servers.back()->listen(QHostAddress::LocalHost);
        ports.push_back(servers.back()->serverPort());
    }
    return ports;
}

void writeFile(const QString& path, const QByteArray& bytes, QFile::Permissions permissions) {
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly)) qFatal("%s cannot be written", qPrintable(path));
    file.setPermissions(permissions);
    file.write(bytes);
}

QByteArrayList environmentOf(const QString& pid) {
    QFile file("/proc/" + pid + "/environ");
    return file.open(QIODevice::ReadOnly) ? file.readAll().split('\0') : QByteArrayList();
}

} // namespace

SlurmCluster::SlurmCluster() = default;

SlurmCluster::~SlurmCluster() {
    for (auto& [name, daemon] : m_daemons)
        daemon->kill();
    // Steps are children of no one; what they run has our configuration in its environment.
    const QByteArray ours = "SLURM_CONF=" + configuration().toUtf8();
    const auto isOurs = [&](const QString& folder, const QByteArrayList& environment) {
        return folder.startsWith(m_folder.path() + '/') || environment.contains(ours);
    };
    for (int i = 0; i < 3; ++i) // one that was just being made
        killWhere(isOurs);
    for (auto& [name, daemon] : m_daemons)
        daemon->waitForFinished(longWait);
}

void SlurmCluster::killWhere(
    const std::function<bool(const QString& folder, const QByteArrayList& environment)>& which) const {
    const QString self = QString::number(QCoreApplication::applicationPid());
    for (const QString& pid : QDir("/proc").entryList(QDir::Dirs)) {
        if (pid == self || pid.toLongLong() <= 1) continue;
        const QString folder = QFile::symLinkTarget("/proc/" + pid + "/cwd");
        if (which(folder + '/', environmentOf(pid))) ::kill(pid_t(pid.toLongLong()), SIGKILL);
    }
}

void SlurmCluster::startDaemon(const QString& name, const QString& program, const QStringList& arguments) {
    QDir().mkpath(m_folder.filePath(name)); // its own: by this folder its steps are found
    auto daemon = std::make_unique<QProcess>();
    daemon->setWorkingDirectory(m_folder.filePath(name));
    daemon->setProcessChannelMode(QProcess::MergedChannels);
    daemon->setStandardOutputFile(m_folder.filePath(name + ".said"), QIODevice::Append);
    auto environment = QProcessEnvironment::systemEnvironment();
    environment.insert("SLURM_CONF", configuration());
    daemon->setProcessEnvironment(environment);
    daemon->setChildProcessModifier([] {
        ::setpgid(0, 0);
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    });
    daemon->start(programPath(program), arguments);
    daemon->waitForStarted(longWait);
    m_daemons[name] = std::move(daemon);
}

void SlurmCluster::writeConfiguration() {
    const auto ports = freePorts(3);
    const QString host = QHostInfo::localHostName();
    const QString folder = m_folder.path();
    // SlurmdTimeout and cred_expire: how long a node that is gone, and its tasks, are waited for. The memory and the
    // processors of one machine are said to be those of two.
    QString text = QStringLiteral("ClusterName=kernelarium\n"
                                  "SlurmctldHost=%1(127.0.0.1)\n"
                                  "SlurmUser=%2\nSlurmdUser=%2\n"
                                  "AuthType=auth/munge\nCredType=cred/munge\n"
                                  "AuthInfo=socket=%3/munge/socket,cred_expire=6\n"
                                  "SlurmctldPort=%4\n"
                                  "SlurmctldPidFile=%3/slurmctld.pid\nSlurmctldLogFile=%3/slurmctld.log\n"
                                  "StateSaveLocation=%3/state\n"
                                  "SlurmdPidFile=%3/%n.pid\nSlurmdLogFile=%3/%n.log\nSlurmdSpoolDir=%3/spool-%n\n"
                                  "ProctrackType=proctrack/pgid\nTaskPlugin=task/none\n"
                                  "JobAcctGatherType=jobacct_gather/none\n"
                                  "AccountingStorageType=accounting_storage/none\nJobCompType=jobcomp/none\n"
                                  "SelectType=select/cons_tres\nSelectTypeParameters=CR_CPU\n"
                                  "SchedulerType=sched/builtin\nMpiDefault=none\nSwitchType=switch/none\n"
                                  "ReturnToService=2\nSlurmdTimeout=6\nSlurmctldTimeout=30\nInactiveLimit=0\n"
                                  "KillWait=2\nMinJobAge=300\nMessageTimeout=10\nMailProg=/bin/true\n"
                                  "SlurmdParameters=config_overrides\n")
                       .arg(host, m_owner, folder)
                       .arg(ports[0]);
    for (int node = 1; node <= 2; ++node)
        text += QStringLiteral("NodeName=node%1 NodeHostname=%2 NodeAddr=127.0.0.1 Port=%3 CPUs=1\n")
                    .arg(node)
                    .arg(host)
                    .arg(ports[std::size_t(node)]);
    text += "PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP\n";
    writeFile(configuration(), text.toUtf8(), QFile::ReadOwner | QFile::WriteOwner | QFile::ReadOther);
}

QString SlurmCluster::saidBy(const QString& daemon) const {
    QFile file(m_folder.filePath(daemon + ".said"));
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll().right(600)) : QString();
}

QString SlurmCluster::start() {
    for (const char* program : {"munged", "slurmctld", "slurmd", "sbatch", "squeue", "scancel", "sinfo"})
        if (programPath(program).isEmpty()) return QStringLiteral("%1 is not installed").arg(program);
    QProcess id;
    id.start("id", {"-un"});
    id.waitForFinished(longWait);
    m_owner = id.readAllStandardOutput().trimmed();
    ::chmod(qPrintable(m_folder.path()), 0711); // munged wants everyone to reach its socket
    for (const char* name : {"munge", "state"})
        QDir().mkpath(m_folder.filePath(name));
    ::chmod(qPrintable(m_folder.filePath("munge")), 0711);
    QByteArray key(1024, '\0');
    std::random_device chance;
    for (char& byte : key)
        byte = char(chance());
    const QString munge = m_folder.filePath("munge/");
    writeFile(munge + "key", key, QFile::ReadOwner | QFile::WriteOwner);
    writeConfiguration();
    startDaemon("munged", "munged",
                {"--foreground", "--num-threads=4", "--key-file=" + munge + "key", "--socket=" + munge + "socket",
                 "--pid-file=" + munge + "pid", "--log-file=" + munge + "log", "--seed-file=" + munge + "seed"});
    QElapsedTimer timer;
    timer.start();
    const auto waitFor = [&](const QString& daemon, const std::function<bool()>& condition) {
        while (!condition()) {
            if (m_daemons[daemon]->state() == QProcess::NotRunning || timer.elapsed() > longWait) return false;
            m_daemons[daemon]->waitForFinished(50);
        }
        return true;
    };
    if (!waitFor("munged", [&] { return QFile::exists(munge + "socket"); }))
        return "munged does not start: " + saidBy("munged");
    startDaemon("slurmctld", "slurmctld", {"-D", "-c"});
    for (const char* node : {"node1", "node2"})
        startNode(node);
    for (const char* node : {"node1", "node2"})
        if (!waitFor("slurmctld", [&] { return isUp(node); }))
            return "slurmctld does not start: " + saidBy("slurmctld") + saidBy(node);
    return {};
}

void SlurmCluster::startNode(const QString& node) {
    startDaemon(node, "slurmd", {"-D", "-N", node});
}

void SlurmCluster::killNode(const QString& node) {
    m_daemons.at(node)->kill();
    m_daemons.at(node)->waitForFinished(longWait);
    const QByteArray name = "SLURMD_NODENAME=" + node.toUtf8(), ours = "SLURM_CONF=" + configuration().toUtf8();
    for (int i = 0; i < 3; ++i)
        killWhere([&](const QString& folder, const QByteArrayList& environment) {
            return folder.startsWith(m_folder.filePath(node) + '/') ||
                   (environment.contains(name) && environment.contains(ours));
        });
}

bool SlurmCluster::isUp(const QString& node) const {
    const QByteArray state = call("sinfo", {"--noheader", "--nodes=" + node, "--format=%T"}).trimmed();
    return state == "idle" || state == "allocated" || state == "mixed" || state == "completing";
}

std::vector<int> SlurmCluster::tasksOn(const QString& node) const {
    std::vector<int> tasks;
    const QByteArray out =
        call("squeue", {"--noheader", "--array", "--states=RUNNING", "--nodelist=" + node, "--format=%K"});
    for (const QByteArray& line : out.split('\n'))
        if (!line.trimmed().isEmpty()) tasks.push_back(line.trimmed().toInt());
    return tasks;
}

QByteArray SlurmCluster::call(const QString& program, const QStringList& arguments) const {
    QProcess process;
    auto environment = QProcessEnvironment::systemEnvironment();
    environment.insert("SLURM_CONF", configuration());
    process.setProcessEnvironment(environment);
    process.start(programPath(program), arguments);
    process.waitForFinished(longWait);
    return process.readAllStandardOutput();
}
