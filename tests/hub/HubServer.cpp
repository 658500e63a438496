// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/hub/HubServer.h"

#include "core/files/Sha256.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTcpServer>
#include <QTcpSocket>
#include <QTimer>
#include <QUrl>

namespace {

using kernelarium::files::sha256;
using kernelarium::files::toHex;

const QString filePrefix = QStringLiteral("/resolve/main/");
const QString storagePrefix = QStringLiteral("/storage/");

QByteArray sumOf(const QByteArray& content) {
    return QByteArray::fromStdString(toHex(sha256({content.constData(), std::size_t(content.size())})));
}

QByteArray headerOf(const QByteArray& head, const QByteArray& name) {
    for (const QByteArray& line : head.split('\n'))
        if (line.toLower().startsWith(name.toLower() + ':')) return line.mid(name.size() + 1).trimmed();
    return {};
}

} // namespace

HubServer::HubServer(HubBehaviour behaviour)
    : m_behaviour(std::move(behaviour)) {
    m_server = new QTcpServer;
    if (!m_server->listen(QHostAddress::LocalHost)) qFatal("no port to listen on");
    m_port = m_server->serverPort();
    m_server->moveToThread(&m_thread);
    QObject::connect(m_server, &QTcpServer::newConnection, m_server, [this] {
        while (QTcpSocket* socket = m_server->nextPendingConnection()) {
            QObject::connect(socket, &QTcpSocket::readyRead, socket, [this, socket] { serve(socket); });
            QObject::connect(socket, &QTcpSocket::disconnected, socket, &QObject::deleteLater);
        }
    });
    QObject::connect(&m_thread, &QThread::finished, m_server, &QObject::deleteLater);
    m_thread.start();
}

HubServer::~HubServer() {
    m_thread.quit();
    m_thread.wait();
}

QString HubServer::host() const {
    return QStringLiteral("http://127.0.0.1:%1").arg(m_port);
}

void HubServer::behave(const HubBehaviour& behaviour) {
    const std::lock_guard lock(m_mutex);
    m_behaviour = behaviour;
}

QList<HubRequest> HubServer::requests() const {
    const std::lock_guard lock(m_mutex);
    return m_requests;
}

QList<HubRequest> HubServer::contentRequests() const {
    QList<HubRequest> found;
    for (const HubRequest& request : requests())
        if (request.path.startsWith(storagePrefix)) found << request;
    return found;
}

void HubServer::forgetRequests() {
    const std::lock_guard lock(m_mutex);
    m_requests.clear();
}

void HubServer::serve(QTcpSocket* socket) {
    const QByteArray waiting = socket->peek(65536);
    if (waiting.startsWith('\x16')) { // somebody wants to speak TLS
        socket->write("HTTP/1.1 400 Plain words, please\r\n\r\n");
        socket->disconnectFromHost();
        return;
    }
    const qsizetype end = waiting.indexOf("\r\n\r\n");
    if (end < 0) return;
    const QByteArray head = socket->read(end + 4);
    const QList<QByteArray> words = head.left(head.indexOf('\r')).split(' ');
    HubRequest request{QString::fromUtf8(words.value(1)), headerOf(head, "Range"), headerOf(head, "If-Range")};
    const std::lock_guard lock(m_mutex);
    m_requests << request;
    send(socket, answerTo(request), m_behaviour.pieceBytes);
}

HubServer::Answer HubServer::plain(int status, const QByteArray& type, const QByteArray& content,
                                   const QByteArray& headers) {
    return {"HTTP/1.1 " + QByteArray::number(status) + " Told\r\nContent-Type: " + type + "\r\nContent-Length: " +
                QByteArray::number(content.size()) + "\r\n" + headers + "Connection: close\r\n\r\n",
            content, false};
}

HubServer::Answer HubServer::answerTo(const HubRequest& request) {
    if (const auto page = m_behaviour.pages.constFind(request.path); page != m_behaviour.pages.cend())
        return plain(200, page->first, page->second);
    if (request.path.contains(QStringLiteral("/tree/"))) return listAnswer(request.path);
    if (request.path.startsWith(storagePrefix)) return contentAnswer(request);
    const qsizetype at = request.path.indexOf(filePrefix);
    const QString file = QUrl::fromPercentEncoding(request.path.mid(at + filePrefix.size()).toUtf8());
    if (at < 0 || !m_behaviour.files.contains(file)) return plain(404, "text/plain", "Entry not found");
    if (m_behaviour.fileStatus != 200) return plain(m_behaviour.fileStatus, "text/plain", "Not now");
    if (m_behaviour.limitedTimes > 0) {
        --m_behaviour.limitedTimes;
        return plain(429, "text/plain", "Too many requests",
                     "RateLimit: " + m_behaviour.rateLimit +
                         "\r\nRateLimit-Policy: \"fixed window\";\"resolvers\";q=5000;w=300\r\n");
    }
    const QByteArray to = m_behaviour.redirectsInCircles
                              ? request.path.toUtf8()
                              : host().toUtf8() + QUrl::toPercentEncoding(storagePrefix + file, "/") +
                                    "?X-Amz-Expires=3600&Signature=a~b_c";
    const QByteArray& content = m_behaviour.files[file];
    return plain(302, "text/plain", "Found. Redirecting",
                 "Location: " + to + "\r\nETag: \"" + sumOf(content) + "\"\r\nX-Linked-ETag: \"" + sumOf(content) +
                     "\"\r\nX-Linked-Size: " + QByteArray::number(content.size()) +
                     "\r\nX-Repo-Commit: 4edbe8d000000000000000000000000000000000\r\nAccept-Ranges: bytes\r\n"
                     "RateLimit: \"resolvers\";r=4999;t=120\r\n"
                     "Link: <" +
                     host().toUtf8() + "/api/xet-read-token/main>; rel=\"xet-auth\"\r\n");
}

