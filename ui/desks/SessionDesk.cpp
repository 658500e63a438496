// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/desks/SessionDesk.h"

#include "core/session/SessionFile.h"
#include "ui/desks/SessionSweeps.h"

#include <QDateTime>

namespace kernelarium::ui {

using session::SessionStore;

namespace {

const char* const currentKey = "current_session";

/// What it means that the file cannot be used, and what to do.
Error refused(const std::string& path, const Error& why) {
    Error error = why;
    error.code = "session_refused";
    error.message = "The session file " + path + " cannot be used: " + why.message +
                    " Nothing that you type, verify or time is kept until the program ends: save the text to a file.";
    error.action =
        why.action.empty()
            ? "To keep it, put the cause right and start again, or start with --session-file and another file."
            : why.action + " Then start again, or start with --session-file and another file.";
    return error;
}

/// Opens the file, or puts a damaged one aside and starts a new one. One of a newer version, of another program or on a
/// full disk is sound: it stays where whoever can use it looks for it.
Result<SessionStore> openOrReplace(const std::string& path, Error& problem) {
    auto store = SessionStore::open(path);
    if (store || store.error().code != session::sessionFile.damaged) return store;
    auto aside = SessionStore::setAside(path);
    if (!aside) return store;
    problem = store.error();
    problem.message += " It was kept as " + aside->string() + "; a new one was begun.";
    problem.action.clear();
    return SessionStore::open(path);
}

} // namespace

struct SessionDesk::Opened {
    std::unique_ptr<SessionStore> store;
    Listing listing;
    std::vector<session::Draft> drafts;
    std::vector<session::SavedSearch> searches;
    QHash<QString, QByteArray> values;
    Error problem;
};

SessionDesk::SessionDesk(QObject* parent)
    : QObject(parent)
    , m_attempts(std::make_shared<const std::vector<session::AttemptSummary>>())
    , m_file(std::make_shared<File>()) {}

SessionDesk::~SessionDesk() = default;

Result<SessionDesk::Listing> SessionDesk::read(SessionStore& store, qint64 wanted) {
    Listing listing;
    auto sessions = store.sessions();
    if (!sessions) return sessions.error();
    listing.sessions = std::move(*sessions);
    const bool known = std::any_of(listing.sessions.begin(), listing.sessions.end(),
                                   [wanted](const auto& info) { return info.id == wanted; });
    if (known) {
        listing.current = wanted;
    } else if (!listing.sessions.empty()) {
        listing.current = listing.sessions.front().id;
    } else {
        auto made = store.createSession({});
        if (!made) return made.error();
        listing.current = made->id;
        listing.sessions.push_back(*made);
    }
    session::AttemptFilter filter;
    filter.session = listing.current;
    auto attempts = store.attempts(filter);
    if (!attempts) return attempts.error();
    listing.attempts = std::make_shared<const std::vector<session::AttemptSummary>>(std::move(*attempts));
    return listing;
}

void SessionDesk::open(const QString& path) {
    using Answer = std::shared_ptr<Opened>;
    ask<Answer>(
        m_thread, this, "open",
        [file = path.toStdString(), keys = m_wanted, slot = m_file](const std::stop_token&) -> Result<Answer> {
            auto opened = std::make_shared<Opened>();
            auto store = openOrReplace(file, opened->problem);
            if (!store) return slot->refusal = refused(file, store.error());
            qint64 current = 0;
            if (auto value = store->value(currentKey); value && *value)
                current = QByteArray::fromStdString(**value).toLongLong();
            auto listing = read(*store, current);
            if (!listing) return slot->refusal = refused(file, listing.error());
            opened->listing = std::move(*listing);
            if (auto searches = session::savedSearches(*store)) opened->searches = std::move(*searches);
            if (auto drafts = store->drafts()) opened->drafts = std::move(*drafts);
            for (const QString& key : keys)
                if (auto value = store->value(key.toStdString()); value && *value)
                    opened->values[key] = QByteArray::fromStdString(**value);
            slot->store = std::make_unique<SessionStore>(std::move(*store));
            return opened;
        },
        [this](Result<Answer> opened) {
            if (opened) {
                m_problem = (*opened)->problem;
                m_values = std::move((*opened)->values);
                for (auto& draft : (*opened)->drafts)
                    m_drafts.insert(QString::fromStdString(draft.kernelKey), draft);
                m_searches = std::move((*opened)->searches);
                m_sessions = std::move((*opened)->listing.sessions);
                m_attempts = (*opened)->listing.attempts;
                m_current = (*opened)->listing.current;
            } else {
                m_problem = opened.error();
            }
            m_ready = true;
            Q_EMIT ready();
            Q_EMIT changed();
        });
}

void SessionDesk::take(Result<Listing> listing) {
    if (!listing) {
        if (listing.error().code != "cancelled") Q_EMIT writeFailed(QString::fromStdString(listing.error().text()));
        return;
    }
    m_sessions = std::move(listing->sessions);
    m_attempts = listing->attempts;
    if (m_current != listing->current) {
        m_current = listing->current;
        setValue(QLatin1String(currentKey), QByteArray::number(m_current));
    }
    Q_EMIT changed();
}

void SessionDesk::refresh(qint64 session) {
    ask<Listing>(
        m_thread, this, "refresh",
        [slot = m_file, session](const std::stop_token&) -> Result<Listing> {
            return slot->store ? read(*slot->store, session) : Result<Listing>(slot->refusal);
        },
        [this](Result<Listing> listing) { take(std::move(listing)); });
}

void SessionDesk::write(std::function<Result<void>(SessionStore&)> work, bool refreshAfter) {
    m_thread.postToFinish([this, slot = m_file, work = std::move(work)] {
        if (!slot->store) return;
        const Result<void> done = work(*slot->store);
        if (!done)
            deliver(this, [this, text = QString::fromStdString(done.error().text())] { Q_EMIT writeFailed(text); });
    });
    if (refreshAfter) refresh(m_current);
}

void SessionDesk::choose(qint64 session) {
    refresh(session);
}

void SessionDesk::begin(const QString& name) {
    ask<Listing>(
        m_thread, this, "refresh",
        [slot = m_file, text = name.toStdString()](const std::stop_token&) -> Result<Listing> {
            if (!slot->store) return slot->refusal;
            auto made = slot->store->createSession(text);
            if (!made) return made.error();
            return read(*slot->store, made->id);
        },
        [this](Result<Listing> listing) { take(std::move(listing)); });
}

void SessionDesk::rename(qint64 session, const QString& name) {
    write([session, text = name.toStdString()](SessionStore& store) { return store.renameSession(session, text); },
          true);
}

void SessionDesk::remove(qint64 session) {
    write([session](SessionStore& store) { return store.removeSession(session); }, true);
}

void SessionDesk::restore(qint64 session) {
    write([session](SessionStore& store) { return store.restoreSession(session); }, false);
    refresh(session);
}

void SessionDesk::add(session::Attempt attempt, std::function<void(Result<std::int64_t>)> done) {
    m_thread.postToFinish([this, slot = m_file, attempt = std::move(attempt), done = std::move(done)] {
        auto outcome = std::make_shared<Result<std::int64_t>>(slot->store ? slot->store->addAttempt(attempt)
                                                                          : Result<std::int64_t>(slot->refusal));
        deliver(this, [done, outcome] { done(std::move(*outcome)); });
    });
    refresh(m_current);
}

void SessionDesk::addTiming(qint64 attempt, const session::Timing& timing, const std::string& countersJson) {
    write(
        [attempt, timing, countersJson](SessionStore& store) -> Result<void> {
            if (auto added = store.addTiming(attempt, timing); !added) return added;
            if (countersJson.empty()) return {};
            auto now = store.attempt(attempt);
            if (!now) return now.error();
            return store.setVerdict(attempt, now->verdict, now->verdictJson, countersJson);
        },
        true);
}

void SessionDesk::setName(qint64 attempt, const QString& name) {
    write([attempt, text = name.toStdString()](SessionStore& store) { return store.setName(attempt, text); }, true);
}

void SessionDesk::setNotes(qint64 attempt, const QString& notes) {
    write([attempt, text = notes.toStdString()](SessionStore& store) { return store.setNotes(attempt, text); }, true);
}

void SessionDesk::fetch(qint64 attempt, std::function<void(Result<session::Attempt>)> done) {
    ask<session::Attempt>(
        m_thread, this, "fetch",
        [slot = m_file, attempt](const std::stop_token&) {
            return slot->store ? slot->store->attempt(attempt) : Result<session::Attempt>(slot->refusal);
        },
        std::move(done));
}

Result<std::vector<session::Attempt>> SessionDesk::readAttempts(const File& file, const std::vector<qint64>& ids) {
    if (!file.store) return file.refusal;
    std::vector<session::Attempt> found;
    for (const qint64 id : ids) {
        auto attempt = file.store->attempt(id);
        if (!attempt) return attempt.error();
        found.push_back(std::move(*attempt));
    }
    return found;
}

void SessionDesk::list(session::AttemptFilter filter, const std::string& tag,
                       std::function<void(Result<Attempts>)> done) {
    ask<Attempts>(
        m_thread, this, "list " + tag,
        [slot = m_file, filter = std::move(filter)](const std::stop_token&) -> Result<Attempts> {
            if (!slot->store) return slot->refusal;
            auto found = slot->store->attempts(filter);
            if (!found) return found.error();
            return std::make_shared<const std::vector<session::AttemptSummary>>(std::move(*found));
        },
        std::move(done));
}

void SessionDesk::report(session::ReportInput input, const QString& sweeps, std::function<void(Result<QString>)> done) {
    ask<QString>(
        m_thread, this, "report",
        [slot = m_file, session = m_current, folder = std::filesystem::path(sweeps.toStdString()),
         input = std::move(input)](const std::stop_token& stop) mutable -> Result<QString> {
            if (!slot->store) return slot->refusal;
            session::AttemptFilter filter;
            filter.session = session;
            auto found = slot->store->attempts(filter);
            if (!found) return found.error();
            for (const auto& summary : *found) {
                if (stop.stop_requested()) return cancelledError();
                auto attempt = slot->store->attempt(summary.id);
                if (!attempt) return attempt.error();
                input.attempts.push_back(std::move(*attempt));
            }
            input.sweeps = sweepsBetween(folder, input.session.startedMs, input.madeMs, stop);
            if (stop.stop_requested()) return cancelledError();
            return QString::fromStdString(session::htmlReport(input));
        },
        std::move(done));
}

void SessionDesk::changeSearches(std::function<Result<void>(SessionStore&)> change) {
    using Searches = std::vector<session::SavedSearch>;
    m_thread.postToFinish([this, slot = m_file, change = std::move(change)] {
        Result<void> done = slot->store ? change(*slot->store) : Result<void>(slot->refusal);
        Result<Searches> now = slot->store ? session::savedSearches(*slot->store) : Result<Searches>(slot->refusal);
        deliver(this, [this, done, now = std::make_shared<Result<Searches>>(std::move(now))] {
            if (*now) m_searches = std::move(**now);
            if (!done) Q_EMIT writeFailed(QString::fromStdString(done.error().text()));
            Q_EMIT searchesChanged();
        });
    });
}

void SessionDesk::saveSearch(const session::SavedSearch& search) {
    changeSearches([search](SessionStore& store) { return session::saveSearch(store, search); });
}

void SessionDesk::renameSearch(const QString& name, const QString& other) {
    changeSearches([from = name.toStdString(), to = other.toStdString()](SessionStore& store) {
        return session::renameSearch(store, from, to);
    });
}

void SessionDesk::removeSearch(const QString& name) {
    changeSearches([text = name.toStdString()](SessionStore& store) { return session::removeSearch(store, text); });
}

void SessionDesk::saveDraft(const QString& key, const QString& text, int line) {
    session::Draft draft{key.toStdString(), text.toStdString(), QDateTime::currentMSecsSinceEpoch(), line};
    m_drafts.insert(key, draft);
    write([draft = std::move(draft)](SessionStore& store) { return store.saveDraft(draft); }, false);
}

void SessionDesk::removeDraft(const QString& key) {
    if (!m_drafts.remove(key)) return;
    write([name = key.toStdString()](SessionStore& store) { return store.removeDraft(name); }, false);
}

const session::Draft* SessionDesk::draft(const QString& key) const {
    const auto found = m_drafts.constFind(key);
    return found == m_drafts.constEnd() ? nullptr : &*found;
}

void SessionDesk::setValue(const QString& key, const QByteArray& json) {
    if (m_values.value(key) == json) return;
    m_values.insert(key, json);
    write([name = key.toStdString(),
           text = json.toStdString()](SessionStore& store) { return store.setValue(name, text); },
          false);
}

} // namespace kernelarium::ui
