// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which registers products of warpgroups (wgmma) may still read or write at each instruction of a function, on some way
// to it: a data flow over its basic blocks, of the registers that products name and of those that these are copied to
// and from.
#pragma once

#include "gpu/emulator/decode/Flow.h"
#include "gpu/ptx/Module.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace kernelarium::emulator {

/// An access that PTX leaves undefined. Instructions of the function, by index.
struct ProductMistake {
    enum class Kind : std::uint8_t { readsSum, changesSum, changesFactor, unfencedSum, unfenced };
    Kind kind = Kind::readsSum;
    std::int32_t at = 0;      ///< the access; of unfencedSum and unfenced the product
    std::int32_t other = -1;  ///< the product; of unfencedSum what set its accumulators; of unfenced none
    bool uncommitted = false; ///< no wgmma.commit_group came after the product
};

class ProductFlow {
public:
    explicit ProductFlow(const ptx::Function& function);
    [[nodiscard]] std::vector<ProductMistake> mistakes();

private:
    /// The product that a register belongs to, and how many groups its warp has committed since.
    struct Flight {
        std::int32_t product = -1;
        std::uint8_t age = 0;
        [[nodiscard]] bool isOver() const { return product < 0; }
        bool join(const Flight& o);
    };
    struct State {
        bool isReached = false;
        bool isUnfenced = false; ///< a way from the beginning has no fence
        std::vector<Flight> sums, factors;
        std::vector<std::int32_t> touched; ///< what set a register since the last fence; -1: nothing
        bool join(const State& o);
    };
    using Report = std::function<void(const ProductMistake& mistake)>;

    void follow(const ptx::Instruction& i);
    [[nodiscard]] int placeOf(const ptx::Operand& o) const;
    void step(State& s, std::int32_t at, const Report& report) const;
    void stepProduct(State& s, std::int32_t at, const Report& report) const;
    void stepCopy(State& s, const ptx::Instruction& i) const;
    void stepOther(State& s, std::int32_t at, const Report& report) const;

    const ptx::Function& m_function;
    Flow m_flow;
    std::vector<int> m_places; ///< of each register among those that are followed; -1: it is not
    std::size_t m_count = 0;
};

} // namespace kernelarium::emulator
