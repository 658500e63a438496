// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QProcess>
#include <QString>
#include <QTemporaryDir>

/// An ssh server on this machine that lets only the test in: keys, configuration and the home folder that its
/// sessions see lie in a temporary folder. The environment's KERNELARIUM_SSH is a client that knows it.
class SshServer {
public:
    SshServer();
    ~SshServer();

    /// Why there is none: a program is missing, or it does not start.
    [[nodiscard]] const QString& obstacle() const { return m_obstacle; }
    [[nodiscard]] QString target() const; ///< "ssh:user@127.0.0.1:port"
    [[nodiscard]] QString file(const QString& name) const { return m_folder.filePath(name); }
    [[nodiscard]] QString home() const { return file(QStringLiteral("home")); }

    void dropConnections();                  ///< as a cable that is pulled
    [[nodiscard]] int copiesRunning() const; ///< processes whose program was copied to home()
    void forgetHostKey();                    ///< the client has never seen the server
    void changeHostKey();                    ///< the client knows another key of it
    void refuseUser();                       ///< the client's key is not among the authorised ones

    /// A bundle's archive whose program is a copy of `program`.
    [[nodiscard]] QString bundleOf(const QString& program) const;

private:
    bool start();
    void write(const QString& name, const QByteArray& content) const;
    [[nodiscard]] QByteArray read(const QString& name) const;

    QTemporaryDir m_folder;
    QProcess m_process;
    int m_port = 0;
    QString m_obstacle;
};
