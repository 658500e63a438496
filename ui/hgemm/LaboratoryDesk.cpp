// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/hgemm/LaboratoryDesk.h"

#include "gpu/protocol/KernelClient.h"
#include "gpu/protocol/products/ProductTuning.h"
#include "ui/hgemm/HgemmFigures.h"
#include "ui/threads/ChildQueue.h"

#include <QPointer>
#include <algorithm>
#include <optional>

namespace kernelarium::ui {

namespace {

constexpr const char* tag = "hgemm";

/// Of one shape alone: the others go on.
bool isOfTheShape(const Error& error) {
    return error.code == "child_died" || error.code == "timeout" || error.code == "device_lost" ||
           error.code == "out_of_memory";
}

} // namespace

/// From the thread, while the work goes on.
struct LaboratoryDesk::Told {
    QString step;
    std::size_t done = 0, all = 0;
    std::optional<hgemm::Comparison> comparison;
    QString refusal;
};

LaboratoryDesk::LaboratoryDesk(ChildQueue& runner, QObject* parent)
    : QObject(parent)
    , m_runner(runner) {}

void LaboratoryDesk::start(LaboratoryJob job) {
    if (job.parts.layouts != m_parts.layouts || job.parts.halfSums != m_parts.halfSums) m_measured.clear();
    m_parts = job.parts;
    const auto ticket = m_work.begin();
    m_work.details().all = job.shapes.size();
    Q_EMIT changed();
    // The queue outlives what it does, this desk may not.
    const QPointer<LaboratoryDesk> desk(this);
    const auto tell = [runner = &m_runner, desk, ticket](Told told) {
        deliver(runner, [desk, ticket, told = std::move(told)] {
            if (desk) desk->hear(ticket, told);
        });
    };
    ChildQueue::Call<std::size_t> call;
    call.tag = tag;
    call.make = [job = std::move(job), tell](const auto& child, const auto& options) mutable -> Result<std::size_t> {
        protocol::KernelClient client(child);
        const std::size_t all = job.shapes.size();
        if (job.searches) {
            protocol::ProductTuning tuning;
            tuning.shapes = job.shapes;
            // Wall times are served by what is fastest on the device, hot or cold.
            tuning.modes = {isWallTime(job.mode)
                                ? job.mode == hgemm::Mode::server ? hgemm::Mode::cold : hgemm::Mode::hot
                                : job.mode};
            tuning.layouts = job.parts.layouts;
            tuning.halfSums = job.parts.halfSums;
            protocol::TuningEvents events;
            events.compiling = [&](std::size_t kernels) {
                tell({tr("compiling %1 kernels").arg(kernels), 0, all, {}, {}});
            };
            events.tuned = [&](const protocol::TunedProduct& one, std::size_t done, std::size_t of) {
                tell({tr("searched %1").arg(shapeText(one.shape)), done, of, {}, QString::fromStdString(one.why)});
            };
            const auto rows = protocol::tuneProducts(client, tuning, events, options.stop);
            if (!rows) return rows.error();
            job.choice.insert(job.choice.begin(), rows->begin(), rows->end()); // of equal ones the first is taken
        }
        std::vector<hgemm::Configuration> wanted;
        for (const hgemm::Shape& shape : job.shapes) {
            bool fallsBack = false;
            for (const hgemm::Subject& s :
                 hgemm::comparisonRequest(job.choice, shape, job.mode, fallsBack, job.parts).subjects)
                if (s.kind == hgemm::Subject::Kind::family) wanted.push_back(s.configuration);
        }
        if (const auto prepared = client.prepareProducts(wanted, options); !prepared) return prepared.error();
        std::size_t done = 0, measured = 0;
        for (const hgemm::Shape& shape : job.shapes) {
            tell({shapeText(shape), done, all, {}, {}});
            hgemm::Comparison one{shape, job.mode, false, {}};
            hgemm::MeasureRequest request =
                hgemm::comparisonRequest(job.choice, shape, job.mode, one.fellBack, job.parts);
            request.stop = {10, 0.003, job.seconds, 5000};
            request.energy = job.energy && job.mode == hgemm::Mode::hot;
            auto answer = client.measureProducts(request, options);
            if (!answer && !isOfTheShape(answer.error())) return answer.error();
            ++done;
            if (!answer) {
                const QString why = QString::fromStdString(answer.error().text());
                tell({shapeText(shape), done, all, {}, QStringLiteral("%1: %2").arg(shapeText(shape), why)});
                continue;
            }
            ++measured;
            one.answer = std::move(*answer);
            tell({shapeText(shape), done, all, std::move(one), {}});
        }
        return measured;
    };
    call.progress = [](const QString&) {}; // the shapes tell more
    call.ended = [desk, ticket](Result<std::size_t> result) {
        if (desk && desk->m_work.end(ticket, std::move(result))) Q_EMIT desk->changed();
    };
    m_runner.submit(std::move(call));
}

void LaboratoryDesk::hear(quint64 ticket, const Told& told) {
    if (!m_work.progress(ticket, told.step)) return;
    LaboratoryState& state = m_work.details();
    state.done = told.done;
    state.all = told.all;
    if (!told.refusal.isEmpty()) state.refusal = told.refusal;
    if (told.comparison) {
        const auto same = [&](const hgemm::Comparison& c) {
            return c.shape == told.comparison->shape && c.mode == told.comparison->mode;
        };
        std::erase_if(m_measured, same);
        m_measured.push_back(*told.comparison);
    }
    Q_EMIT changed();
}

void LaboratoryDesk::cancel() {
    m_runner.cancel(tag);
}

} // namespace kernelarium::ui
