// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernelgen/graphs/GraphEmitter.h"

#include "core/algebra/lowering/Lowering.h"
#include "core/kernelgen/graphs/GraphLevels.h"
#include "core/kernelgen/graphs/Kernels.h"
#include "core/kernelgen/graphs/Sizing.h"
#include "core/kernelgen/text/Names.h"
#include "core/mugraph/target/ProblemOf.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

namespace kernelarium::kernelgen::graphs {

using mugraph::Problem;

namespace {

/// The sizes at which the card's problem has the axes that it has at the largest; what else is true there is of no use.
struct Problems {
    SizedGraphs graphs;
    std::vector<std::vector<double>> constants; ///< at each size
    Problem problem;                            ///< at the shown size
};

Result<Problems> problemsOf(const task::Card& card, const std::string& size) {
    Result<SizedGraphs> all = graphsOf(card, {}, size);
    if (!all) return all.error();
    const Result<Problem> full = mugraph::problemOf(card, all->sizes[all->full]);
    if (!full) return full.error();
    Problems out{*all, {}, *full};
    out.graphs.sizes.clear(), out.graphs.graphs.clear();
    std::size_t shown = all->full;
    for (std::size_t i = 0; i < all->sizes.size(); ++i) {
        const Result<Problem> there = mugraph::problemOf(card, all->sizes[i]);
        if (!there || there->axesOf != full->axesOf || there->constants.size() != full->constants.size()) continue;
        if (i == all->full) out.graphs.full = out.graphs.sizes.size();
        if (i == all->shown) shown = i, out.graphs.shown = out.graphs.sizes.size(), out.problem = *there;
        out.graphs.sizes.push_back(all->sizes[i]);
        out.graphs.graphs.push_back(all->graphs[i]);
        out.constants.push_back(there->constants);
    }
    if (shown != all->shown) out.graphs.shown = out.graphs.full;
    return out;
}

/// Where an axis is met first: an input and its dimension.
std::pair<std::size_t, std::size_t> placeOf(const Problem& p, int axis) {
    for (std::size_t k = 0; k < p.inputs.size(); ++k)
        for (std::size_t d = 0; d < p.inputs[k].axes.size(); ++d)
            if (p.inputs[k].axes[d] == axis) return {k, d};
    throw Refusal(fmt::format("an axis that no input has ({})", p.axisNames[std::size_t(axis)]));
}

std::int64_t extentIn(const algebra::Graph& graph, const std::string& input, std::size_t dimension) {
    for (const algebra::Tensor& t : graph.tensors)
        if (t.input() && t.name == input) return t.extents[dimension];
    throw Refusal(fmt::format("no input {} at every size", input));
}

std::vector<Axis> axesOf(const KernelFile& file, const Problem& p, const mugraph::Roles& roles) {
    Names names, indices;
    for (const char* word :
         {"at", "size", "e",     "lane",  "warp", "from", "to",     "sum",  "value", "inside", "whole",
          "i",  "v",    "count", "parts", "p",    "row",  "column", "term", "batch", "each",   "bits"})
        (void)indices.take(word);
    std::vector<Axis> axes;
    for (std::size_t k = 0; k < p.extents.size(); ++k) {
        const auto [input, dimension] = placeOf(p, int(k));
        Axis axis;
        for (const algebra::Graph& g : file.graphs().graphs)
            axis.extents.push_back(extentIn(g, p.inputs[input].name, dimension));
        const auto q = file.quantities().of(axis.extents);
        std::string wanted = q && q->isName ? q->text : identifier(p.axisNames[k]);
        wanted[0] = char(std::toupper(static_cast<unsigned char>(wanted[0])));
        axis.name = names.take(wanted);
        std::string index = axis.name;
        index[0] = char(std::tolower(static_cast<unsigned char>(index[0])));
        axis.index = indices.take(identifier(index));
        axis.kind = kindOf(p, roles, int(k));
        axes.push_back(std::move(axis));
    }
    return axes;
}

/// Of each axis the largest extent among the card's sizes.
std::vector<std::int64_t> mostOf(const task::Card& card, const Problem& p) {
    std::vector<std::int64_t> most = p.extents;
    for (const auto& [name, symbols] : card.sizes) {
        const auto graph = algebra::lower(card, symbols);
        if (!graph) continue;
        for (std::size_t k = 0; k < most.size(); ++k) {
            const auto [input, dimension] = placeOf(p, int(k));
            most[k] = std::max(most[k], extentIn(*graph, p.inputs[input].name, dimension));
        }
    }
    return most;
}

std::string graphComment(const Code& code) {
    const Subject& s = code.subject();
    const auto axis = [&](int a) { return a < 0 ? std::string("nothing") : s.axes[std::size_t(a)].name; };
    std::string text =
        fmt::format("// Graph:   {}\n//          loop over {}, split over {}; all within a block:\n",
                    mugraph::hashOf(s.problem, s.graph), axis(s.graph.roles.loop), axis(s.graph.roles.split));
    for (std::size_t i = s.inputs(); i < s.tiles.size(); ++i)
        text += fmt::format("//            {}\n", code.formula(i));
    return text;
}

std::string ideaOf(const Subject& s, const Plan& plan) {
    std::string idea =
        "A graph of operators on tiles that an enumerating search found. Each block loads its tiles into "
        "shared memory";
    if (s.hasLoop())
        idea += fmt::format(", walks along {} step by step, the next step's tiles on their way",
                            s.axes[std::size_t(s.graph.roles.loop)].name);
    idea += ", and stores nothing in between.";
    if (plan.hasSecond())
        idea += fmt::format(" Blocks share out {}; a second launch puts their parts together in their order.",
                            s.axes[std::size_t(s.graph.roles.split)].name);
    const auto takesExp = [](const mugraph::Step& step) { return step.op == mugraph::Operator::exp; };
    if (std::any_of(s.graph.steps.begin(), s.graph.steps.end(), takesExp) && s.problem.closure.divide)
        idea +=
            " Exponentials are taken as they are, without a row's maximum: in float32 they hold arguments up to 88, "
            "and beyond that the result is not finite.";
    return idea;
}

void checkTypes(const Problem& p) {
    std::vector<tensor::DType> types{p.output.dtype};
    for (const Problem::Tensor& t : p.inputs)
        types.push_back(t.dtype);
    for (const tensor::DType type : types)
        if (type != tensor::DType::Float32 && type != tensor::DType::Float16 && type != tensor::DType::BFloat16)
            throw Refusal(fmt::format("elements of type {}", tensor::name(type)));
}

Result<Emitted> emitted(const task::Card& card, const Problems& problems, const mugraph::MuGraph& graph,
                        const perf::DeviceSpec& device) {
    const Problem& p = problems.problem;
    checkTypes(p);
    KernelFile file(card, problems.graphs);
    Subject subject{p, graph, *mugraph::tilesOf(p, graph), axesOf(file, p, graph.roles), {}};
    subject.sizes.tile.assign(p.extents.size(), 1);
    const std::optional<Sizes> sizes = sizesFor(subject, device, mostOf(card, p));
    if (!sizes) throw Refusal("tiles that do not fit into a block's shared memory and registers");
    subject.sizes = *sizes;
    for (std::size_t k = 0; k < subject.axes.size(); ++k)
        subject.axes[k].tile = sizes->tile[k];
    const Plan plan(subject);
    Code code(file, subject, plan);
    code.setConstants(problems.constants);
    writeKernels(code);
    describeLaunches(code);
    std::string text = file.finish("graph", ideaOf(subject, plan), {});
    text.insert(text.find("#include <torch/extension.h>"), graphComment(code) + "\n");
    std::string why =
        fmt::format("a found graph of {} operators{}{}", subject.tiles.size(),
                    subject.hasLoop() ? ", loop over " + subject.axes[std::size_t(graph.roles.loop)].name : "",
                    plan.hasSecond() ? ", parts of " + subject.axes[std::size_t(graph.roles.split)].name : "");
    return Emitted{std::move(text), "graph", std::move(why), file.finishedLevels()};
}

} // namespace

Result<Emitted> emitGraph(const task::Card& card, const mugraph::MuGraph& graph, const std::string& size,
                          const perf::DeviceSpec& device) {
    const Result<Problems> problems = problemsOf(card, size);
    if (!problems) return problems.error();
    if (Result<void> sound = mugraph::checkGraph(problems->problem, graph); !sound) return sound.error();
    try {
        return emitted(card, *problems, graph, device);
    } catch (const Refusal& r) {
        return Error{"unsupported", fmt::format("No kernel file can be written for this graph of {}: it has {}.",
                                                card.key(), r.what())};
    }
}

} // namespace kernelarium::kernelgen::graphs