HubServer::Answer HubServer::listAnswer(const QString& path) {
    if (m_behaviour.listBusyTimes > 0) {
        --m_behaviour.listBusyTimes;
        return plain(503, "text/plain", "Busy", "Retry-After: " + m_behaviour.retryAfter + "\r\n");
    }
    if (!m_behaviour.list.isEmpty() || m_behaviour.listStatus != 200)
        return plain(m_behaviour.listStatus, m_behaviour.listType, m_behaviour.list);
    const int from = path.contains(QStringLiteral("cursor=")) ? path.section(QStringLiteral("cursor="), 1).toInt() : 0;
    QJsonArray list;
    if (from == 0) {
        list << QJsonObject{{"type", "directory"}, {"path", "data"}, {"oid", "0"}, {"size", 0}};
        list << QJsonObject{{"type", "file"}, {"path", "README.md"}, {"oid", "0"}, {"size", 12}};
    }
    const QStringList names = m_behaviour.files.keys();
    const int end = std::min<int>(int(names.size()), from + m_behaviour.filesPerPage);
    for (int i = from; i < end; ++i) {
        const QByteArray& content = m_behaviour.files[names[i]];
        const QJsonObject lfs{
            {"oid", QString::fromLatin1(sumOf(content))}, {"size", content.size()}, {"pointerSize", 134}};
        list << QJsonObject{{"type", "file"},         {"path", names[i]}, {"oid", "abc"},
                            {"size", content.size()}, {"lfs", lfs},       {"xetHash", QString(64, 'e')}};
    }
    QByteArray headers;
    if (end < names.size())
        headers = "Link: <" + host().toUtf8() + path.section('&', 0, 0).toUtf8() +
                  "&cursor=" + QByteArray::number(end) + ">; rel=\"next\"\r\n";
    return plain(200, m_behaviour.listType, QJsonDocument(list).toJson(), headers);
}

HubServer::Answer HubServer::contentAnswer(const HubRequest& request) {
    if (m_behaviour.busyTimes > 0) {
        --m_behaviour.busyTimes;
        return plain(503, "text/plain", "Busy", "Retry-After: " + m_behaviour.retryAfter + "\r\n");
    }
    if (m_behaviour.isWebPage) return plain(200, "text/html; charset=utf-8", "<html><body>Sign in</body></html>");
    const QString signedFile = request.path.section('?', 0, 0).mid(storagePrefix.size());
    QByteArray whole = m_behaviour.files.value(QUrl::fromPercentEncoding(signedFile.toUtf8()));
    if (!m_behaviour.otherContent.isEmpty()) whole = m_behaviour.otherContent;
    const QByteArray etag = "\"" + sumOf(whole).left(32) + "-64\""; // the storage's, of its pieces
    qint64 from = 0;
    const bool sameContent = request.ifRange.isEmpty() || request.ifRange == etag;
    if (request.range.startsWith("bytes=") && sameContent && !m_behaviour.ignoresRanges)
        from = request.range.mid(6).split('-').value(0).toLongLong();
    if (from > whole.size()) return plain(416, "text/plain", "No such range");
    const QByteArray content = whole.mid(from);
    QByteArray headers = m_behaviour.hasEtag ? "ETag: " + etag + "\r\n" : QByteArray();
    if (from > 0)
        headers += "Content-Range: bytes " + QByteArray::number(from) + '-' + QByteArray::number(whole.size() - 1) +
                   '/' + QByteArray::number(whole.size()) + "\r\n";
    Answer answer = plain(from > 0 ? 206 : 200, "application/octet-stream", content, headers);
    if (m_behaviour.cutTimes > 0) {
        --m_behaviour.cutTimes;
        answer.content.truncate(m_behaviour.cutAfter);
        answer.breaksOff = true;
    }
    return answer;
}

void HubServer::send(QTcpSocket* socket, const Answer& answer, int pieceBytes) {
    socket->write(answer.head);
    if (pieceBytes <= 0 || answer.content.isEmpty()) {
        socket->write(answer.content);
        socket->disconnectFromHost();
        return;
    }
    auto* timer = new QTimer(socket);
    auto rest = std::make_shared<QByteArray>(answer.content);
    QObject::connect(timer, &QTimer::timeout, socket, [socket, timer, rest, pieceBytes] {
        socket->write(rest->left(pieceBytes));
        rest->remove(0, pieceBytes);
        if (!rest->isEmpty()) return;
        timer->stop();
        socket->disconnectFromHost();
    });
    timer->start(5);
}
