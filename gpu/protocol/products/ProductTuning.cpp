// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/protocol/products/ProductTuning.h"

#include "core/hgemm/family/Pool.h"
#include "core/hgemm/laboratory/Comparison.h"
#include "gpu/protocol/products/ProductEvaluation.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>

namespace kernelarium::protocol {

namespace {

using hgemm::BestRow;
using hgemm::Configuration;
using hgemm::Mode;
using hgemm::Shape;
using hgemm::Subject;

double flopsOf(const Shape& shape) {
    return 2.0 * double(shape.m) * double(shape.n) * double(shape.k);
}

/// What a shape costs beside a small one, which is 1: some hundreds of calls.
double weightOf(const Shape& shape) {
    constexpr double flopsPerSecond = 6e14, calls = 500;
    return 1 + calls * flopsOf(shape) / flopsPerSecond;
}

class Tuner {
public:
    Tuner(KernelClient& client, const ProductTuning& tuning, const TuningEvents& events, const std::stop_token& stop)
        : m_client(client)
        , m_tuning(tuning)
        , m_events(events)
        , m_stop(stop) {
        m_call.stop = stop;
    }

    Result<std::vector<BestRow>> run() {
        for (const Shape& shape : m_tuning.shapes)
            m_weightLeft += weightOf(shape) * double(m_tuning.modes.size());
        if (Result<void> compiled = compile(); !compiled) return compiled.error();
        const std::size_t all = m_tuning.shapes.size() * m_tuning.modes.size();
        std::size_t done = 0;
        for (const Shape& shape : m_tuning.shapes)
            for (const Mode mode : m_tuning.modes) {
                Result<TunedProduct> one = tune(shape, mode);
                if (!one) return one.error();
                if (one->row) m_rows.push_back(*one->row);
                m_weightLeft -= weightOf(shape);
                if (m_events.tuned) m_events.tuned(*one, ++done, all);
            }
        return std::move(m_rows);
    }

private:
    [[nodiscard]] double seconds() const {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - m_begin).count();
    }

    Result<void> compile() {
        std::vector<Configuration> all;
        for (const Shape& shape : m_tuning.shapes)
            for (const Configuration& c : tuningCandidates(m_tuning, shape, {}))
                if (std::find(all.begin(), all.end(), c) == all.end()) all.push_back(c);
        if (m_events.compiling) m_events.compiling(all.size());
        return m_client.prepareProducts(all, m_call);
    }

    /// Of the same shape in another mode, then of the nearest shapes in this one.
    [[nodiscard]] std::vector<Configuration> known(const Shape& shape, Mode mode) const {
        constexpr std::size_t near = 4;
        std::vector<Configuration> found;
        std::vector<BestRow> rest;
        for (const BestRow& row : m_rows)
            if (row.shape == shape)
                found.push_back(row.configuration);
            else
                rest.push_back(row);
        for (std::size_t i = 0; i < near; ++i) {
            const BestRow* row = hgemm::bestFor(rest, shape, mode, m_tuning.halfSums);
            if (!row) break;
            const Configuration c = row->configuration;
            found.push_back(c);
            std::erase_if(rest, [&](const BestRow& one) { return one.configuration == c; });
        }
        return found;
    }

    Result<TunedProduct> tune(const Shape& shape, Mode mode) {
        ProductSearch search;
        search.shape = shape;
        search.mode = mode;
        search.configurations = tuningCandidates(m_tuning, shape, known(shape, mode));
        search.fullSeconds = m_tuning.fullSeconds;
        search.fullLooks = m_tuning.fullLooks;
        constexpr double ofSearch = 0.8; // the rest is for the last comparison
        if (m_tuning.secondsAtMost)
            search.secondsAtMost =
                std::max(0.0, (*m_tuning.secondsAtMost - seconds()) * weightOf(shape) / m_weightLeft * ofSearch);
        if (!m_tuning.store.empty())
            search.store =
                m_tuning.store / fmt::format("{}x{}x{}_{}.sweep", shape.m, shape.n, shape.k, hgemm::name(mode));
        Result<std::vector<Configuration>> found = searchProducts(m_client, search, m_stop);
        if (!found) return found.error();
        // Without the time for a full look of any, what serves others is still measured once.
        constexpr std::size_t finalists = 3;
        found->resize(std::min(found->size(), finalists));
        if (found->empty())
            found->assign(search.configurations.begin(),
                          search.configurations.begin() +
                              std::ptrdiff_t(std::min(search.configurations.size(), finalists)));
        return choose(shape, mode, *found);
    }

