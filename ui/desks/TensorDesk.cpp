// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/desks/TensorDesk.h"

#include "gpu/protocol/KernelClient.h"
#include "ui/desks/RunDesk.h"

#include <algorithm>

namespace kernelarium::ui {

namespace {
std::string tagOf(TensorDesk::Kind kind) {
    return "tensors " + std::to_string(int(kind));
}
} // namespace

TensorDesk::TensorDesk(ChildQueue& child, QObject* parent)
    : QObject(parent)
    , m_child(child) {}

void TensorDesk::open(const RunJob& job) {
    forget();
    m_open = true;
    m_job = job;
    tensorview::Query query;
    query.statistics = true;
    query.histogram.emplace();
    Q_EMIT opened();
    ask(Kind::figures, query);
}

void TensorDesk::ask(Kind kind, const tensorview::Query& query) {
    if (!m_open) return;
    const auto ticket = work(kind).begin(m_job.generation, Former::kept);
    work(kind).details().query = query;
    Q_EMIT changed(kind);
    ChildQueue::Call<TensorAnswer> call;
    call.tag = tagOf(kind);
    call.make = [job = m_job, query](const auto& child, const auto& options) -> Result<TensorAnswer> {
        Result<tensorview::Answer> answer = protocol::KernelClient(child).tensors(parametersOf(job), query, options);
        if (!answer) return answer.error();
        return TensorAnswer(std::make_shared<const tensorview::Answer>(std::move(*answer)));
    };
    call.progress = [this, kind, ticket](const QString& step) {
        if (work(kind).progress(ticket, step)) Q_EMIT changed(kind);
    };
    call.ended = [this, kind, ticket, query](Result<TensorAnswer> result) {
        const bool answered = result.ok();
        if (!work(kind).end(ticket, std::move(result))) return;
        if (answered) work(kind).details().answeredQuery = query;
        Q_EMIT changed(kind);
    };
    m_child.submit(std::move(call));
}

void TensorDesk::cancel() {
    for (const Kind kind : kinds)
        m_child.cancel(tagOf(kind));
}

void TensorDesk::forget() {
    cancel();
    m_open = false;
    m_job = {};
    for (Question& question : m_works)
        question.clear();
}

void TensorDesk::clear() {
    forget();
    Q_EMIT opened();
    for (const Kind kind : kinds)
        Q_EMIT changed(kind);
}

bool TensorDesk::isBusy() const {
    // What is read of a run that is there is no work to wait for.
    const auto isWork = {Kind::figures, Kind::wrong, Kind::writer, Kind::written};
    return std::any_of(isWork.begin(), isWork.end(), [this](Kind kind) { return work(kind).isBusy(); });
}

} // namespace kernelarium::ui
