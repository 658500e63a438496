// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernelgen/ProductEmitter.h"

#include "core/algebra/lowering/Lowering.h"
#include "core/kernelgen/ProductOrder.h"
#include "core/kernelgen/attention/AttentionForm.h"
#include "core/kernelgen/attention/AttentionKernel.h"
#include "core/kernelgen/attention/AttentionLevels.h"
#include "core/kernelgen/fused/FourMap.h"
#include "core/kernelgen/fused/FusedLevels.h"
#include "core/kernelgen/fused/RowKernels.h"
#include "core/kernelgen/naive/DefinitionKernel.h"
#include "core/kernelgen/naive/DefinitionLevels.h"
#include "core/kernelgen/products/ProductCuts.h"
#include "core/kernelgen/products/StripForm.h"
#include "core/kernelgen/products/Units.h"

#include <algorithm>

#include <fmt/format.h>

namespace kernelarium::kernelgen::products {

using algebra::Graph;
using algebra::Tensor;
using algebra::TensorId;
using tensor::DType;

namespace {

/// Writes launches in an order in which each finds what it reads.
class ProductFile {
public:
    ProductFile(const task::Card& card, const SizedGraphs& graphs, std::vector<ProductUnit> units,
                std::vector<attention::AttentionUnit> attentions)
        : m_graphs(graphs)
        , m_full(graphs.graphs[graphs.full])
        , m_units(std::move(units))
        , m_attentions(std::move(attentions))
        , m_order(graphs, m_units, m_attentions)
        , m_file(card, graphs)
        , m_cuts(m_file, graphs, m_units) {}

    Emitted write(const std::vector<std::string>& moved) {
        if (m_cuts.isTwice() || !m_order.singles().empty())
            m_file.constant("constexpr int threads = 256; // tune: pow2 64..1024");
        std::vector<bool> unitDone(m_units.size(), false), attentionDone(m_attentions.size(), false);
        std::set<std::size_t> groups = m_order.groups();
        for (bool changed = true; changed;) {
            changed = false;
            for (std::size_t u = 0; u < m_units.size(); ++u) {
                if (unitDone[u] || !m_order.isReady(m_units[u].members)) continue;
                m_launches += m_cuts.add(u, m_order.plan().inlined);
                m_order.setDone(m_units[u].members);
                unitDone[u] = changed = true;
            }
            for (std::size_t a = 0; a < m_attentions.size(); ++a) {
                if (attentionDone[a] || !m_order.isReady(m_attentions[a].members)) continue;
                const std::size_t first = m_file.levels().launches.size();
                attention::addAttention(m_file, m_attentions[a], m_order.plan().inlined);
                attention::describeAttention(m_file, m_attentions[a], first);
                ++m_launches;
                m_order.setDone(m_attentions[a].members);
                attentionDone[a] = changed = true;
            }
            for (const std::size_t g : m_order.groups()) {
                if (!groups.contains(g) || !m_order.isReady(m_order.rowMembers(g))) continue;
                const std::size_t first = m_file.levels().launches.size();
                m_launches += addRowKernels(m_file, m_order.plan(), g);
                describeRows(m_file, m_order.plan(), g, first);
                m_order.setDone(m_order.rowMembers(g));
                groups.erase(g);
                changed = true;
            }
            for (const TensorId id : m_order.singles()) {
                if (m_order.isDone(id) || !m_order.isReady({id})) continue;
                addSingle(id);
                ++m_launches;
                m_order.setDone({id});
                changed = true;
            }
        }
        if (!groups.empty() || std::count(unitDone.begin(), unitDone.end(), false) > 0 ||
            std::count(attentionDone.begin(), attentionDone.end(), false) > 0 ||
            !std::all_of(m_order.singles().begin(), m_order.singles().end(),
                         [this](TensorId id) { return m_order.isDone(id); }))
            throw Refusal("kernels that need one another's results");
        return finished(moved);
    }

private:
    void addSingle(TensorId id) {
        m_file.declare(id);
        if (addFourMap(m_file, m_order.plan(), id)) return describeFourMap(m_file, m_order.plan(), id);
        const DefinitionKernel kernel = definitionKernel(m_file, m_graphs.each(), id, m_order.plan().inlined);
        const std::string elements = m_file.variable(id) + ".numel()";
        if (kernel.blockPerElement) {
            m_file.launch(kernel.name, elements, kernel.text, {}, {});
            describeDefinition(m_file, m_graphs.each(), id, m_order.plan().inlined, kernel,
                               [this](TensorId k) { return m_file.tensorNode(k); });
            return;
        }
        std::string count = elements;
        if (kernel.count == "rows") {
            const Each<Tensor> t = m_file.tensor(id);
            count = fmt::format("{} / ({})", elements,
                                m_file.number(extentOf(t, std::size_t(algebra::scanAxis(t.first())))));
        }
        m_file.launch(kernel.name, fmt::format("blocks({}, threads)", count), kernel.text, {}, {count});
        describeDefinition(m_file, m_graphs.each(), id, m_order.plan().inlined, kernel,
                           [this](TensorId k) { return m_file.tensorNode(k); });
    }

