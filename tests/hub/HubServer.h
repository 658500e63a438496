// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QList>
#include <QMap>
#include <QString>
#include <QThread>
#include <memory>
#include <mutex>
#include <utility>

class QTcpServer;
class QTcpSocket;

/// What a hub does, and what goes wrong with it.
struct HubBehaviour {
    QMap<QString, QByteArray> files;                        ///< content by path in the data set
    QMap<QString, std::pair<QByteArray, QByteArray>> pages; ///< kind and content by path, of an index that is no hub
    QByteArray list;                                        ///< instead of the list of these files
    QByteArray listType = "application/json; charset=utf-8";
    int listStatus = 200;
    int listBusyTimes = 0; ///< so many requests for the list are answered 503
    int filesPerPage = 1000;
    int fileStatus = 200; ///< of a file's address
    bool redirectsInCircles = false;
    bool isWebPage = false;  ///< a page comes instead of the file
    QByteArray otherContent; ///< comes instead of the file's
    bool ignoresRanges = false;
    bool hasEtag = true;
    int busyTimes = 0; ///< so many requests for content are answered 503
    QByteArray retryAfter = "0";
    int limitedTimes = 0; ///< so many requests for a file's address are answered 429
    QByteArray rateLimit = "\"resolvers\";r=0;t=1";
    int cutTimes = 0;    ///< so many answers break off
    qint64 cutAfter = 0; ///< after so many bytes
    int pieceBytes = 0;  ///< over 0: the content comes in pieces, 5 ms apart
};

struct HubRequest {
    QString path; ///< with the query
    QByteArray range;
    QByteArray ifRange;
};

/// An HTTP server on this machine that answers as the hub's documentation and its clients say that it does: a list of
/// files in pages, a redirect with the linked file's size and checksum from a file's address to a signed address of a
/// storage, content there with an ETag of its own, Range and If-Range, and 429 with RateLimit for one who asks too
/// often. Lives in a thread of its own.
class HubServer {
public:
    explicit HubServer(HubBehaviour behaviour = {});
    ~HubServer();

    [[nodiscard]] QString host() const; ///< "http://127.0.0.1:…"
    void behave(const HubBehaviour& behaviour);
    [[nodiscard]] QList<HubRequest> requests() const;
    [[nodiscard]] QList<HubRequest> contentRequests() const; ///< those to the storage
    void forgetRequests();

private:
    struct Answer {
        QByteArray head;
        QByteArray content;
        bool breaksOff = false;
    };
    void serve(QTcpSocket* socket);
    Answer answerTo(const HubRequest& request);
    Answer listAnswer(const QString& path);
    Answer contentAnswer(const HubRequest& request);
    static Answer plain(int status, const QByteArray& type, const QByteArray& content, const QByteArray& headers = {});
    void send(QTcpSocket* socket, const Answer& answer, int pieceBytes);

    mutable std::mutex m_mutex;
    HubBehaviour m_behaviour;
    QList<HubRequest> m_requests;
    quint16 m_port = 0;
    QThread m_thread;
    QTcpServer* m_server = nullptr; ///< of the thread
};
