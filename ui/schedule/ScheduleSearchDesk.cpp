// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/schedule/ScheduleSearchDesk.h"

#include "core/schedule/Patch.h"
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
constexpr const char* countTag = "count";

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
    for (const char* tag : {lookTag, resultTag})
        m_reader.cancel(tag);
    for (const char* tag : {searchTag, undoTag, countTag})
        m_gpu.cancel(tag);
    if (m_pause) m_pause->end();
    m_look.clear();
    m_count.clear();
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
    Q_EMIT countChanged();
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
    if (isTaken() || !m_subject) return;
    const auto ticket = m_work.begin();
    m_pause = std::make_shared<tuning::Pause>();
    m_mailbox = std::make_shared<Mailbox>();
    m_mailbox->progress.total = m_subject->question.settings.steps;
    m_work.details().progress = m_mailbox->progress;
    m_work.details().part = m_mailbox->part;
    m_steps.clear();
    Q_EMIT stepped();
    Q_EMIT changed();
    ask<schedule::ScheduleEnd>(
        m_gpu, this, searchTag,
        [this, mailbox = m_mailbox, pause = m_pause,
         subject = m_subject](const std::stop_token& stop) -> Result<schedule::ScheduleEnd> {
            SearchHearing hearing;
            hearing.watch.pause = pause.get();
            hearing.watch.progress = [this, mailbox](const schedule::ScheduleProgress& progress) {
                const std::lock_guard lock(mailbox->mutex);
                mailbox->progress = progress;
                announce(mailbox);
            };
            hearing.watch.step = [this, mailbox](const schedule::Step& step) {
                const std::lock_guard lock(mailbox->mutex);
                mailbox->steps.push_back(step);
                announce(mailbox);
            };
            hearing.part = [this, mailbox](SearchPart part) {
                const std::lock_guard lock(mailbox->mutex);
                mailbox->part = part;
                announce(mailbox);
            };
            hearing.expects = [this, mailbox](const schedule::Expectation& expectation) {
                const std::lock_guard lock(mailbox->mutex);
                mailbox->expectation = expectation;
                announce(mailbox);
            };
            return searchSchedule(*subject, hearing, stop);
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
        m_work.details().part = mailbox->part;
        m_work.details().expectation = mailbox->expectation;
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
    if (m_undo.isBusy()) return endUndo();
    if (m_count.isBusy()) return stopCounting();
    if (!isRunning()) return;
    m_gpu.cancel(searchTag);
    m_pause->end();
}

void ScheduleSearchDesk::undo(std::uint64_t step) {
    const ScheduleResultPointer now = result();
    if (!m_subject || !now || isTaken() || m_result.isBusy()) return;
    const auto ticket = m_undo.begin();
    Q_EMIT variantChanged();
    Q_EMIT changed();
    ask<ScheduleVariantPointer>(
        m_gpu, this, undoTag,
        [subject = m_subject, now, step](const std::stop_token& stop) { return undoMove(*subject, *now, step, stop); },
        [this, ticket](Result<ScheduleVariantPointer> variant) {
            if (!m_undo.end(ticket, std::move(variant))) return;
            if (undoState().stage == Stage::finished) m_variant = undoState().answer;
            Q_EMIT variantChanged();
            Q_EMIT changed();
        });
}

void ScheduleSearchDesk::endUndo() {
    m_gpu.cancel(undoTag);
    if (!m_undo.cancel()) return;
    Q_EMIT variantChanged();
    Q_EMIT changed();
}

void ScheduleSearchDesk::showBest() {
    endUndo();
    m_undo.clear();
    const ScheduleResultPointer now = result();
    m_variant = now ? now->best : nullptr;
    Q_EMIT variantChanged();
}

QString ScheduleSearchDesk::countObstacle() const {
    if (!m_subject || !m_subject->question.gpu) return tr("Times are modelled here: there is no GPU to count on");
    if (!m_subject->question.gpu->target.host.isEmpty())
        return tr("Nsight Compute is asked on this machine, and the GPU is on another");
    if (isRunning()) return tr("The search is under way");
    if (m_undo.isBusy()) return tr("A move is being undone");
    if (!result() || !result()->best) return tr("There is no schedule yet: search for one");
    return {};
}

void ScheduleSearchDesk::count() {
    if (isTaken() || !countObstacle().isEmpty()) return;
    const auto ticket = m_count.begin();
    Q_EMIT countChanged();
    Q_EMIT changed();
    ask<bool>(
        m_gpu, this, countTag,
        [subject = m_subject](const std::stop_token& stop) -> Result<bool> {
            const Result<void> counted = countSchedules(*subject, stop);
            return counted ? Result<bool>(true) : Result<bool>(counted.error());
        },
        [this, ticket](Result<bool> counted) {
            if (!m_count.end(ticket, std::move(counted))) return;
            Q_EMIT countChanged();
            Q_EMIT changed();
            readResult();
        });
}

void ScheduleSearchDesk::stopCounting() {
    m_gpu.cancel(countTag);
}

Result<void> ScheduleSearchDesk::mayWrite() const {
    if (!m_variant) return Error{"no_schedule", "There is no schedule to write.", "Search for one."};
    if (!m_variant->proof.isProved())
        return Error{"not_proved", "The schedule is not proved, and is not written: " + m_variant->proof.refusal->text};
    const schedule::FinalFigure* faulted = result() ? result()->history.faultedFinal() : nullptr;
    if (faulted && !m_variant->undone)
        return Error{"faulted", "The best schedule is not written. " + finalWords(*faulted), "Please report it."};
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
