// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/counters/JoinedAccesses.h"

#include "gpu/emulator/counters/RegisterUse.h"
#include "gpu/emulator/decode/Flow.h"

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <string_view>
#include <utility>

namespace kernelarium::emulator {

namespace {

using ptx::Instruction;
using ptx::Operand;
using ptx::OperandKind;

constexpr int allZero = 63;    ///< low bits of 0, or of what is not known yet
constexpr int placedZeros = 4; ///< of a shared variable's address: ptxas places it at a multiple of 16
constexpr unsigned widestAccess = 16;

/// How many low bits of each register are zero wherever it is set.
class LowZeros {
public:
    explicit LowZeros(const ptx::Function& function)
        : m_zeros(function.registers.size(), allZero) {
        // Falls monotonically; nearly all registers are set once, before they are read.
        for (bool changed = true; changed;) {
            changed = false;
            for (const Instruction& i : function.instructions) {
                const int zeros = of(i);
                eachWrittenRegister(i, [&](int reg) {
                    int& known = m_zeros[std::size_t(reg)];
                    if (zeros >= known) return;
                    known = zeros;
                    changed = true;
                });
            }
        }
    }

    [[nodiscard]] int of(int reg) const { return m_zeros[std::size_t(reg)]; }

private:
    [[nodiscard]] int of(const Operand& o) const {
        switch (o.kind) {
        case OperandKind::reg: return of(o.reg);
        case OperandKind::integer: return o.bits ? std::min(allZero, std::countr_zero(o.bits)) : allZero;
        case OperandKind::symbol:
            return o.offset ? std::min(placedZeros, std::countr_zero(std::uint64_t(o.offset))) : placedZeros;
        default: return 0;
        }
    }

    [[nodiscard]] int of(const Instruction& i) const {
        const std::string_view op = i.opcode;
        const std::size_t n = i.operands.size();
        const auto arg = [&](std::size_t k) { return k < n ? of(i.operands[k]) : 0; };
        if (i.has("hi") || n < 2) return 0;
        if (op == "mov" || op == "cvta" || op == "cvt") return arg(1);
        if (op == "add" || op == "sub" || op == "or" || op == "xor" || op == "min" || op == "max" || op == "selp")
            return std::min(arg(1), arg(2));
        if (op == "and") return std::max(arg(1), arg(2));
        if (op == "mul") return std::min(allZero, arg(1) + arg(2));
        if (op == "mad") return std::min(std::min(allZero, arg(1) + arg(2)), arg(3));
        if (n > 2 && i.operands[2].kind == OperandKind::integer) {
            const int by = int(std::min<std::uint64_t>(i.operands[2].bits, allZero));
            if (op == "shl") return std::min(allZero, arg(1) + by);
            if (op == "shr") return arg(1) == allZero ? allZero : std::max(0, arg(1) - by);
        }
        return op == "shl" ? arg(1) : 0;
    }

    std::vector<int> m_zeros;
};

bool mayBeJoined(const Instruction& i) {
    static constexpr std::array<std::string_view, 6> ordered{"volatile", "relaxed",         "acquire",
                                                             "release",  "shared::cluster", "mmio"};
    return i.predicate < 0 && std::none_of(ordered.begin(), ordered.end(), [&](auto m) { return i.has(m); });
}

unsigned accessBytes(const Instruction& i) {
    unsigned bytes = 0;
    for (const std::string_view m : i.modifiers)
        if (const auto type = ptx::parseType(m)) bytes = ptx::byteSize(*type);
    return bytes * (i.has("v4") ? 4 : i.has("v2") ? 2 : 1);
}

struct WrittenAccess {
    std::size_t instruction = 0;
    std::int64_t offset = 0;
    unsigned bytes = 0;
};

/// Accesses of one kind in the block so far, by what their address begins with.
using OpenAccesses = std::map<std::pair<int, std::string_view>, std::vector<WrittenAccess>>;

class Joiner {
public:
    explicit Joiner(const ptx::Function& function)
        : m_function(function)
        , m_zeros(function)
        , m_joined(function.instructions.size()) {}

