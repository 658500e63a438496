// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sessions/SessionClaim.h"

#include "core/files/LockedFile.h"

#include <QCryptographicHash>
#include <QDataStream>
#include <QDeadlineTimer>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QLocalSocket>
#include <QThread>
#include <QTimer>
#include <optional>
#include <unistd.h>

namespace kernelarium::ui {

namespace {

constexpr quint32 form = 0x4b4e4c01; // of the message; another one is another version's
constexpr qint64 longestWish = 1 << 20;
constexpr auto visitorsPatience = std::chrono::seconds(5);
constexpr char taken = 'y';

QByteArray messageOf(const SessionClaim::Wish& wish) {
    QByteArray message;
    QDataStream stream(&message, QIODevice::WriteOnly);
    stream.setVersion(QDataStream::Qt_6_0);
    stream << form << wish.archive << wish.files << wish.activation;
    return message;
}

/// Nothing of it is believed: Qt would make room for as many paths as a message says it has, before it reads one.
std::optional<SessionClaim::Wish> wishIn(const QByteArray& message) {
    QDataStream stream(message);
    stream.setVersion(QDataStream::Qt_6_0);
    quint32 sent = 0, files = 0;
    SessionClaim::Wish wish;
    stream >> sent;
    if (sent != form) return std::nullopt;
    stream >> wish.archive >> files;
    for (quint32 i = 0; i < files && stream.status() == QDataStream::Ok; ++i) {
        QString file;
        stream >> file;
        wish.files << file;
    }
    stream >> wish.activation;
    return stream.status() == QDataStream::Ok ? std::optional(wish) : std::nullopt;
}

QString realPathOf(const QString& file) {
    const QFileInfo info(file);
    const QString real = info.canonicalFilePath();
    if (!real.isEmpty()) return real;
    const QString folder = QFileInfo(info.absolutePath()).canonicalFilePath();
    return (folder.isEmpty() ? info.absolutePath() : folder) + QLatin1Char('/') + info.fileName();
}

/// Where nobody else may make one of the same name.
QString socketFor(const QString& sessionFile) {
    const QByteArray hash = QCryptographicHash::hash(sessionFile.toUtf8(), QCryptographicHash::Sha256).toHex();
    const QString runtime = qEnvironmentVariable("XDG_RUNTIME_DIR");
    const bool hasRuntime = QDir::isAbsolutePath(runtime) && QFileInfo(runtime).isWritable();
    return (hasRuntime ? runtime : QFileInfo(sessionFile).absolutePath()) +
           QStringLiteral("/kernelarium-%1").arg(QString::fromLatin1(hash.left(24)));
}

} // namespace

SessionClaim::SessionClaim(const QString& sessionFile, QObject* parent)
    : QObject(parent) {
    QDir().mkpath(QFileInfo(sessionFile).absolutePath());
    m_sessionFile = realPathOf(sessionFile);
    m_lockFile = m_sessionFile + QStringLiteral(".lock");
    m_address = socketFor(m_sessionFile);
    m_server.setSocketOptions(QLocalServer::UserAccessOption);
    connect(&m_server, &QLocalServer::newConnection, this, &SessionClaim::greet);
}

SessionClaim::~SessionClaim() {
    m_server.close();
    if (m_descriptor >= 0) ::close(m_descriptor);
}

Result<bool> SessionClaim::take(const Wish& wish, std::chrono::milliseconds patience) {
    const QDeadlineTimer deadline(patience);
    for (;;) {
        const files::LockedFile locked = files::openLocked(QFile::encodeName(m_lockFile).toStdString());
        if (locked.descriptor >= 0) {
            m_descriptor = locked.descriptor;
            listen();
            return true;
        }
        if (!locked.isBusy()) return true;
        if (deadline.hasExpired()) return alreadyOpen(patience.count() > 0);
        if (handOver(wish, std::chrono::milliseconds(deadline.remainingTime()))) return false;
        QThread::msleep(50); // it may be about to listen, or to end
    }
}

/// Says where the one that has the file is, so that it can be found should it not answer.
void SessionClaim::listen() {
    QLocalServer::removeServer(m_address); // of one that was killed: the lock says that nobody listens
    m_server.listen(m_address);            // without it a later start is refused, and loses nothing
    const QByteArray process = QByteArray::number(::getpid()) + '\n';
    if (::ftruncate(m_descriptor, 0) != 0 || ::write(m_descriptor, process.constData(), size_t(process.size())) < 0)
        return; // only a message is poorer
}

bool SessionClaim::handOver(const Wish& wish, std::chrono::milliseconds patience) const {
    const QDeadlineTimer deadline(patience);
    QLocalSocket socket;
    socket.connectToServer(m_address);
    if (!socket.waitForConnected(int(deadline.remainingTime()))) return false;
    QDataStream stream(&socket);
    stream << messageOf(wish);
    while (socket.bytesToWrite() > 0)
        if (!socket.waitForBytesWritten(int(deadline.remainingTime()))) return false;
    while (socket.bytesAvailable() == 0)
        if (!socket.waitForReadyRead(int(deadline.remainingTime()))) return false;
    char answer = 0;
    return socket.getChar(&answer) && answer == taken;
}

Error SessionClaim::alreadyOpen(bool wasAsked) const {
    QFile file(m_lockFile);
    const qint64 process = file.open(QIODevice::ReadOnly) ? file.read(20).trimmed().toLongLong() : 0;
    const QString which = process > 0 ? tr(" (process %1)").arg(process) : QString();
    const QString silent = wasAsked ? tr(" and does not answer") : QString();
    return {"already_open",
            tr("Another window has the session file %1 open%2%3.").arg(m_sessionFile, which, silent).toStdString(),
            tr("Wait for it or end it, or keep the sessions of this one elsewhere with --session-file.").toStdString()};
}

void SessionClaim::greet() {
    while (QLocalSocket* visitor = m_server.nextPendingConnection()) {
        visitor->setParent(this);
        visitor->setReadBufferSize(longestWish + 64);
        connect(visitor, &QLocalSocket::disconnected, visitor, &QObject::deleteLater);
        connect(visitor, &QLocalSocket::readyRead, this, [this, visitor] { read(visitor); });
        QTimer::singleShot(visitorsPatience, visitor, [visitor] { visitor->abort(); });
        read(visitor);
    }
}

void SessionClaim::read(QLocalSocket* visitor) {
    // The length comes first; nothing is taken in before all of it is there, and nothing that is too long.
    const QByteArray head = visitor->peek(4);
    if (head.size() < 4) return;
    const quint32 length = qFromBigEndian<quint32>(head.constData());
    if (length > longestWish) return visitor->abort();
    if (visitor->bytesAvailable() < 4 + qint64(length)) return;
    const std::optional<Wish> wish = wishIn(visitor->read(4 + qint64(length)).mid(4));
    if (!wish) return visitor->abort();
    disconnect(visitor, &QLocalSocket::readyRead, this, nullptr);
    visitor->putChar(taken);
    visitor->disconnectFromServer(); // once that is written
    Q_EMIT wished(*wish);
}

} // namespace kernelarium::ui
