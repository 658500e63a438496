// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernelgen/sizes/Quantities.h"
#include "core/kernelgen/sizes/SizedGraphs.h"
#include "core/kernelgen/text/Wrapped.h"
#include "core/tensor/DType.h"

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace kernelarium::kernelgen {

/// Thrown where no text can be written, and turned into an Error "unsupported" by the emitters.
struct Refusal : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// What a kernel is given: a pointer to a tensor of the graph, or a whole number of the host function.
struct Parameter {
    std::string name;                  ///< in the kernel
    std::string type;                  ///< "const float* __restrict__", "Index"
    std::optional<std::size_t> tensor; ///< the tensor that it points to
    Quantity quantity;                 ///< without a tensor: the number
};

/// The text of one kernel while it is written. Pointers and numbers that depend on the size become its parameters when
/// they are first mentioned; scalar functions that the file has to define are remembered.
class KernelText {
public:
    KernelText(const Quantities& quantities, std::set<std::string>& functions)
        : m_quantities(&quantities)
        , m_functions(&functions) {}

    /// Adds a parameter that points to a tensor; the same tensor gives the same name.
    [[nodiscard]] std::string pointer(std::size_t tensor, tensor::DType dtype, const std::string& wanted, bool isOut);
    /// A number in the kernel: a constant in place, anything else a parameter, named as on the host if it has a name
    /// there, else `wanted`.
    [[nodiscard]] std::string number(const Values& values, const std::string& wanted);
    [[nodiscard]] const std::vector<Parameter>& parameters() const { return m_parameters; }
    [[nodiscard]] const Quantities& quantities() const { return *m_quantities; }

    /// "(o0 * H + o1 - 1) / 2" without the division, and what it is divided by ("" without).
    struct IndexText {
        std::string numerator, divisor;
        bool isAtom = false; ///< needs no parentheses as a factor
    };
    [[nodiscard]] IndexText index(const Each<algebra::Index>& index, std::span<const std::string> axes,
                                  const std::string& hint);
    /// The body at a point: `operands` and `axes` are what stands for reads and axes.
    [[nodiscard]] std::string expression(const Each<algebra::Expression>& e, std::span<const std::string> operands,
                                         std::span<const std::string> axes);
    /// A literal of every size: a constant, or what it is of the sizes; in parentheses unless it may be a factor.
    [[nodiscard]] std::string factor(const std::vector<double>& values);
    /// Identifiers that expressions divide by, from now on; and where one is given an inverse, its product stands
    /// instead.
    [[nodiscard]] const std::set<std::string>& divisors() const { return m_divisors; }
    void giveInverse(const std::string& divisor, const std::string& inverse) { m_inverses[divisor] = inverse; }
    /// A name for a variable that nothing in the kernel has yet.
    [[nodiscard]] std::string fresh(const std::string& wanted) { return taken(wanted); }
    void use(const std::string& function) { m_functions->insert(function); }

    void line(const std::string& text) {
        const bool isDirective = text.starts_with('#');
        m_lines += wrappedStatement(std::string(isDirective ? 0 : std::size_t(m_indent) * 4, ' ') + text) + "\n";
    }
    void open(const std::string& text) { line(text), ++m_indent; }
    void close(const std::string& text = "}") { --m_indent, line(text); }
    void indent(int by) { m_indent += by; }
    /// Columns before the next line.
    [[nodiscard]] std::size_t indented() const { return std::size_t(m_indent) * 4; }
    [[nodiscard]] const std::string& lines() const { return m_lines; }

private:
    struct Piece {
        std::string text;
        int level; ///< 3 atom, 2 product, 1 sum, 0 anything
    };
    [[nodiscard]] Piece piece(const Each<algebra::Expression>& e, std::span<const std::string> operands,
                              std::span<const std::string> axes);
    [[nodiscard]] Piece literal(const std::vector<double>& values);
    [[nodiscard]] std::string taken(const std::string& wanted);

    const Quantities* m_quantities;
    std::set<std::string>* m_functions;
    std::vector<Parameter> m_parameters;
    std::set<std::string> m_names, m_divisors;
    std::map<std::string, std::string> m_inverses;
    std::string m_lines;
    int m_indent = 1;
};

/// "1.5f", "INFINITY".
[[nodiscard]] std::string floatLiteral(double value);
/// "float", "int64_t", "bool", "at::Half"; Refusal for others.
[[nodiscard]] std::string typeName(tensor::DType dtype);
/// "torch::kFloat32".
[[nodiscard]] std::string scalarTypeName(tensor::DType dtype);

/// The text of the __device__ functions of these names, those that they need first.
[[nodiscard]] std::string deviceFunctions(const std::set<std::string>& names);

} // namespace kernelarium::kernelgen
