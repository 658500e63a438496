// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/desks/SessionDesk.h"
#include "ui/desks/WrittenVerdict.h"

#include <QObject>
#include <QString>
#include <functional>
#include <optional>

namespace kernelarium::ui {

class Assignment;
class Bench;
class Notices;
class Place;
class TrialPlan;
struct Desks;

/// What was found of a text before the program was started, or before another kernel was on the bench.
struct EarlierVerdict {
    QString kind; ///< verify::name(VerdictKind)
    qint64 timeMs = 0;
    bool stale = false; ///< by another version of the program, the card or the checks
    qint64 attempt = 0; ///< of the session; 0: the archive's verdicts have it
};

/// What came out of trials before: the session's attempts and the archive's verdicts, brought back to the bench.
class PastTrials : public QObject {
    Q_OBJECT
public:
    /// What it observes and asks; all outlive it.
    struct Around {
        Bench& bench;
        Assignment& assignment;
        Place& place;
        Desks& desks;
        Notices& notices;
        TrialPlan& plan;
    };
    explicit PastTrials(const Around& around, QObject* parent = nullptr);

    void openJudged(qint64 id);   ///< an archived kernel, with the verdict that is kept of it
    void restore(qint64 attempt); ///< its text into the editor, and its verdict with it
    /// Its verdict, and its text to be compared with; the kernel that it belongs to comes on the bench first.
    void show(qint64 attempt);
    /// Attempts at the kernel's task (without one, at the kernel), of all sessions, in order.
    [[nodiscard]] const std::vector<session::AttemptSummary>& known() const { return m_known; }
    /// Whether it is of the kernel on the bench, with the text as it stands, compiled as now.
    [[nodiscard]] bool isOfThisText(const session::AttemptSummary& attempt) const;
    /// The verdict of the text as it stands: the one place that says so. Nothing where nothing is known of it.
    [[nodiscard]] std::optional<EarlierVerdict> earlier() const;
    void showEarlier(); ///< its evidence

    void kernelPut(); ///< another kernel is on the bench

Q_SIGNALS:
    void knownChanged();          ///< known(), or the archive's verdict of the kernel
    void attemptShown(qint64 id); ///< the end of show()
    void judgedShown();           ///< the end of openJudged(), where there is a verdict

private:
    /// An attempt and what it says, read on the file's thread.
    struct Read {
        session::Attempt attempt;
        VerdictPointer verdict; ///< null: there is none, or it cannot be read
        Error problem;
    };
    void read(qint64 attempt, const std::string& tag, std::function<void(const Read&)> done);
    /// From the session's file; a newer call replaces an older, a failure is posted.
    void list(std::function<void(const std::vector<session::AttemptSummary>&)> done);
    void readKnown();
    [[nodiscard]] const std::string& textHash() const;
    void showJudged();
    void showVerdict(const Read& read);

    Around m_with;
    std::vector<session::AttemptSummary> m_known;
    mutable std::string m_hash;     ///< of the text of
    mutable quint64 m_hashedAt = 0; ///< this generation; 0: of none
};

} // namespace kernelarium::ui
