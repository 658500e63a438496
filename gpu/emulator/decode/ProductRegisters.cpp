// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/decode/ProductRegisters.h"

#include "gpu/emulator/code/CalledFunctions.h"
#include "gpu/emulator/decode/ProductFlow.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <tuple>

namespace kernelarium::emulator {

namespace {

using verify::Fault;
using Kind = ProductMistake::Kind;

constexpr std::size_t mostFaults = 8; ///< of a kernel

std::string placeOfLine(int line) {
    return line > 0 ? fmt::format("in line {}", line) : std::string("that no line of the file is known for");
}

std::string messageOf(const ProductMistake& m, int otherLine) {
    constexpr std::string_view waits =
        "before a wgmma.wait_group has waited for it. PTX leaves the outcome undefined; ptxas waits for the product "
        "there, and products that could go on at the same time follow one another. (A compiler may have moved the "
        "access there: an empty asm volatile behind the wait that has the registers as \"+f\" or \"+r\" holds it back.)";
    constexpr std::string_view uncommitted =
        "which is in no group that a wgmma.wait_group could wait for: there is no wgmma.commit_group since. PTX leaves "
        "the outcome undefined.";
    const std::string product =
        fmt::format("the product {}, {}", placeOfLine(otherLine), m.uncommitted ? uncommitted : waits);
    switch (m.kind) {
    case Kind::readsSum: return fmt::format("Reads accumulators of {}", product);
    case Kind::changesSum: return fmt::format("Changes accumulators of {}", product);
    case Kind::changesFactor: return fmt::format("Changes registers with the matrix A of {}", product);
    case Kind::unfencedSum:
        return fmt::format("No wgmma.fence stands between this product and the instruction {} that sets accumulators "
                           "of it. PTX leaves the outcome undefined; ptxas puts a fence there.",
                           placeOfLine(otherLine));
    case Kind::unfenced: break;
    }
    return "A product that no wgmma.fence stands before, which PTX asks for. It leaves the outcome undefined; ptxas "
           "puts a fence there.";
}

/// Of a function, one for each pair of lines.
std::vector<Fault> faultsIn(const ptx::Module& module, const ptx::Function& f) {
    const bool multiplies = std::any_of(f.instructions.begin(), f.instructions.end(),
                                        [](const ptx::Instruction& i) { return i.opcode == "wgmma"; });
    if (!multiplies) return {};
    std::vector<ProductMistake> mistakes;
    try {
        mistakes = ProductFlow(f).mistakes();
    } catch (const DecodeFailure&) {
        return {}; // said where the function is decoded
    }
    const auto lineOf = [&](std::int32_t at) {
        return at < 0 ? 0 : module.userLine(f.instructions[std::size_t(at)].location);
    };
    std::map<std::tuple<Kind, int, int>, std::size_t> known;
    std::vector<Fault> found;
    for (const ProductMistake& m : mistakes) {
        const int line = lineOf(m.at), other = lineOf(m.other);
        const auto [at, isNew] = known.try_emplace({m.kind, line, other}, found.size());
        if (!isNew) {
            ++found[at->second].count;
            continue;
        }
        Fault fault;
        const bool ofFence = m.kind == Kind::unfenced || m.kind == Kind::unfencedSum;
        fault.kind = ofFence ? "product_fence" : "product_registers";
        fault.message = messageOf(m, other);
        fault.line = line;
        if (m.kind != Kind::unfenced) fault.other = verify::FaultParty{{}, {}, other};
        found.push_back(std::move(fault));
    }
    return found;
}

} // namespace

std::vector<Fault> productRegisterFaults(const ptx::Module& module) {
    std::map<const ptx::Function*, std::vector<Fault>> all;
    for (const ptx::Function& f : module.functions)
        if (f.isDefined)
            if (std::vector<Fault> faults = faultsIn(module, f); !faults.empty()) all[&f] = std::move(faults);
    std::vector<Fault> found;
    if (all.empty()) return found;
    for (const ptx::Function& kernel : module.functions) {
        if (!kernel.isKernel || !kernel.isDefined) continue;
        std::size_t count = 0;
        for (const ptx::Function* f : calledFrom(module, kernel)) {
            const auto at = all.find(f);
            if (at == all.end()) continue;
            for (const Fault& fault : at->second) {
                if (count++ == mostFaults) break;
                found.push_back(fault);
                found.back().kernel = std::string(kernel.name);
            }
        }
    }
    return found;
}

} // namespace kernelarium::emulator
