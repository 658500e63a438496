// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tuning/TuneDesk.h"

#include "ui/threads/Ask.h"

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
            Q_EMIT looked();
        });
}

void TuneDesk::forget() {
    if (isRunning()) {
        m_next = Next{{}, 0, true};
        return;
    }
    m_reader.cancel("look");
    m_look.clear();
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
    request.strategy = order.strategy;
    request.seed = order.seed;
    request.budget = order.budget;
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
    }
    add(std::move(points));
    Q_EMIT changed();
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
    if (!isRunning() || state().paused) return;
    m_pause->begin();
    m_work.details().paused = true;
    Q_EMIT changed();
}

void TuneDesk::goOn() {
    if (!isRunning() || !state().paused) return;
    m_pause->end();
    m_work.details().paused = false;
    Q_EMIT changed();
}

void TuneDesk::stop() {
    m_sweeper.cancel("sweep");
}

} // namespace kernelarium::ui
