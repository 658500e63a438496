// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/superopt/ExplanationDesk.h"

#include "ui/threads/Ask.h"
#include "ui/words/Quantities.h"

#include <algorithm>
#include <chrono>

namespace kernelarium::ui {

namespace {

constexpr auto searchProgressPause = std::chrono::milliseconds(100);
constexpr const char* explainTag = "explain";

std::string sizeOrFirst(const task::Card& card, const std::string& size) {
    const auto is = [&](const auto& known) { return known.first == size; };
    if (card.sizes.empty() || std::any_of(card.sizes.begin(), card.sizes.end(), is)) return size;
    return card.sizes.front().first;
}

Result<TaskExplanationPointer> explained(const ExplanationQuestion& question, const algebra::SearchLimits& limits) {
    TaskExplanation answer{question, question.card, {}, {}, {}};
    if (!answer.card) {
        auto card = task::loadCard(question.task.level, question.task.task);
        if (!card) return card.error();
        answer.card = std::make_shared<const task::Card>(std::move(*card));
    }
    answer.size = sizeOrFirst(*answer.card, question.size);
    auto explanation = algebra::explain(*answer.card, answer.size, *question.device, limits);
    if (explanation)
        answer.explanation = std::move(*explanation);
    else if (explanation.error().code == "cancelled")
        return explanation.error();
    else
        answer.refusal = explanation.error();
    return std::make_shared<const TaskExplanation>(std::move(answer));
}

} // namespace

void ExplanationDesk::ask(ExplanationQuestion question) {
    const bool sameTask = state().answer && state().answer->question.task == question.task;
    const auto ticket = m_work.begin(0, sameTask ? Former::kept : Former::forgotten);
    Q_EMIT changed();
    const auto tell = [this, ticket, told = std::chrono::steady_clock::now()](std::size_t variants) mutable {
        const auto now = std::chrono::steady_clock::now();
        if (now - told < searchProgressPause) return;
        told = now;
        deliver(this, [this, ticket, variants] {
            if (m_work.progress(ticket, tr("%1 variants looked at").arg(wholeText(std::int64_t(variants)))))
                Q_EMIT changed();
        });
    };
    const auto work = [question = std::move(question),
                       tell](const std::stop_token& stop) -> Result<TaskExplanationPointer> {
        algebra::SearchLimits limits;
        limits.useStatedStructure = !question.anyInputs;
        limits.stop = stop;
        limits.progress = tell;
        return explained(question, limits);
    };
    ui::ask<TaskExplanationPointer>(m_thread, this, explainTag, work,
                                    [this, ticket](Result<TaskExplanationPointer> answer) {
                                        if (m_work.end(ticket, std::move(answer))) Q_EMIT changed();
                                    });
}

void ExplanationDesk::cancel() {
    m_thread.cancel(explainTag);
    if (m_work.cancel()) Q_EMIT changed();
}

void ExplanationDesk::clear() {
    m_thread.cancel(explainTag);
    m_work.clear();
    Q_EMIT changed();
}

} // namespace kernelarium::ui