    std::vector<JoinedAccess> run() {
        const Flow flow = analyseFlow(m_function);
        for (const Flow::Block& block : flow.blocks) {
            for (std::uint32_t k = 0; k < block.count; ++k)
                look(block.first + k);
            closeAll();
        }
        return std::move(m_joined);
    }

private:
    void look(std::size_t index) {
        const Instruction& i = m_function.instructions[index];
        const bool load = i.opcode == "ld", store = i.opcode == "st";
        const bool shared = i.has("shared") || i.has("shared::cta");
        const bool elsewhere = i.has("global") || i.has("local") || i.has("param") || i.has("const");
        if ((load || store) && shared && mayBeJoined(i)) {
            const Operand& at = i.operands[load ? 1 : 0];
            const std::pair<int, std::string_view> base{at.reg, at.reg < 0 ? at.name : std::string_view()};
            if (load)
                close(m_stores);
            else
                closeLoadsAndOtherStores(base);
            (load ? m_loads : m_stores)[base].push_back({index, at.offset, accessBytes(i)});
        } else if (((load || store) && !elsewhere) || isOrdering(i)) {
            closeAll();
        }
        eachWrittenRegister(i, [&](int reg) {
            closeOf(m_loads, reg);
            closeOf(m_stores, reg);
        });
    }

    static bool isOrdering(const Instruction& i) {
        static constexpr std::array<std::string_view, 9> names{"bar", "barrier", "membar",   "fence",   "atom",
                                                               "red", "call",    "mbarrier", "stmatrix"};
        return std::find(names.begin(), names.end(), i.opcode) != names.end() || i.opcode == "cp" ||
               i.opcode == "wmma" || i.opcode == "ldmatrix";
    }

    void closeLoadsAndOtherStores(const std::pair<int, std::string_view>& base) {
        close(m_loads);
        if (!m_stores.empty() && !m_stores.contains(base)) close(m_stores);
    }

    void closeOf(OpenAccesses& open, int reg) {
        const auto found = open.find({reg, {}});
        if (found == open.end()) return;
        join(found->first.first, found->second, &open == &m_stores);
        open.erase(found);
    }

    void close(OpenAccesses& open) {
        for (auto& [base, accesses] : open)
            join(base.first, accesses, &open == &m_stores);
        open.clear();
    }

    void closeAll() {
        close(m_loads);
        close(m_stores);
    }

    void join(int reg, std::vector<WrittenAccess>& accesses, bool stores) {
        const int zeros = reg < 0 ? placedZeros : m_zeros.of(reg);
        std::stable_sort(accesses.begin(), accesses.end(),
                         [](const WrittenAccess& a, const WrittenAccess& b) { return a.offset < b.offset; });
        for (std::size_t first = 0; first < accesses.size();) {
            std::size_t taken = 0;
            for (unsigned width = widestAccess; width >= 4 && !taken; width /= 2)
                if (zeros >= std::countr_zero(width)) taken = fitting(accesses, first, width, stores);
            first += std::max<std::size_t>(taken, 1);
        }
    }

    /// Joins what begins at `first` and fills a place of that width, or of loads three quarters of it. How many.
    std::size_t fitting(const std::vector<WrittenAccess>& accesses, std::size_t first, unsigned width, bool stores) {
        const std::int64_t begin = accesses[first].offset;
        if (begin % width != 0 || accesses[first].bytes >= width) return 0;
        std::int64_t end = begin;
        std::size_t last = first;
        while (last < accesses.size() && accesses[last].offset == end && end + accesses[last].bytes <= begin + width)
            end += accesses[last++].bytes;
        const std::int64_t filled = end - begin;
        if (last - first < 2 || filled < (stores ? width : width * 3 / 4)) return 0;
        const auto leader = std::min_element(
            accesses.begin() + std::ptrdiff_t(first), accesses.begin() + std::ptrdiff_t(last),
            [](const WrittenAccess& a, const WrittenAccess& b) { return a.instruction < b.instruction; });
        for (std::size_t k = first; k < last; ++k)
            m_joined[accesses[k].instruction].isFollower = true;
        m_joined[leader->instruction] = {std::uint8_t(width), std::int8_t(begin - leader->offset), false};
        return last - first;
    }

    const ptx::Function& m_function;
    LowZeros m_zeros;
    std::vector<JoinedAccess> m_joined;
    OpenAccesses m_loads, m_stores;
};

} // namespace

std::vector<JoinedAccess> joinedAccesses(const ptx::Function& function) {
    return Joiner(function).run();
}

} // namespace kernelarium::emulator
