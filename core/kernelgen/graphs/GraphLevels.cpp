// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernelgen/graphs/GraphLevels.h"

#include "core/kernelgen/file/FormulaLevels.h"
#include "core/kernelgen/graphs/Products.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace kernelarium::kernelgen::graphs {

using mugraph::Operator;
using mugraph::Step;

namespace {

constexpr double lanesOfWarp = 32;

class LaunchLevels {
public:
    LaunchLevels(Code& code, bool isSecond)
        : m_code(code)
        , m_s(code.subject())
        , m_plan(code.plan())
        , m_file(code.file())
        , m_isSecond(isSecond)
        , m_levels(
              m_file, m_file.graphs().each(), m_none, [this](std::size_t id) { return m_file.tensorNode(id); },
              isSecond ? 1 : 0) {}

    void run() {
        const Axis* loop = m_s.hasLoop() ? &axis(m_s.graph.roles.loop) : nullptr;
        std::string block;
        for (const Axis& a : m_s.axes)
            if (a.kind != Axis::Kind::whole && a.kind != Axis::Kind::loop &&
                (!m_isSecond || a.kind == Axis::Kind::grid))
                block += fmt::format("{}{} of {}", block.empty() ? "" : ", ",
                                     a.kind == Axis::Kind::walked ? a.tile * m_s.sizes.stepsEach : a.tile, a.name);
        if (block.empty()) block = "all of it";
        m_levels.describe(m_isSecond ? "second launch" : "blocks",
                          m_isSecond ? "Puts together, in their order, what the parts have left."
                                     : "A graph of operators on tiles, as the search found it.",
                          "a tile: " + block, "elements of tiles in turn, and its pieces of products");
        for (const Axis& a : m_s.axes)
            if (a.kind == Axis::Kind::grid) m_blocks *= std::ceil(shown(a) / double(a.tile));
        if (m_s.hasSplit() && !m_isSecond) m_blocks *= parts();
        if (loop && !m_isSecond) {
            m_steps = std::ceil((loop->kind == Axis::Kind::walked
                                     ? std::min(shown(*loop), double(m_s.sizes.stepsEach * loop->tile))
                                     : shown(*loop)) /
                                double(loop->tile));
            m_loop = m_levels.addLoop(loop->name, fmt::format("each block walks along {}", loop->name),
                                      {fmt::format("{} at a time", loop->tile), std::int64_t(m_steps)});
        }
        double barriers = 2;
        for (const Action& action : m_plan.actions(m_isSecond)) {
            add(action);
            barriers += action.phase == Phase::during ? m_steps : 1;
        }
        m_levels.counters().addBlockSteps(barriers);
        m_levels.finish();
    }

private:
    [[nodiscard]] const Axis& axis(int number) const { return m_s.axes[std::size_t(number)]; }
    [[nodiscard]] double shown(const Axis& a) const { return double(a.extents[m_file.graphs().shown]); }
    [[nodiscard]] double parts() const {
        const Axis& a = axis(m_s.graph.roles.split);
        return std::ceil(shown(a) / double(a.tile * (a.kind == Axis::Kind::walked ? m_s.sizes.stepsEach : 1)));
    }
    [[nodiscard]] double points(const std::vector<int>& axes) const {
        double count = 1;
        for (const int a : axes)
            count *= std::min(double(axis(a).tile), shown(axis(a)));
        return count;
    }
    [[nodiscard]] double tilePoints(std::size_t tensor) const { return points(listed(m_s.tiles[tensor].axes)); }
    [[nodiscard]] double times(const Action& action) const {
        return m_blocks * (action.phase == Phase::during ? m_steps : 1);
    }
    [[nodiscard]] double elementBytes(std::size_t tensor) const {
        return m_s.isInput(tensor) ? double(tensor::byteSize(m_s.problem.inputs[tensor].dtype)) : 4;
    }

