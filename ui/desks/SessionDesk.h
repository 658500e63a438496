// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/HtmlReport.h"
#include "core/session/SavedSearches.h"
#include "core/session/SessionStore.h"
#include "ui/threads/Ask.h"
#include "ui/threads/Work.h"

#include <QHash>
#include <QObject>
#include <QString>
#include <memory>
#include <vector>

namespace kernelarium::ui {

/// The user's session file from its own thread. What is written is on its way to the disk at once and is finished even
/// when the window closes.
class SessionDesk : public QObject {
    Q_OBJECT
public:
    using Attempts = std::shared_ptr<const std::vector<session::AttemptSummary>>;

    explicit SessionDesk(QObject* parent = nullptr);
    ~SessionDesk() override;

    /// Opens the file, or makes it. One that cannot be read is set aside under another name and a new one begun;
    /// problem() then says so. Ends with ready(), always.
    void open(const QString& path);

    [[nodiscard]] bool isReady() const { return m_ready; }
    /// Empty code: none. "session_refused": nothing is kept.
    [[nodiscard]] const Error& problem() const { return m_problem; }
    [[nodiscard]] qint64 current() const { return m_current; }
    [[nodiscard]] const std::vector<session::SessionInfo>& sessions() const { return m_sessions; }
    [[nodiscard]] const Attempts& attempts() const { return m_attempts; } ///< of the current session; never null

    // Sessions.
    void choose(qint64 session);
    void begin(const QString& name);
    void rename(qint64 session, const QString& name);
    void remove(qint64 session);
    void restore(qint64 session); ///< undoes remove()

    // Attempts.
    void add(session::Attempt attempt, std::function<void(Result<std::int64_t>)> done);
    void addTiming(qint64 attempt, const session::Timing& timing, const std::string& countersJson);
    void setName(qint64 attempt, const QString& name);
    void setNotes(qint64 attempt, const QString& notes);
    void fetch(qint64 attempt, std::function<void(Result<session::Attempt>)> done);
    /// Makes something of attempts, with `convert` on the file's thread. A newer call of the tag replaces an older one.
    template <class T>
    void derive(std::vector<qint64> attempts, const std::string& tag,
                std::function<Result<T>(std::vector<session::Attempt>)> convert, std::function<void(Result<T>)> done) {
        ask<T>(
            m_thread, this, "derive " + tag,
            [slot = m_file, attempts = std::move(attempts),
             convert = std::move(convert)](const std::stop_token&) -> Result<T> {
                Result<std::vector<session::Attempt>> read = readAttempts(*slot, attempts);
                if (!read) return read.error();
                return convert(std::move(*read));
            },
            std::move(done));
    }
    void list(session::AttemptFilter filter, const std::string& tag, std::function<void(Result<Attempts>)> done);
    /// The current session as one HTML file; its attempts are added here.
    void report(session::ReportInput input, const QString& sweeps, std::function<void(Result<QString>)> done);

    // Unsaved edits, by the kernel's key. Known in memory from ready() on.
    void saveDraft(const QString& key, const QString& text, int line);
    void removeDraft(const QString& key);
    [[nodiscard]] const session::Draft* draft(const QString& key) const;

    // Saved searches, by name. What goes wrong is said by writeFailed().
    [[nodiscard]] const std::vector<session::SavedSearch>& searches() const { return m_searches; }
    void saveSearch(const session::SavedSearch& search);
    void renameSearch(const QString& name, const QString& other);
    void removeSearch(const QString& name);

    // What the window remembers. Known in memory from ready() on.
    void setValue(const QString& key, const QByteArray& json);
    [[nodiscard]] QByteArray value(const QString& key) const { return m_values.value(key); }
    /// Keys that open() reads; call before.
    void wantValues(const QStringList& keys) { m_wanted = keys; }

Q_SIGNALS:
    void ready();
    void changed(); ///< sessions or attempts
    void searchesChanged();
    void writeFailed(const QString& message);

private:
    struct Opened;
    /// Of the thread alone.
    struct File {
        std::unique_ptr<session::SessionStore> store;
        /// Where there is no store: why nothing is kept.
        Error refusal{
            "session_refused", "No session file was opened.", "Start the program with --session-file and a file.", {}};
    };
    struct Listing {
        std::vector<session::SessionInfo> sessions;
        Attempts attempts;
        qint64 current = 0;
    };
    /// `refresh`: the user asked for it, and is told where nothing can be kept; the rest was said once, when it was
    /// opened.
    void write(std::function<Result<void>(session::SessionStore&)> work, bool refresh);
    void changeSearches(std::function<Result<void>(session::SessionStore&)> change);
    void refresh(qint64 session);
    void take(Result<Listing> listing);
    static Result<std::vector<session::Attempt>> readAttempts(const File& file, const std::vector<qint64>& ids);
    static Result<Listing> read(session::SessionStore& store, qint64 wanted);

    bool m_ready = false;
    Error m_problem;
    qint64 m_current = 0;
    std::vector<session::SessionInfo> m_sessions;
    Attempts m_attempts;
    std::vector<session::SavedSearch> m_searches;
    QHash<QString, session::Draft> m_drafts;
    QHash<QString, QByteArray> m_values;
    QStringList m_wanted;
    std::shared_ptr<File> m_file;
    SerialThread m_thread;
};

} // namespace kernelarium::ui
