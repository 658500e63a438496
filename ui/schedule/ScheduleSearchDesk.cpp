// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/schedule/ScheduleSearchDesk.h"

#include "core/schedule/ModelledMeasurer.h"
#include "core/schedule/ScheduleStore.h"
#include "ui/threads/Ask.h"

#include <QSaveFile>
#include <QTimer>

namespace kernelarium::ui {

namespace {

/// Faster than an eye follows figures.
constexpr int stepsHeardEveryMs = 150;
constexpr const char* lookTag = "look";
constexpr const char* resultTag = "result";
constexpr const char* undoTag = "undo";
constexpr const char* searchTag = "search";

} // namespace

ScheduleSearchDesk::ScheduleSearchDesk(QObject* parent)
    : QObject(parent) {}

ScheduleSearchDesk::~ScheduleSearchDesk() {
    if (m_pause) m_pause->end();
}

void ScheduleSearchDesk::look(ScheduleQuestion question) {
    forget();
    const auto ticket = m_look.begin();
    Q_EMIT looked();
    ask<ScheduleSubjectPointer>(
        m_reader, this, lookTag,
        [question = std::move(question)](const std::stop_token&) { return lookAtSchedule(question); },
        [this, ticket](Result<ScheduleSubjectPointer> subject) {
            if (!m_look.end(ticket, std::move(subject))) return;
            m_subject = lookState().stage == Stage::finished ? lookState().answer : nullptr;
            Q_EMIT looked();
            if (m_subject) readResult();
        });
}

void ScheduleSearchDesk::forget() {
    for (const char* tag : {lookTag, resultTag, undoTag})
        m_reader.cancel(tag);
    m_searcher.cancel(searchTag);
    if (m_pause) m_pause->end();
    m_look.clear();
    m_work.clear();
    m_result.clear();
    m_undo.clear();
    m_mailbox.reset();
    m_subject.reset();
    m_variant.reset();
    m_steps.clear();
    Q_EMIT looked();
    Q_EMIT changed();
    Q_EMIT stepped();
    Q_EMIT resultChanged();
    Q_EMIT variantChanged();
}

void ScheduleSearchDesk::readResult() {
    const auto ticket = m_result.begin(0, Former::kept);
    ask<ScheduleResultPointer>(
        m_reader, this, resultTag,
        [subject = m_subject](const std::stop_token&) { return readScheduleResult(*subject); },
        [this, ticket](Result<ScheduleResultPointer> result) {
            if (!m_result.end(ticket, std::move(result))) return;
            const ScheduleResultPointer now = resultState().stage == Stage::finished ? this->result() : nullptr;
            if (now && !isRunning()) {
                m_steps = now->history.steps;
                Q_EMIT stepped();
            }
            m_undo.clear();
            m_variant = now ? now->best : nullptr;
            Q_EMIT resultChanged();
            Q_EMIT variantChanged();
        });
}

void ScheduleSearchDesk::start() {
    if (isRunning() || !m_subject) return;
    const auto ticket = m_work.begin();
    m_pause = std::make_shared<tuning::Pause>();
    m_mailbox = std::make_shared<Mailbox>();
    m_mailbox->progress.total = m_subject->question.settings.steps;
    m_work.details().progress = m_mailbox->progress;
    m_steps.clear();
    Q_EMIT stepped();
    Q_EMIT changed();
    ask<schedule::ScheduleEnd>(
        m_searcher, this, searchTag,
        [this, mailbox = m_mailbox, pause = m_pause,
         subject = m_subject](const std::stop_token& stop) -> Result<schedule::ScheduleEnd> {
            std::error_code code;
            std::filesystem::create_directories(subject->store.parent_path(), code); // or opening says why not
            const schedule::Settings& settings = subject->question.settings;
            auto store = schedule::openScheduleStore(subject->store, subject->subject, settings);
            if (!store) return store.error();
            schedule::ScheduleWatch watch;
            watch.pause = pause.get();
            watch.progress = [this, mailbox](const schedule::ScheduleProgress& progress) {
                const std::lock_guard lock(mailbox->mutex);
                mailbox->progress = progress;
                announce(mailbox);
            };
            watch.step = [this, mailbox](const schedule::Step& step) {
                const std::lock_guard lock(mailbox->mutex);
                mailbox->steps.push_back(step);
                announce(mailbox);
            };
            schedule::ModelledMeasurer measurer(subject->subject);
            Result<schedule::ScheduleEnd> end =
                schedule::runScheduleSearch(subject->subject, settings, measurer, *store, watch, stop);
            if (end && end->why == schedule::ScheduleEnd::Why::stopped) return cancelledError();
            return end;
        },
        [this, ticket, mailbox = m_mailbox](Result<schedule::ScheduleEnd> end) {
            collect(mailbox);
            if (!m_work.isOpen(ticket)) return;
            if (end) m_work.details().progress = end->progress;
            m_work.details().paused = false;
            m_work.end(ticket, std::move(end));
            Q_EMIT changed();
            readResult();
        });
}

/// Called with the mailbox locked.
void ScheduleSearchDesk::announce(const std::shared_ptr<Mailbox>& mailbox) {
    if (std::exchange(mailbox->announced, true)) return;
    deliver(this,
            [this, mailbox] { QTimer::singleShot(stepsHeardEveryMs, this, [this, mailbox] { collect(mailbox); }); });
}

void ScheduleSearchDesk::collect(const std::shared_ptr<Mailbox>& mailbox) {
    if (mailbox != m_mailbox) return; // of a subject that is not looked at any more
    std::vector<schedule::Step> steps;
    {
        const std::lock_guard lock(mailbox->mutex);
        if (!mailbox->announced) return; // the end has collected it
        mailbox->announced = false;
        steps.swap(mailbox->steps);
        m_work.details().progress = mailbox->progress;
    }
    m_steps.insert(m_steps.end(), std::make_move_iterator(steps.begin()), std::make_move_iterator(steps.end()));
    if (!steps.empty()) Q_EMIT stepped();
    Q_EMIT changed();
}

void ScheduleSearchDesk::pause() {
    if (!isRunning() || state().paused) return;
    m_pause->begin();
    m_work.details().paused = true;
    Q_EMIT changed();
}

void ScheduleSearchDesk::goOn() {
    if (!isRunning() || !state().paused) return;
    m_pause->end();
    m_work.details().paused = false;
    Q_EMIT changed();
}

void ScheduleSearchDesk::stop() {
    if (!isRunning()) return;
    m_searcher.cancel(searchTag);
    m_pause->end();
}

void ScheduleSearchDesk::undo(std::uint64_t step) {
    const ScheduleResultPointer now = result();
    if (!m_subject || !now || isRunning()) return;
    const auto ticket = m_undo.begin();
    Q_EMIT variantChanged();
    ask<ScheduleVariantPointer>(
        m_reader, this, undoTag,
        [subject = m_subject, now, step](const std::stop_token&) { return undoMove(*subject, *now, step); },
        [this, ticket](Result<ScheduleVariantPointer> variant) {
            if (!m_undo.end(ticket, std::move(variant))) return;
            if (undoState().stage == Stage::finished) m_variant = undoState().answer;
            Q_EMIT variantChanged();
        });
}

void ScheduleSearchDesk::showBest() {
    m_reader.cancel(undoTag);
    m_undo.clear();
    const ScheduleResultPointer now = result();
    m_variant = now ? now->best : nullptr;
    Q_EMIT variantChanged();
}

Result<void> ScheduleSearchDesk::mayWrite() const {
    if (!m_variant) return Error{"no_schedule", "There is no schedule to write.", "Search for one."};
    if (!m_variant->proof.isProved())
        return Error{"not_proved", "The schedule is not proved, and is not written: " + m_variant->proof.refusal->text};
    return {};
}

void ScheduleSearchDesk::writeCubin(const QString& path, std::function<void(Result<void>)> done) {
    if (Result<void> may = mayWrite(); !may) return done(may);
    const auto& cubin = m_variant->code->cubin;
    write(path, std::string(reinterpret_cast<const char*>(cubin.data()), cubin.size()), std::move(done));
}

void ScheduleSearchDesk::writePatches(const QString& path, std::function<void(Result<void>)> done) {
    if (Result<void> may = mayWrite(); !may) return done(may);
    write(path, schedule::patchText(m_subject->subject, m_variant->patches), std::move(done));
}

void ScheduleSearchDesk::write(const QString& path, std::string bytes, std::function<void(Result<void>)> done) {
    ask<bool>(
        m_reader, this, "write " + path.toStdString(),
        [path, bytes = std::move(bytes)](const std::stop_token&) -> Result<bool> {
            QSaveFile file(path);
            if (!file.open(QIODevice::WriteOnly) || file.write(bytes.data(), qint64(bytes.size())) < 0 ||
                !file.commit())
                return Error{"unwritable_file", path.toStdString() + " could not be written.",
                             "Choose another folder, or make room there."};
            return true;
        },
        [done = std::move(done)](Result<bool> written) {
            done(written ? Result<void>() : Result<void>(written.error()));
        });
}

} // namespace kernelarium::ui
