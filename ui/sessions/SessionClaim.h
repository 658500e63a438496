// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"

#include <QLocalServer>
#include <QObject>
#include <QStringList>
#include <chrono>

class QLocalSocket;

namespace kernelarium::ui {

/// One window per session file: what is typed in two of them would overwrite each other. The first locks
/// SESSIONFILE.lock as long as it lives and listens to those that come later, which hand over what they were asked to
/// open, and end.
class SessionClaim : public QObject {
    Q_OBJECT
public:
    /// What a start of the program was asked to open: absolute paths; an empty archive is none.
    struct Wish {
        QString archive;
        QStringList files;
        QByteArray activation; ///< the desktop's token that lets the window come to the front; empty: none
    };

    explicit SessionClaim(const QString& sessionFile, QObject* parent = nullptr);
    ~SessionClaim() override;

    /// True: the file is ours (also where its folder cannot be written or locked: then nothing is kept, and there is
    /// nothing to lose). False: another window has it and has taken the wish. Waits for it, blocking, no longer than
    /// `patience`. Error: "already_open", another window has it and does not answer (with
    /// no patience it is not asked).
    [[nodiscard]] Result<bool> take(const Wish& wish, std::chrono::milliseconds patience);

    [[nodiscard]] bool isLocked() const { return m_descriptor >= 0; }
    [[nodiscard]] const QString& address() const { return m_address; }

Q_SIGNALS:
    /// A later start of the program was handed over; the window is wanted in front.
    void wished(const kernelarium::ui::SessionClaim::Wish& wish);

private:
    [[nodiscard]] bool handOver(const Wish& wish, std::chrono::milliseconds patience) const;
    [[nodiscard]] Error alreadyOpen(bool wasAsked) const;
    void listen();
    void greet();
    void read(QLocalSocket* visitor);

    QString m_sessionFile;
    QString m_lockFile;
    QString m_address; ///< of the socket, in the user's own folder
    QLocalServer m_server;
    int m_descriptor = -1;
};

} // namespace kernelarium::ui
