// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/protocol/products/ProductEvaluation.h"

#include "core/tuning/store/Store.h"
#include "core/tuning/strategies/PointProposer.h"
#include "core/tuning/strategies/Strategies.h"

#include <fmt/format.h>

namespace kernelarium::protocol {

tuning::Space configurationSpace(const std::vector<hgemm::Configuration>& configurations) {
    tuning::Parameter parameter;
    parameter.name = "configuration";
    for (const hgemm::Configuration& one : configurations)
        parameter.values.emplace_back(one.key());
    return {{std::move(parameter)}, {}};
}

std::optional<hgemm::Configuration> configurationAt(const tuning::Space& space, const std::string& key) {
    const std::optional<tuning::Point> point = space.pointOf(key);
    if (!point) return {};
    return hgemm::configurationOf(std::get<std::string>(space.value(*point, 0)));
}

Result<tuning::Outcome> ProductEvaluation::evaluate(const tuning::Candidate& candidate, std::stop_token stop) {
    const std::optional<hgemm::Configuration> c = configurationAt(m_space, candidate.key);
    if (!c) return Error{"bad_input", "There is no such configuration: " + candidate.key};
    const bool full = candidate.effort >= 1;
    hgemm::MeasureRequest request;
    request.shape = m_shape;
    request.mode = m_mode;
    request.subjects = {{hgemm::Subject::Kind::family, c->layout, *c, c->halfSums}};
    request.check = full;
    request.requests = full ? 100 : 10;
    request.timeLimit = 8 + 4 * m_fullSeconds;
    request.stop = full ? perf::StopRule{8, 0.003, m_fullSeconds, 1000} : perf::StopRule{3, 0.05, 0, 100};
    CallOptions call;
    call.stop = std::move(stop);
    const Result<hgemm::MeasureAnswer> answer = m_client.measureProducts(request, call);
    if (!answer) {
        const std::string& code = answer.error().code;
        if (code == "child_died" || code == "device_lost" || code == "timeout")
            return tuning::Outcome{tuning::Outcome::Kind::failed, {}, answer.error().message, {}};
        return answer.error();
    }
    m_device = answer->device;
    const hgemm::Measured& m = answer->measured.at(0);
    tuning::Outcome outcome;
    outcome.details = hgemm::toJson(*answer).dump();
    if (m.error.empty()) {
        outcome.kind = tuning::Outcome::Kind::valued;
        outcome.value = m.time.median;
        outcome.unproven = !full;
    } else {
        outcome.kind = m.check && !m.check->right() ? tuning::Outcome::Kind::wrong : tuning::Outcome::Kind::refused;
        outcome.reason = m.error;
    }
    return outcome;
}

namespace {

/// Of what was found, the best.
class BestOf : public tuning::Keeper {
public:
    explicit BestOf(tuning::Store* store)
        : m_store(store) {}
    Result<void> each(const std::function<void(const tuning::Judged&)>& take) override {
        if (!m_store) return {};
        return m_store->each([&](const tuning::Judged& judged) {
            hear(judged);
            take(judged);
        });
    }
    Result<void> keep(const tuning::Judged& judged) override {
        hear(judged);
        return m_store ? m_store->keep(judged) : Result<void>();
    }
    [[nodiscard]] const std::optional<tuning::Judged>& best() const { return m_best; }

private:
    void hear(const tuning::Judged& judged) {
        if (judged.leads() && (!m_best || judged.isBetterThan(*m_best))) m_best = judged;
    }
    tuning::Store* m_store;
    std::optional<tuning::Judged> m_best;
};

} // namespace

Result<std::optional<tuning::Judged>> searchProducts(KernelClient& client, const ProductSearch& search,
                                                     std::stop_token stop) {
    if (search.configurations.empty()) return std::optional<tuning::Judged>();
    const tuning::Space space = configurationSpace(search.configurations);
    std::optional<tuning::Store> store;
    if (!search.store.empty()) {
        tuning::Header header;
        header.search = {{"search", "half-precision product"},
                         {"shape", fmt::format("{}x{}x{}", search.shape.m, search.shape.n, search.shape.k)},
                         {"mode", std::string(hgemm::name(search.mode))},
                         {"value", "measured seconds"}};
        Result<tuning::Store> opened = tuning::Store::open(search.store, header);
        if (!opened) return opened.error();
        store.emplace(std::move(*opened));
    }
    ProductEvaluation evaluation(client, space, search.shape, search.mode, search.fullSeconds);
    auto strategy = tuning::makeStrategy("successive-halving", evaluation.efforts());
    if (!strategy) return strategy.error();
    tuning::PointOptions options;
    options.allowed = space.size();
    tuning::PointProposer proposer(space, std::move(*strategy), options);
    BestOf keeper(store ? &*store : nullptr);
    tuning::SearchParts parts{.proposer = proposer, .evaluation = evaluation};
    parts.keeper = &keeper;
    parts.progress = search.progress;
    tuning::SearchOptions how;
    how.budget.looks = double(space.size()) * ProductEvaluation::shortEffort + search.fullLooks;
    const Result<tuning::Ended> ended = tuning::runSearch(parts, how, stop);
    if (!ended) return ended.error();
    if (ended->why == tuning::Ended::Why::stopped) return Error{"cancelled", "Cancelled."};
    return keeper.best();
}

} // namespace kernelarium::protocol
