// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/algebra/rewrite/Search.h"

#include <algorithm>
#include <queue>
#include <unordered_set>

namespace kernelarium::algebra {

namespace {

struct Score {
    double bound = 0, sum = 0;
    bool operator<(const Score& o) const {
        constexpr double equal = 1e-12;
        return std::abs(bound - o.bound) > equal * std::max(bound, o.bound) ? bound < o.bound : sum < o.sum;
    }
};

/// A searched rule at one place: the edit of that number among those that it offers.
struct Move {
    const Rule* rule = nullptr;
    TensorId tensor = 0;
    std::size_t edit = 0;
};

struct Variant {
    Graph graph;
    Work work;
    Score score;
    std::vector<Rewrite> steps;
    std::vector<Move> moves;
    std::size_t number = 0;
};
struct Worse {
    bool operator()(const Variant& a, const Variant& b) const {
        if (b.score < a.score) return true;
        if (a.score < b.score) return false;
        return a.number > b.number;
    }
};

std::string textOf(const Graph& graph) {
    std::string text;
    for (TensorId id = 0; id < graph.tensors.size(); ++id)
        text += toString(graph, id) + '\n';
    return text;
}

class Searcher {
public:
    Searcher(const perf::DeviceSpec& device, const SearchLimits& limits)
        : m_device(device)
        , m_limits(limits) {}

    Result<Derivation> run(const Graph& graph) {
        Derivation d;
        d.original = graph;
        Variant first;
        first.graph = graph;
        d.before = first.work = m_counter.of(graph);
        tidy(first);
        Variant best = first;
        std::unordered_set<std::string> seen{textOf(first.graph)};
        std::vector<Variant> heap;
        heap.push_back(std::move(first));
        const std::size_t most =
            std::min(m_limits.variants, std::max<std::size_t>(m_limits.tensors / (graph.tensors.size() + 1), 20));
        while (!heap.empty()) {
            if (m_limits.stop.stop_requested()) return Error{"cancelled", "The search was stopped."};
            if (m_limits.progress) m_limits.progress(m_variants);
            if (m_variants >= most) {
                d.isComplete = false;
                break;
            }
            std::pop_heap(heap.begin(), heap.end(), Worse());
            const Variant v = std::move(heap.back());
            heap.pop_back();
            if (v.score < best.score) best = v;
            expand(v, seen, heap, most);
        }
        if (m_limits.stop.stop_requested()) return Error{"cancelled", "The search was stopped."};
        for (Variant& v : heap)
            if (v.score < best.score) best = std::move(v);
        best.steps = stepsOf(graph, best.moves);
        d.rewritten = std::move(best.graph);
        d.after = best.work;
        d.steps = std::move(best.steps);
        d.variants = m_variants;
        return d;
    }

private:
    void expand(const Variant& v, std::unordered_set<std::string>& seen, std::vector<Variant>& heap, std::size_t most) {
        for (TensorId id = 0; id < v.graph.tensors.size(); ++id) {
            if (m_limits.stop.stop_requested()) return;
            for (const Rule& rule : searchedRules()) {
                std::vector<Edit> edits = rule.edits(v.graph, id);
                for (std::size_t i = 0; i < edits.size(); ++i) {
                    if (++m_variants > most) return;
                    Variant next = moved(v, {&rule, id, i}, std::move(edits[i]));
                    // What is far worse is given up: no rule here makes good a loss of half.
                    if (next.score.sum > 1.5 * v.score.sum || !seen.insert(textOf(next.graph)).second) continue;
                    next.number = m_variants;
                    heap.push_back(std::move(next));
                    std::push_heap(heap.begin(), heap.end(), Worse());
                }
            }
        }
    }

    Variant moved(const Variant& v, const Move& move, Edit edit) {
        Variant next;
        next.steps = v.steps;
        next.moves = v.moves;
        next.moves.push_back(move);
        Rewrite step{move.rule, {edit.detail}, v.work, {}, kept(v.graph), {}};
        next.graph = edited(v.graph, std::move(edit));
        step.after = next.work = m_counter.of(next.graph);
        step.to = kept(next.graph);
        next.steps.push_back(std::move(step));
        tidy(next);
        return next;
    }

    /// Those of one way alone keep their graphs: those of all variants would fill the memory.
    std::vector<Rewrite> stepsOf(const Graph& graph, const std::vector<Move>& moves) {
        m_keepsGraphs = true;
        Variant v;
        v.graph = graph;
        v.work = m_counter.of(graph);
        tidy(v);
        for (const Move& move : moves)
            v = moved(v, move, std::move(move.rule->edits(v.graph, move.tensor).at(move.edit)));
        return std::move(v.steps);
    }
    [[nodiscard]] std::shared_ptr<const Graph> kept(const Graph& graph) const {
        return m_keepsGraphs ? std::make_shared<const Graph>(graph) : nullptr;
    }

    /// Every tidying rule wherever it fits, until none does.
    void tidy(Variant& v) {
        for (int round = 0; round < 24; ++round) {
            bool changed = false;
            for (const Rule& rule : tidyingRules()) {
                if (rule.exactness == Exactness::drawn && !m_limits.useStatedStructure) continue;
                Rewrite step{&rule, {}, v.work, {}, {}, {}};
                const std::size_t most = 4 * v.graph.tensors.size() + 64;
                for (TensorId id = 0; id < v.graph.tensors.size() && step.details.size() < most;) {
                    std::vector<Edit> edits = rule.edits(v.graph, id);
                    if (edits.empty()) {
                        ++id;
                        continue;
                    }
                    if (step.details.empty()) step.from = kept(v.graph);
                    const std::size_t tensors = v.graph.tensors.size();
                    step.details.push_back(edits.front().detail);
                    v.graph = edited(std::move(v.graph), std::move(edits.front()));
                    // Tensors before the edited one may have gone with it.
                    if (v.graph.tensors.size() < tensors) id -= std::min(id, tensors - v.graph.tensors.size());
                }
                if (step.details.empty()) continue;
                changed = true;
                step.after = v.work = m_counter.of(v.graph);
                step.to = kept(v.graph);
                const auto same =
                    std::find_if(v.steps.rbegin(), v.steps.rend(), [&](const Rewrite& s) { return s.rule == &rule; });
                const bool worthless =
                    step.before.flops == step.after.flops && step.before.bytes() == step.after.bytes();
                if (worthless && same != v.steps.rend())
                    same->details.insert(same->details.end(), step.details.begin(), step.details.end());
                else
                    v.steps.push_back(std::move(step));
            }
            if (!changed) break;
        }
        const Bound b = boundOf(v.work, m_device);
        v.score = {b.seconds, b.memorySeconds + b.arithmeticSeconds};
    }

    const perf::DeviceSpec& m_device;
    const SearchLimits& m_limits;
    WorkCounter m_counter;
    std::size_t m_variants = 0;
    bool m_keepsGraphs = false;
};

} // namespace

Result<Derivation> derive(const Graph& graph, const perf::DeviceSpec& device, const SearchLimits& limits) {
    return Searcher(device, limits).run(graph);
}

bool isConstant(const Graph& graph) {
    const Graph needed = pruned(graph);
    return std::none_of(needed.tensors.begin(), needed.tensors.end(), [](const Tensor& t) { return t.input(); });
}

} // namespace kernelarium::algebra
