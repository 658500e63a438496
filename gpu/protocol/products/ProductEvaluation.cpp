// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/protocol/products/ProductEvaluation.h"

#include "core/tuning/store/Store.h"
#include "core/tuning/strategies/PointProposer.h"
#include "core/tuning/strategies/SuccessiveHalving.h"

#include <algorithm>
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
    if (m.error.empty() && m.time.count == 0) {
        outcome.reason = "None of its samples counts: the clock was low."; // nothing is known of it
    } else if (m.error.empty()) {
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

/// Of what was found, what may be called best.
class LeadersOf : public tuning::Keeper {
public:
    explicit LeadersOf(tuning::Store* store)
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
    /// The best first.
    [[nodiscard]] std::vector<tuning::Judged> leaders() const {
        std::vector<tuning::Judged> all = m_leaders;
        std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.isBetterThan(b); });
        return all;
    }

private:
    void hear(const tuning::Judged& judged) {
        if (judged.leads()) m_leaders.push_back(judged);
    }
    tuning::Store* m_store;
    std::vector<tuning::Judged> m_leaders;
};

} // namespace

Result<std::vector<hgemm::Configuration>> searchProducts(KernelClient& client, const ProductSearch& search,
                                                         std::stop_token stop) {
    if (search.configurations.empty()) return std::vector<hgemm::Configuration>();
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
    std::vector<tuning::Point> inOrder;
    for (std::uint64_t i = 0; i < space.size(); ++i)
        inOrder.push_back(space.point(i));
    auto strategy = std::make_unique<tuning::SuccessiveHalving>(evaluation.efforts(), std::move(inOrder));
    tuning::PointOptions options;
    options.allowed = space.size();
    tuning::PointProposer proposer(space, std::move(strategy), options);
    LeadersOf keeper(store ? &*store : nullptr);
    tuning::SearchParts parts{.proposer = proposer, .evaluation = evaluation};
    parts.keeper = &keeper;
    parts.progress = search.progress;
    tuning::SearchOptions how;
    how.budget.looks = double(space.size()) * ProductEvaluation::shortEffort + search.fullLooks;
    how.budget.seconds = search.secondsAtMost;
    const Result<tuning::Ended> ended = tuning::runSearch(parts, how, stop);
    if (!ended) return ended.error();
    if (ended->why == tuning::Ended::Why::stopped) return Error{"cancelled", "Cancelled."};
    std::vector<hgemm::Configuration> found;
    for (const tuning::Judged& one : keeper.leaders())
        if (const auto c = configurationAt(space, one.candidate.key)) // else of an earlier search with others
            found.push_back(*c);
    return found;
}

} // namespace kernelarium::protocol