    std::string inputNode(std::size_t tensor) {
        const algebra::Graph& graph = m_file.full();
        const auto at = std::find_if(graph.tensors.begin(), graph.tensors.end(), [&](const algebra::Tensor& t) {
            return t.input() && t.name == m_s.problem.inputs[tensor].name;
        });
        return m_file.tensorNode(std::size_t(at - graph.tensors.begin()));
    }
    std::string partsNode(std::size_t tensor) {
        const std::string node = fmt::format("g{}", tensor);
        if (m_file.levels().tensor(node)) return node;
        kernelgen::Tile tile{node, m_code.partsName(tensor), m_code.formula(tensor), Place::device, {}, "float32", {}};
        if (m_s.tiles[tensor].partial) tile.extents.push_back({"parts", std::int64_t(parts())});
        tile.extents.push_back({m_code.passedCount(tensor, true), std::int64_t(passedElements(tensor))});
        m_file.levels().tensors.push_back(std::move(tile));
        return node;
    }
    [[nodiscard]] double passedElements(std::size_t tensor) const {
        double count = 1;
        for (const int a : listed(m_s.tiles[tensor].axes))
            count *= axis(a).isPlaced() && axis(a).kind != Axis::Kind::grid ? double(axis(a).tile) : shown(axis(a));
        return count;
    }
    /// The node of what an action reads: a tile, or a tensor in device memory.
    std::string source(const Action& action, std::size_t tensor) {
        if (m_plan.isReadInPlace(action, tensor)) return partsNode(tensor);
        if (const auto at = m_tiles.find(tensor); at != m_tiles.end()) return at->second;
        return m_s.isInput(tensor) ? inputNode(tensor) : partsNode(tensor);
    }
    std::string addTile(std::size_t tensor, Place place, const std::string& detail) {
        kernelgen::Tile tile;
        tile.label = m_s.isInput(tensor) ? m_code.name(tensor) + " tile" : m_code.name(tensor);
        tile.detail = detail;
        tile.place = place;
        tile.tensor = m_s.isInput(tensor) ? m_s.problem.inputs[tensor].name : std::string();
        tile.type = m_s.isInput(tensor) ? std::string(tensor::name(m_s.problem.inputs[tensor].dtype)) : "float32";
        for (const int a : m_s.axesOf(tensor))
            tile.extents.push_back({axis(a).tileName(), axis(a).tile});
        return m_tiles[tensor] = m_levels.addTile(std::move(tile));
    }
    std::string addOperator(const Action& action, const std::string& label, const std::string& detail,
                            const std::string& formula) {
        const std::string id = fmt::format("l{}.op{}", m_isSecond ? 1 : 0, m_operators++);
        m_levels.launch().operators.push_back(
            {id, label, detail, action.phase == Phase::during ? m_loop : std::string(), formula});
        return id;
    }
    void count(double flops, double slotsEach = 3) {
        m_levels.counters().addInstructions(flops, flops, slotsEach * flops);
    }

    /// The operators that an action writes where they are read, from what lies in memory to the value; the last one's.
    std::string operators(const Action& action, std::size_t tensor, bool mayBeLeaf) {
        if (mayBeLeaf && (m_plan.isLeaf(tensor, action.phase) || m_made.contains({tensor, action.made}))) {
            if (const auto at = m_made.find({tensor, action.made}); at != m_made.end()) return at->second;
            if (m_s.isInput(tensor) && !m_tiles.contains(tensor))
                m_levels.counters().addTraffic(tilePoints(tensor) * times(action), elementBytes(tensor), false,
                                               distinct(tensor));
            return source(action, tensor);
        }
        const Step& step = m_s.step(tensor);
        std::vector<std::string> from{operators(action, step.a, true)};
        if (step.b != Step::none) from.push_back(operators(action, step.b, true));
        const bool isProduct = step.op == Operator::product;
        const std::string id = addOperator(action, m_code.words(tensor),
                                           !isProduct              ? "element by element"
                                           : m_s.usesTensorCores() ? "by tensor cores, sums in float32"
                                                                   : "by fused multiplications and additions",
                                           m_code.formula(tensor));
        for (const std::string& node : from)
            m_levels.addEdge(node, id);
        double work = tilePoints(tensor);
        if (isProduct || step.op == Operator::sum) work *= points(listed(step.parameter));
        work *= times(action);
        if (isProduct && m_s.usesTensorCores()) {
            const Pieces p = piecesOf(m_s, tensor);
            m_levels.counters().totals().flopsTensor += 2 * work;
            m_levels.counters().addInstructions(0, 0,
                                                lanesOfWarp * times(action) * double(p.all) *
                                                    std::ceil(double(p.terms) / 8) * (12 + 6 * double(p.wide)));
        } else if (isProduct) {
            m_levels.counters().addInstructions(2 * work, work, 1.9 * work);
        } else {
            count(work);
        }
        return m_made[{tensor, action.made}] = id;
    }
    /// -1: as many as are read.
    [[nodiscard]] double distinct(std::size_t input) {
        return double(
            algebra::pointCount(m_file.shown().at(std::size_t(std::stoul(inputNode(input).substr(1)))).extents));
    }