    Result<TunedProduct> choose(const Shape& shape, Mode mode, const std::vector<Configuration>& finalists) {
        TunedProduct out{shape, mode, {}, {}};
        hgemm::MeasureRequest request;
        request.shape = shape;
        request.mode = mode;
        request.stop = {10, 0.003, 2 * m_tuning.fullSeconds, 2000};
        for (const Configuration& c : finalists)
            request.subjects.push_back({Subject::Kind::family, c.layout, c, c.halfSums});
        for (const hgemm::Layout layout : {hgemm::Layout::tn, hgemm::Layout::nn})
            request.subjects.push_back({Subject::Kind::ltFastest, layout, {}, false});
        Result<hgemm::MeasureAnswer> answer = m_client.measureProducts(request, m_call);
        if (!answer) {
            if (answer.error().code == "cancelled") return answer.error();
            out.why = answer.error().text();
            return out;
        }
        const hgemm::Comparison compared{shape, mode, false, std::move(*answer)};
        const hgemm::Measured* ours = compared.best(Subject::Kind::family);
        const hgemm::Measured* theirs = compared.best(Subject::Kind::ltFastest);
        if (ours)
            out.row =
                BestRow{compared.answer.device,          shape, mode, ours->subject.configuration, ours->time.median,
                        theirs ? theirs->time.median : 0};
        else
            out.why = finalists.empty() ? "No kernel of the family takes the shape."
                                        : "No kernel of the family is right: " + compared.answer.measured[0].error;
        return out;
    }

    KernelClient& m_client;
    const ProductTuning& m_tuning;
    const TuningEvents& m_events;
    const std::stop_token& m_stop;
    CallOptions m_call;
    std::chrono::steady_clock::time_point m_begin = std::chrono::steady_clock::now();
    double m_weightLeft = 0;
    std::vector<BestRow> m_rows;
};

} // namespace

std::vector<Configuration> tuningCandidates(const ProductTuning& tuning, const Shape& shape,
                                            const std::vector<Configuration>& known) {
    // Large products take long: the model orders them well enough for a shorter list.
    const double flops = flopsOf(shape);
    const std::size_t most = flops > 1e12   ? std::max<std::size_t>(4, tuning.looks / 4)
                             : flops > 5e10 ? std::max<std::size_t>(6, tuning.looks / 2)
                                            : tuning.looks;
    std::vector<Configuration> all;
    const auto add = [&all](const Configuration& c) {
        if (std::find(all.begin(), all.end(), c) == all.end()) all.push_back(c);
    };
    for (const Configuration& c : known)
        if (c.halfSums == tuning.halfSums && hgemm::refusal(c, shape).empty() &&
            std::find(tuning.layouts.begin(), tuning.layouts.end(), c.layout) != tuning.layouts.end())
            add(c);
    std::vector<std::vector<Configuration>> ofLayouts;
    for (const hgemm::Layout layout : tuning.layouts)
        ofLayouts.push_back(hgemm::candidates(shape, layout, tuning.halfSums, most));
    for (std::size_t i = 0; i < most; ++i) // the best of each layout before the second of any
        for (const std::vector<Configuration>& some : ofLayouts)
            if (i < some.size()) add(some[i]);
    return all;
}

Result<std::vector<BestRow>> tuneProducts(KernelClient& client, const ProductTuning& tuning, const TuningEvents& events,
                                          const std::stop_token& stop) {
    return Tuner(client, tuning, events, stop).run();
}

} // namespace kernelarium::protocol
