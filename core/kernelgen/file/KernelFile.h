// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernelgen/file/Arguments.h"
#include "core/kernelgen/levels/HostNumbers.h"
#include "core/kernelgen/levels/Levels.h"
#include "core/kernelgen/sizes/SizedGraphs.h"
#include "core/kernelgen/text/KernelText.h"
#include "core/kernelgen/text/Wrapped.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace kernelarium::kernelgen {

/// A kernel file in the archive's form while it is made: header, device functions, kernels, forward, module. Extents
/// are read from the tensors that forward is given; numbers that the card fixes are constants.
class KernelFile {
public:
    /// Refusal where a size cannot be told from the arguments.
    KernelFile(const task::Card& card, const SizedGraphs& graphs);

    [[nodiscard]] const task::Card& card() const { return m_card; }
    [[nodiscard]] const SizedGraphs& graphs() const { return m_graphs; }
    [[nodiscard]] const algebra::Graph& full() const { return m_graphs.graphs[m_graphs.full]; }
    /// At the size that the levels are for.
    [[nodiscard]] const algebra::Graph& shown() const { return m_graphs.graphs[m_graphs.shown]; }
    [[nodiscard]] const Quantities& quantities() const { return m_quantities; }

    [[nodiscard]] KernelText kernel() const { return KernelText(m_quantities, m_functions); }
    /// A part of the graph, at every size.
    [[nodiscard]] Each<algebra::Tensor> tensor(std::size_t id) const;

    /// The shape of a tensor as a list for torch::empty: "{B, 16, conv2d_2}".
    [[nodiscard]] std::string shape(const Each<algebra::Tensor>& tensor);
    /// A number on the host. Refusal where it is not known.
    [[nodiscard]] std::string number(const Values& values) const;
    /// The variable of a tensor of the graph; declared by declare(), inputs from the beginning.
    [[nodiscard]] const std::string& variable(std::size_t id) const { return m_variables.at(id); }
    [[nodiscard]] std::string pointer(std::size_t id) const;
    /// Allocates the tensor, under its own name.
    void declare(std::size_t id);
    [[nodiscard]] std::string takeName(const std::string& wanted) { return m_names.take(wanted); }
    /// Extents of these tensors (a recurrence's body, say) get names on the host where they are expressions.
    void nameExtents(const Each<algebra::Graph>& graph);

    /// Adds a kernel, or finds one whose text differs in names alone. `comment` is put above it, `templated` before
    /// "__global__". Its name.
    std::string addKernel(const std::string& wanted, const std::string& comment, const KernelText& text,
                          const std::string& lastParameters, const std::string& qualifier = "",
                          const std::string& templated = "");
    /// "    name<<<grid, threads>>>(...);", its pointers as `pointers` says; `shared`: bytes of shared memory that the
    /// launch asks for.
    void launch(const std::string& kernel, const std::string& grid, const KernelText& text,
                const std::map<std::size_t, std::string>& pointers, const std::vector<std::string>& lastArguments,
                const std::string& threads = "threads", const std::string& shared = "");
    /// One of a template's two instances: with loads of four elements where the host's number `unit` is a multiple of
    /// four, else with single ones. The levels have the one that is launched at the shown size.
    void launchByWidth(const std::string& kernel, const std::string& unit, const std::string& grid,
                       const KernelText& text, const std::vector<std::string>& lastArguments,
                       const std::string& threads);
    /// One of two kernels, or of a template's instances, by a condition on the host; `isSo`: it holds at the shown
    /// size.
    void launchEither(const std::string& condition, bool isSo, const std::string& kernel, const std::string& otherwise,
                      const std::string& grid, const KernelText& text, const std::vector<std::string>& lastArguments,
                      const std::string& threads, const std::string& shared = "");
    /// Before a launch that asks for so many bytes of shared memory: more than a block has without asking.
    void allowShared(const std::string& kernel, const std::string& bytes);
    /// A number of the host function at the shown size; 0 where it is not known.
    [[nodiscard]] std::int64_t shownValue(const std::string& number) const { return m_numbers.of(number).value_or(0); }
    /// What launch() has launched so far, and in which tensors of device memory things lie: whoever launches adds what
    /// happens inside.
    [[nodiscard]] Levels& levels() { return m_levels; }
    [[nodiscard]] Levels finishedLevels() {
        m_levels.size = m_graphs.shownName;
        return std::move(m_levels);
    }
    /// An extent of the shown graph as the file writes it.
    [[nodiscard]] Amount amount(const Values& values) const;
    /// The node of a tensor in device memory; made when it is asked for first.
    std::string tensorNode(std::size_t id);
    /// How often what is launched from now on is, in a loop of the host function; once: {"1", 1}.
    void setTimes(Amount times) { m_times = std::move(times); }
    void hostLine(const std::string& text) {
        m_numbers.declare(text);
        m_host += wrappedStatement(std::string(std::size_t(m_indent) * 4, ' ') + text) + "\n";
    }
    void indent(int by) { m_indent += by; }
    /// Before the kernels, after the scalar functions; once.
    void helper(const std::string& text) {
        if (m_helpers.find(text) != std::string::npos) return;
        declareLines(text);
        m_helpers += text;
    }
    void constant(const std::string& lines) {
        declareLines(lines);
        m_constants += lines + "\n";
    }
    void use(const std::string& function) { m_functions.insert(function); }

    /// The finished text.
    [[nodiscard]] std::string finish(const std::string& name, const std::string& idea,
                                     const std::vector<std::string>& rewrites);

private:
    void findSymbols();
    /// Numbers that a text of several lines has outside of functions.
    void declareLines(std::string_view text);
    [[nodiscard]] std::string scalarChecks() const;
    [[nodiscard]] std::string prologue(const std::string& body) const;
    [[nodiscard]] std::string returned() const;
    [[nodiscard]] std::string usedConstants() const; ///< those lines whose name something mentions

    const task::Card& m_card;
    const SizedGraphs& m_graphs;
    Names m_names;
    Arguments m_arguments;
    Quantities m_quantities;
    mutable std::set<std::string> m_functions;
    std::map<std::size_t, std::string> m_variables;
    std::vector<std::pair<std::string, std::string>>
        m_sizes; ///< names of the host function's numbers, and what they are
    std::map<std::string, std::string> m_kernelsByText;
    Names m_kernelNames;
    std::string m_kernels, m_helpers, m_constants, m_host;
    HostNumbers m_numbers; ///< at the shown size
    Levels m_levels;
    Amount m_times{"1", 1};
    std::vector<std::vector<Values>> m_cardShapes; ///< of the card's tensors: axes, each at every size
    bool m_isLaunched = true;                      ///< at the shown size; else the text is written and nothing more
    int m_indent = 1;
    bool m_wide = false; ///< a tensor has more than 2^31 elements at full size
};

} // namespace kernelarium::kernelgen