    void add(const Action& action) {
        switch (action.kind) {
        case Action::Kind::load: {
            const std::string node = inputNode(action.made);
            m_levels.addEdge(node, addTile(action.made, Place::shared,
                                           action.phase == Phase::during ? "loaded while the step before is computed"
                                                                         : "loaded once"));
            m_levels.counters().addTraffic(tilePoints(action.made) * times(action), elementBytes(action.made), false,
                                           distinct(action.made));
            return;
        }
        case Action::Kind::keep: {
            const std::string from = m_tiles.at(action.made);
            const std::string to = addTile(action.made, Place::shared, "from registers, for what follows");
            m_levels.addEdge(from, to);
            return;
        }
        case Action::Kind::gather: {
            const std::size_t from = m_s.step(action.made).a;
            const std::string id =
                addOperator(action, m_code.words(action.made), "in their order", m_code.formula(action.made));
            m_levels.addEdge(partsNode(from), id);
            m_levels.addEdge(id, addTile(action.made, Place::shared, "all parts together"));
            const double all = passedElements(from) * parts();
            m_levels.counters().addTraffic(all, 4, false);
            count(all);
            return;
        }
        case Action::Kind::pass:
        case Action::Kind::store: {
            const std::string from = operators(action, action.value, true);
            const bool isPass = action.kind == Action::Kind::pass;
            m_levels.addEdge(from, isPass ? partsNode(action.made) : m_file.tensorNode(m_file.full().outputs.front()));
            if (isPass)
                m_levels.counters().addTraffic(
                    passedElements(action.made) * (m_s.tiles[action.made].partial ? parts() : 1), 4, true);
            else
                m_levels.counters().addTraffic(
                    double(algebra::pointCount(m_file.shown().at(m_file.shown().outputs.front()).extents)),
                    double(tensor::byteSize(m_s.problem.output.dtype)), true);
            return;
        }
        default: break;
        }
        const std::size_t value = action.isAdded || m_plan.isLoading(action) ? action.value : action.made;
        std::string from = operators(action, value, action.isAdded ? m_s.isInput(value) : m_plan.isLoading(action));
        const bool inRegisters = m_plan.isInRegisters(action.made);
        if (action.isAdded) {
            const std::string id = addOperator(action, m_code.words(action.made), "in the order of the steps",
                                               m_code.formula(action.made));
            m_levels.addEdge(from, id);
            count(inRegisters ? 0 : tilePoints(action.made) * times(action));
            from = id;
        }
        m_levels.addEdge(from, addTile(action.made, inRegisters ? Place::registers : Place::shared,
                                       inRegisters ? "of all threads, over the steps of the loop" : "of the block"));
    }

    Code& m_code;
    const Subject& m_s;
    const Plan& m_plan;
    KernelFile& m_file;
    bool m_isSecond;
    std::set<std::size_t> m_none;
    FormulaLevels m_levels;
    double m_blocks = 1, m_steps = 1;
    std::string m_loop;
    std::size_t m_operators = 0;
    std::map<std::size_t, std::string> m_tiles;
    std::map<std::pair<std::size_t, std::size_t>, std::string> m_made; ///< operators, by what they are made for
};

} // namespace

void describeLaunches(Code& code) {
    LaunchLevels(code, false).run();
    if (code.plan().hasSecond()) LaunchLevels(code, true).run();
}

} // namespace kernelarium::kernelgen::graphs
