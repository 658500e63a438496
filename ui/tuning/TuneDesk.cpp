// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tuning/TuneDesk.h"

#include "gpu/cluster/Kinds.h"
#include "ui/threads/Ask.h"

#include <iterator>

namespace kernelarium::ui {

namespace {

/// Faster than an eye follows a table.
constexpr int tuneHeardEveryMs = 150;
/// A forest of thousands of points takes a second.
constexpr int weighEveryMs = 1500;

using SweepEnd = Result<tuning::Ended>;

} // namespace

TuneDesk::TuneDesk(QString program, QObject* parent)
    : QObject(parent)
    , m_program(program.toStdString()) {
    m_weighSoon.setSingleShot(true);
    m_weighSoon.setInterval(weighEveryMs);
    connect(&m_weighSoon, &QTimer::timeout, this, &TuneDesk::weigh);
}

TuneDesk::~TuneDesk() = default;

void TuneDesk::look(TuneQuestion question, quint64 generation) {
    if (isRunning()) {
        m_next = Next{std::move(question), generation, false};
        leaveForNext();
        return;
    }
    const auto ticket = m_look.begin(generation, Former::kept);
    Q_EMIT looked();
    ask<TuneSubjectPointer>(
        m_reader, this, "look",
        [question = std::move(question)](const std::stop_token& stop) -> Result<TuneSubjectPointer> {
            Result<TuneSubject> subject = readTuneSubject(question, stop);
            if (!subject) return subject.error();
            return TuneSubjectPointer(std::make_shared<const TuneSubject>(std::move(*subject)));
        },
        [this, ticket](Result<TuneSubjectPointer> result) {
            if (!m_look.end(ticket, std::move(result))) return;
            take(lookState().stage == Stage::finished ? lookState().answer : nullptr);
            m_hasArray = m_subject && m_subject->hasArray;
            Q_EMIT looked();
            if (m_hasArray && !m_left.contains(m_subject->store) && !isRunning()) start({});
        });
}

void TuneDesk::forget() {
    if (isRunning()) {
        m_next = Next{{}, 0, true};
        leaveForNext();
        return;
    }
    m_reader.cancel("look");
    m_look.clear();
    m_hasArray = false;
    take(nullptr);
    Q_EMIT looked();
}

/// The same sweep keeps what is known of it: the text went from one of its points to another.
void TuneDesk::take(TuneSubjectPointer subject) {
    const auto storeOf = [](const TuneSubjectPointer& of) {
        return of && of->request ? of->store : std::filesystem::path();
    };
    const bool same = m_subject && subject && !storeOf(subject).empty() && storeOf(subject) == storeOf(m_subject) &&
                      subject->points.size() == m_points.size();
    m_subject = std::move(subject);
    if (same) return;
    m_points.clear();
    m_confirmations = m_subject ? m_subject->confirmations : std::vector<protocol::Confirmation>();
    m_placeOfKey.clear();
    m_importance.reset();
    m_weighed = 0;
    m_work.clear();
    Q_EMIT pointsReset();
    Q_EMIT changed();
    Q_EMIT importanceChanged();
    if (m_subject && m_subject->request) add(m_subject->points);
}

void TuneDesk::start(const TuneOrder& order) {
    if (isRunning() || lookState().stage != Stage::finished || !m_subject || !m_subject->request) return;
    protocol::SweepRequest request = *m_subject->request;
    m_lastOrder = order;
    if (m_hasArray) return startArray(std::move(request), {}); // goes on as it was submitted
    request.strategy = order.strategy;
    request.seed = order.seed;
    request.budget = order.budget;
    if (order.array) return startArray(std::move(request), *order.array);
    request.jobs = order.jobs;
    const auto ticket = m_work.begin();
    m_pause = std::make_shared<tuning::Pause>();
    const auto mailbox = std::make_shared<Mailbox>();
    Q_EMIT changed();
    ask<tuning::Ended>(
        m_sweeper, this, "sweep",
        [this, mailbox, request = std::move(request), store = m_subject->store, gpu = m_subject->gpu,
         program = m_program, pause = m_pause](const std::stop_token& stop) -> SweepEnd {
            std::error_code code;
            std::filesystem::create_directories(store.parent_path(), code); // or opening says why not
            Result<tuning::Store> kept = protocol::openSweepStore(store, request);
            if (!kept) return kept.error();
            protocol::SweepWatch watch;
            watch.pause = pause.get();
            watch.judged = [this, mailbox](const tuning::Judged& judged) {
                const std::lock_guard lock(mailbox->mutex);
                mailbox->points.push_back(judged);
                announce(mailbox);
            };
            watch.progress = [this, mailbox](const tuning::Progress& progress) {
                const std::lock_guard lock(mailbox->mutex);
                mailbox->progress = progress;
                announce(mailbox);
            };
            watch.confirmed = [mailbox](const std::vector<protocol::Confirmation>& confirmations) {
                const std::lock_guard lock(mailbox->mutex);
                mailbox->confirmations = confirmations;
            };
            auto commands = protocol::TrialJudge::commandsFor(program, unsigned(request.jobs));
            if (gpu > 0) commands.run.insert(commands.run.end(), {"--gpu", std::to_string(gpu)});
            return protocol::runSweep(request, *kept, commands, watch, stop);
        },
        [this, ticket, mailbox](SweepEnd result) {
            collect(mailbox);
            if (result) { // its thread is done with the mailbox
                const std::lock_guard lock(mailbox->mutex);
                m_confirmations = mailbox->confirmations;
            }
            if (result) m_work.details().progress = result->progress;
            m_work.details().paused = false;
            m_work.end(ticket, std::move(result));
            Q_EMIT changed();
            weigh();
            goOnLooking();
        });
}

void TuneDesk::startArray(protocol::SweepRequest request, ArrayOrder order) {
    const auto ticket = m_work.begin();
    m_hasArray = true;
    m_leavesForNext = false;
    m_left.erase(m_subject->store);
    m_work.details().array.emplace();
    const auto mailbox = std::make_shared<Mailbox>();
    mailbox->array.emplace();
    Q_EMIT changed();
    ArrayRun run{std::move(request), m_subject->store, m_program, std::move(order), m_pace, {}, {}, {}};
    run.progress = [this, mailbox](const cluster::ArrayProgress& progress) {
        const std::lock_guard lock(mailbox->mutex);
        mailbox->array->progress = progress;
        announce(mailbox);
    };
    run.said = [this, mailbox](const std::string& text) {
        const std::lock_guard lock(mailbox->mutex);
        mailbox->array->said = QString::fromStdString(text);
        announce(mailbox);
    };
    run.judged = [this, mailbox](std::vector<tuning::Judged> points) {
        const std::lock_guard lock(mailbox->mutex);
        std::move(points.begin(), points.end(), std::back_inserter(mailbox->points));
        announce(mailbox);
    };
    ask<tuning::Ended>(
        m_sweeper, this, "sweep",
        [run = std::move(run), mailbox](const std::stop_token& stop) -> SweepEnd {
            Result<cluster::WatchedArray> watched = runArray(run, stop);
            const bool goesOn = isArrayUnderWay(run.store);
            const std::lock_guard lock(mailbox->mutex);
            mailbox->arrayGoesOn = goesOn;
            if (!watched) return watched.error();
            mailbox->array->progress = watched->progress;
            mailbox->array->end = watched->end;
            const bool whole = watched->end == cluster::ArrayEnd::done || watched->end == cluster::ArrayEnd::incomplete;
            return whole ? SweepEnd(tuning::Ended()) : SweepEnd(cancelledError());
        },
        [this, ticket, mailbox, store = m_subject->store](SweepEnd result) {
            collect(mailbox);
            {
                const std::lock_guard lock(mailbox->mutex);
                ArrayState& array = *m_work.details().array;
                if (mailbox->array->progress && !mailbox->array->progress->tasks.empty())
                    array.progress = mailbox->array->progress;
                array.said = mailbox->array->said;
                array.end = mailbox->array->end;
                array.cancelling = false;
                m_hasArray = mailbox->arrayGoesOn;
            }
            // Nobody watches it again unasked, unless it was left for another kernel only.
            if (m_hasArray && !std::exchange(m_leavesForNext, false)) m_left.insert(store);
            m_work.end(ticket, std::move(result));
            Q_EMIT changed();
            weigh();
            goOnLooking();
        });
}

void TuneDesk::lookForClusters() {
    ask<bool>(
        m_reader, this, {}, [](const std::stop_token&) -> Result<bool> { return cluster::isInstalled("slurm"); },
        [this](Result<bool> found) { Q_EMIT clustersFound(found && *found); });
}

/// An array goes on without us; one that is being submitted is submitted first.
void TuneDesk::leaveForNext() {
    if (!isRunning() || !state().array || !state().array->progress || !m_next || !m_subject) return;
    if (!m_next->isNothing && m_next->question.kernelKey == m_subject->kernelKey) return;
    m_leavesForNext = true;
    m_sweeper.cancel("sweep");
}

/// Called with the mailbox locked.
void TuneDesk::announce(const std::shared_ptr<Mailbox>& mailbox) {
    if (std::exchange(mailbox->announced, true)) return;
    deliver(this,
            [this, mailbox] { QTimer::singleShot(tuneHeardEveryMs, this, [this, mailbox] { collect(mailbox); }); });
}

void TuneDesk::collect(const std::shared_ptr<Mailbox>& mailbox) {
    std::vector<tuning::Judged> points;
    {
        const std::lock_guard lock(mailbox->mutex);
        if (!mailbox->announced) return; // the end has collected it
        mailbox->announced = false;
        points.swap(mailbox->points);
        m_work.details().progress = mailbox->progress;
        if (mailbox->array && state().array) {
            m_work.details().array->progress = mailbox->array->progress;
            m_work.details().array->said = mailbox->array->said;
        }
    }
    add(std::move(points));
    Q_EMIT changed();
    leaveForNext();
}

void TuneDesk::add(std::vector<tuning::Judged> points) {
    bool replaced = false, added = false;
    for (tuning::Judged& judged : points) {
        std::string key = judged.candidate.key + "@" + std::to_string(judged.candidate.effort);
        const auto [place, isNew] = m_placeOfKey.emplace(std::move(key), m_points.size());
        if (isNew) {
            m_points.push_back(std::move(judged));
            added = true;
        } else if (m_points[place->second].outcome.kind == tuning::Outcome::Kind::failed) {
            m_points[place->second] = std::move(judged);
            replaced = true;
        }
    }
    if (replaced)
        Q_EMIT pointsReset();
    else if (added)
        Q_EMIT pointsAdded();
    if ((replaced || added) && !m_weighing && !m_weighSoon.isActive()) m_weighSoon.start();
}

void TuneDesk::weigh() {
    if (m_weighing || !m_subject || !m_subject->request || m_weighed == m_points.size()) return;
    m_weighing = true;
    m_weighed = m_points.size();
    using Weights = std::optional<tuning::Importance>;
    ask<Weights>(
        m_weigher, this, {},
        [subject = m_subject, points = m_points](const std::stop_token&) -> Result<Weights> {
            return tuning::importanceOf(subject->space(), points);
        },
        [this, subject = m_subject](Result<Weights> result) {
            m_weighing = false;
            if (result && m_subject && m_subject->store == subject->store) {
                m_importance = std::move(*result);
                Q_EMIT importanceChanged();
            }
            if (m_weighed != m_points.size()) m_weighSoon.start();
        });
}

void TuneDesk::goOnLooking() {
    if (!m_next) return;
    Next next = std::move(*m_next);
    m_next.reset();
    if (next.isNothing)
        forget();
    else
        look(std::move(next.question), next.generation);
}

void TuneDesk::pause() {
    if (!isRunningHere() || state().paused) return;
    m_pause->begin();
    m_work.details().paused = true;
    Q_EMIT changed();
}

void TuneDesk::goOn() {
    if (!isRunningHere() || !state().paused) return;
    m_pause->end();
    m_work.details().paused = false;
    Q_EMIT changed();
}

void TuneDesk::stop() {
    if (isRunningHere()) m_sweeper.cancel("sweep");
}

void TuneDesk::leaveArray() {
    if (isRunning() && state().array) m_sweeper.cancel("sweep");
}

void TuneDesk::cancelArray() {
    if (!isRunning() || !state().array || state().array->cancelling) return;
    m_work.details().array->cancelling = true;
    Q_EMIT changed();
    ask<bool>(
        m_canceller, this, {},
        [store = m_subject->store](const std::stop_token& stop) -> Result<bool> {
            Result<void> cancelled = cancelArrayOf(store, stop);
            if (!cancelled) return cancelled.error();
            return true;
        },
        [this](Result<bool> result) {
            if (result || !isRunning() || !state().array) return; // who watches it says how it ends
            m_work.details().array->cancelling = false;
            m_work.details().array->said = QString::fromStdString(result.error().text());
            Q_EMIT changed();
        });
}

} // namespace kernelarium::ui
