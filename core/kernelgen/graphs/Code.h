// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernelgen/graphs/Plan.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace kernelarium::kernelgen::graphs {

/// What functions of a file have in common: names of tensors, places of elements, expressions.
class Code {
public:
    Code(KernelFile& file, const Subject& subject, const Plan& plan);

    [[nodiscard]] const std::string& name(std::size_t tensor) const { return m_names[tensor]; }
    [[nodiscard]] std::string lineName(std::size_t tensor) const { return name(tensor) + "Line"; }
    [[nodiscard]] std::string sizeName(std::size_t tensor) const { return name(tensor) + "Size"; }
    [[nodiscard]] std::string partsName(std::size_t tensor) const { return name(tensor) + "Parts"; }
    /// A tensor in words: "sum over K of x * x".
    [[nodiscard]] std::string words(std::size_t tensor) const;
    /// How it is written in the file's graph: "5 = sum over K of 4".
    [[nodiscard]] std::string formula(std::size_t tensor) const;

    /// "unsigned short" of 16-bit inputs, "float" of others: how a tile's elements are kept.
    [[nodiscard]] std::string tileType(std::size_t tensor) const;
    [[nodiscard]] std::string inputType(std::size_t tensor) const; ///< "at::Half"
    /// Variables of the indices of all axes within the tile.
    [[nodiscard]] std::vector<std::string> indices() const;
    [[nodiscard]] std::string tileIndex(std::size_t tensor, const std::vector<std::string>& indices) const;
    /// In the whole input or output.
    [[nodiscard]] std::string deviceIndex(const mugraph::Problem::Tensor& tensor,
                                          const std::vector<std::string>& indices) const;
    /// Among the elements that blocks leave of a tensor, of one part.
    [[nodiscard]] std::string passedIndex(std::size_t tensor, const std::vector<std::string>& indices) const;
    [[nodiscard]] std::string passedCount(std::size_t tensor, bool onHost) const; ///< elements of one part
    /// "m < at.countM && k < at.countK": that a point of these axes is there.
    [[nodiscard]] std::string isInside(const std::vector<int>& axes, const std::vector<std::string>& indices) const;
    [[nodiscard]] std::string elements(const std::vector<int>& axes) const; ///< "tileM * tileK"
    /// Declares the indices of these axes from the number of a point: "const int m = e / tileK;", ...
    [[nodiscard]] std::string declared(const std::vector<int>& axes, const std::string& number,
                                       const std::string& indent) const;

    /// Statements that compute a tensor's value at a point, and the name of the value; `known` are values in registers
    /// already. Not `mayBeLeaf`: the tensor has a tile, which is made of this value;
    /// `isLoading`: it is read where the first launch has left it.
    struct Value {
        std::string statements, name;
    };
    [[nodiscard]] Value value(std::size_t tensor, Phase reader, const std::vector<std::string>& indices,
                              const std::map<std::size_t, std::string>& known, const std::string& indent,
                              bool mayBeLeaf = true, bool isLoading = false) const;

    /// Parameters of an action's function and what it is called with: pointers to what it reads and writes.
    struct Parameter {
        std::string declaration, argument;
    };
    [[nodiscard]] std::vector<Parameter> reads(const Action& action, bool isSecond) const;
    /// A tile of the block, in the struct of its tiles.
    [[nodiscard]] std::string tilePlace(std::size_t tensor, bool isSecond, const std::string& stage = "stage") const;

    [[nodiscard]] const Subject& subject() const { return m_s; }
    [[nodiscard]] const Plan& plan() const { return m_plan; }
    [[nodiscard]] KernelFile& file() const { return m_file; }
    [[nodiscard]] std::string constant(std::size_t number) const { return m_constants[number].text; }
    /// Constants that depend on the size: members of Sizes, by name, with what they are on the host.
    [[nodiscard]] const std::vector<std::pair<std::string, std::string>>& sizedConstants() const { return m_sized; }

    void setConstants(const std::vector<std::vector<double>>& bySize);

private:
    void nameTensors();
    [[nodiscard]] std::string applied(const mugraph::Step& step, const std::string& a, const std::string& b) const;
    void write(std::size_t tensor, Phase reader, const std::vector<std::string>& indices,
               std::map<std::size_t, std::string>& known, const std::string& indent, std::string& statements,
               std::size_t loading) const;
    static constexpr std::size_t none = std::size_t(-1);

    KernelFile& m_file;
    const Subject& m_s;
    const Plan& m_plan;
    std::vector<std::string> m_names;
    struct Constant {
        std::string text;
    };
    std::vector<Constant> m_constants;
    std::vector<std::pair<std::string, std::string>> m_sized;
};

} // namespace kernelarium::kernelgen::graphs