    Emitted finished(const std::vector<std::string>& moved) {
        std::size_t products = 2 * m_attentions.size(), split = 0, formulas = 0;
        for (std::size_t u = 0; u < m_units.size(); ++u) {
            products += m_units[u].forms.size();
            products += m_units[u].inner.size();
            split += m_cuts.parts(u) > 1 ? 1 : 0;
        }
        for (const Tensor& t : m_full.tensors)
            formulas += t.definition() ? 1 : 0;
        const auto counted = [](std::size_t n, const std::string& what) {
            return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
        };
        const std::string launches = fmt::format("{} {}", m_launches, m_launches == 1 ? "launch" : "launches");
        const std::string others = counted(formulas - products, products == 0 ? "formula" : "other formula");
        const std::string why = products == 0
                                    ? fmt::format("{} in {}", others, launches)
                                    : fmt::format("{} and {} in {}", counted(products, "product"), others, launches);
        std::string idea = why + ".", skeleton = products == 0 ? "rows" : "product";
        if (!m_attentions.empty()) {
            skeleton = "attention";
            idea += " Blocks take a part of the keys each and keep a running maximum and sum of their rows, so that no "
                    "score is stored; the last block of some rows puts the parts together in their order.";
        }
        if (m_cuts.hasStrips())
            idea +=
                " Of products with few rows a block makes a strip of columns: the right factors go from memory into "
                "the registers of tensor cores, each element once, while the next ones are on their way.";
        if (m_cuts.hasTiles()) {
            idea += " Each block makes a tile of a product from tiles of its factors in shared memory, ";
            idea += m_cuts.isHalf() ? "by tensor cores with sums in float32" : "each thread a part of it in registers";
            idea += "; the next tiles are on their way meanwhile, and formulas of its elements are computed there.";
        }
        if (split > 0) {
            idea += " Sums are cut into parts for more blocks, and the parts are added in their order.";
            skeleton = "split product";
        }
        std::string name = skeleton;
        std::replace(name.begin(), name.end(), ' ', '_');
        std::string text = m_file.finish(name, idea, moved);
        return Emitted{std::move(text), skeleton, why, m_file.finishedLevels()};
    }

    const SizedGraphs& m_graphs;
    const Graph& m_full;
    std::vector<ProductUnit> m_units;
    std::vector<attention::AttentionUnit> m_attentions;
    ProductOrder m_order;
    KernelFile m_file;
    ProductCuts m_cuts;
    int m_launches = 0;
};

Graph rewritten(Graph graph, std::vector<std::string>* moved = nullptr) {
    return attention::factorsAtWeights(prepared(std::move(graph), moved), moved);
}

} // namespace

bool hasProducts(const task::Card& card) {
    const Result<SizedGraphs> graphs = graphsOf(card, [](Graph g) { return rewritten(std::move(g)); });
    return graphs && !unitsOf(*graphs).empty();
}

Result<Emitted> emitFile(const task::Card& card, const EmitOptions& options) {
    const Result<SizedGraphs> graphs = graphsOf(
        card, [](Graph g) { return rewritten(std::move(g)); }, options.size);
    if (!graphs) return graphs.error();
    try {
        std::vector<std::string> moved;
        if (const auto full = card.size("full"))
            if (Result<Graph> graph = algebra::lower(card, *full)) (void)rewritten(*std::move(graph), &moved);
        const auto write = [&](std::vector<attention::AttentionUnit> attentions) {
            std::set<TensorId> taken;
            for (const attention::AttentionUnit& a : attentions)
                taken.insert(a.members.begin(), a.members.end());
            std::vector<ProductUnit> units = unitsOf(*graphs, taken);
            growStrips(*graphs, units);
            const auto& tensors = graphs->graphs.front().tensors;
            const bool isShort = std::all_of(tensors.begin(), tensors.end(), [](const Tensor& t) {
                return !t.input() || t.dtype == DType::Float16 || t.dtype == DType::BFloat16;
            });
            // Rows and maps of short types come here for what is between them: that is float32 in this form alone.
            if (units.empty() && attentions.empty() && !isShort)
                throw Refusal("no matrix product that is worth a kernel");
            return ProductFile(card, *graphs, std::move(units), std::move(attentions)).write(moved);
        };
        std::vector<attention::AttentionUnit> attentions = attention::attentionsOf(*graphs);
        if (!attentions.empty()) {
            try {
                return write(std::move(attentions));
            } catch (const Refusal&) { // the scores are stored, then
            }
        }
        return write({});
    } catch (const Refusal& r) {
        return Error{"unsupported", fmt::format("No product's form fits task {}: it has {}.", card.key(), r.what()),
                     "`superopt emit --naive` writes a kernel for each formula."};
    }
}

} // namespace kernelarium::kernelgen::products
