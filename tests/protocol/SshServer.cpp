// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/protocol/SshServer.h"

#include "tests/Waiting.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QFileInfo>
#include <QStandardPaths>
#include <QThread>
#include <arpa/inet.h>
#include <csignal>
#include <netinet/in.h>
#include <pwd.h>
#include <sys/socket.h>
#include <unistd.h>

namespace {

int freePort() {
    const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    if (::bind(socket, reinterpret_cast<sockaddr*>(&address), size) != 0) address.sin_port = 0;
    ::getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size);
    ::close(socket);
    return ntohs(address.sin_port);
}

bool listens(int port) {
    const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(std::uint16_t(port));
    const bool there = ::connect(socket, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
    ::close(socket);
    return there;
}

QString userName() {
    const passwd* user = ::getpwuid(::getuid());
    return user ? QString::fromLocal8Bit(user->pw_name) : QString();
}

QString serverProgram() {
    return QStandardPaths::findExecutable(
        QStringLiteral("sshd"),
        {QStringLiteral("/usr/sbin"), QStringLiteral("/usr/local/sbin"), QStringLiteral("/sbin")});
}

bool makeKey(const QString& file) {
    return QProcess::execute(QStringLiteral("ssh-keygen"),
                             {QStringLiteral("-q"), QStringLiteral("-t"), QStringLiteral("ed25519"),
                              QStringLiteral("-N"), QString(), QStringLiteral("-f"), file}) == 0;
}

} // namespace

SshServer::SshServer() {
    for (const char* needed : {"ssh", "ssh-keygen", "tar"})
        if (QStandardPaths::findExecutable(QLatin1String(needed)).isEmpty())
            m_obstacle = QStringLiteral("%1 is missing").arg(QLatin1String(needed));
    if (serverProgram().isEmpty()) m_obstacle = QStringLiteral("sshd is missing: install openssh-server");
    if (!m_obstacle.isEmpty()) return;
    if (!start())
        m_obstacle = QStringLiteral("sshd does not start: %1").arg(QString::fromUtf8(m_process.readAllStandardError()));
}

SshServer::~SshServer() {
    qunsetenv("KERNELARIUM_SSH");
    if (m_process.state() == QProcess::NotRunning) return;
    dropConnections();
    m_process.terminate();
    m_process.waitForFinished(longWait);
}

void SshServer::write(const QString& name, const QByteArray& content) const {
    QFile out(file(name));
    if (out.open(QIODevice::WriteOnly)) out.write(content);
}

QByteArray SshServer::read(const QString& name) const {
    QFile in(file(name));
    return in.open(QIODevice::ReadOnly) ? in.readAll() : QByteArray();
}

bool SshServer::start() {
    if (!makeKey(file(QStringLiteral("host_key"))) || !makeKey(file(QStringLiteral("user_key")))) return false;
    QDir().mkpath(home());
    if (::getuid() == 0) QDir().mkpath(QStringLiteral("/run/sshd")); // it refuses to start without, as root
    m_port = freePort();
    write(QStringLiteral("authorized_keys"), read(QStringLiteral("user_key.pub")));
    const QString here = m_folder.path();
    write(
        QStringLiteral("sshd_config"),
        QStringLiteral("Port %1\nListenAddress 127.0.0.1\nHostKey %2/host_key\nAuthorizedKeysFile %2/authorized_keys\n"
                       "PidFile none\nStrictModes no\nUsePAM no\nPermitRootLogin yes\nPasswordAuthentication no\n"
                       "SetEnv HOME=%3\n")
            .arg(m_port)
            .arg(here, home())
            .toUtf8());
    write(QStringLiteral("known_hosts"),
          QStringLiteral("[127.0.0.1]:%1 ").arg(m_port).toUtf8() + read(QStringLiteral("host_key.pub")));
    write(QStringLiteral("ssh_config"),
          QStringLiteral("Host *\nIdentityFile %1/user_key\nIdentitiesOnly yes\nUserKnownHostsFile %1/known_hosts\n"
                         "GlobalKnownHostsFile /dev/null\nStrictHostKeyChecking yes\n")
              .arg(here)
              .toUtf8());
    qputenv("KERNELARIUM_SSH", QStringLiteral("ssh -F %1/ssh_config").arg(here).toUtf8());
    m_process.start(serverProgram(), {QStringLiteral("-D"), QStringLiteral("-e"), QStringLiteral("-f"),
                                      file(QStringLiteral("sshd_config"))});
    QElapsedTimer clock;
    clock.start();
    while (!listens(m_port)) {
        if (clock.elapsed() > longWait || m_process.waitForFinished(20)) return false;
    }
    return true;
}

QString SshServer::target() const {
    return QStringLiteral("ssh:%1@127.0.0.1:%2").arg(userName()).arg(m_port);
}

void SshServer::dropConnections() {
    QFile children(QStringLiteral("/proc/%1/task/%1/children").arg(m_process.processId()));
    if (!children.open(QIODevice::ReadOnly)) return;
    for (const QByteArray& child : children.readAll().split(' '))
        if (const pid_t pid = child.toInt(); pid > 0) ::kill(pid, SIGKILL);
}

int SshServer::copiesRunning() const {
    int count = 0;
    for (const QString& process : QDir(QStringLiteral("/proc")).entryList({QStringLiteral("[0-9]*")}, QDir::Dirs))
        if (QFile::symLinkTarget(QStringLiteral("/proc/%1/exe").arg(process)).startsWith(home())) ++count;
    return count;
}

void SshServer::forgetHostKey() {
    write(QStringLiteral("known_hosts"), {});
}

void SshServer::changeHostKey() {
    makeKey(file(QStringLiteral("other_key")));
    write(QStringLiteral("known_hosts"),
          QStringLiteral("[127.0.0.1]:%1 ").arg(m_port).toUtf8() + read(QStringLiteral("other_key.pub")));
}

void SshServer::refuseUser() {
    write(QStringLiteral("authorized_keys"), {});
}

QString SshServer::bundleOf(const QString& program) const {
    QDir().mkpath(file(QStringLiteral("made/kernelarium-test/bin")));
    const QString copy = file(QStringLiteral("made/kernelarium-test/bin/kernelarium-cli"));
    QFile::remove(copy);
    if (!QFile::copy(program, copy)) return {};
    QFile::setPermissions(copy, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    const QString archive = file(QStringLiteral("%1.tar.gz").arg(QFileInfo(program).fileName()));
    const int failed =
        QProcess::execute(QStringLiteral("tar"), {QStringLiteral("-C"), file(QStringLiteral("made")),
                                                  QStringLiteral("-czf"), archive, QStringLiteral("kernelarium-test")});
    return failed ? QString() : archive;
}
