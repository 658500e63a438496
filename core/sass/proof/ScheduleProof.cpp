// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sass/proof/ScheduleProof.h"

#include "core/sass/instruction/Decoder.h"
#include "core/sass/instruction/InstructionText.h"
#include "core/sass/proof/Ordering.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <tuple>

namespace kernelarium::sass {

namespace {

std::string at(const Instruction& i) {
    return fmt::format("{} (was at {:#06x})", text(i), i.place);
}

/// The word without what a schedule may change: stall, yield, reuse. Scoreboards stay in.
Word identityOf(Word word) {
    Control control = controlOf(word);
    control.stall = 0;
    control.yields = false;
    control.reuse = 0;
    return withControl(word, control);
}

std::string cyclesText(int cycles) {
    return fmt::format("{} cycle{}", cycles, cycles == 1 ? "" : "s");
}

std::pair<std::uint64_t, std::uint64_t> keyOf(const Word& word) {
    return {word.high, word.low};
}

/// One kernel's proof. Each step leaves a refusal and says no, or says yes.
class CodeProof {
public:
    CodeProof(const std::vector<Word>& original, const std::vector<Word>& variant, const std::set<std::int64_t>& listed,
              int computeCapability, const DistanceTable& table)
        : m_words(variant)
        , m_code(decodeAll(original, computeCapability))
        , m_computeCapability(computeCapability)
        , m_table(table) {
        for (Instruction& one : m_code)
            if (one.fence == Fence::none && listed.count(one.place)) one.fence = Fence::listed;
        m_blocks = blocksOf(m_code);
    }

    ScheduleProof run() {
        m_proof.counts.kernels = 1;
        m_proof.counts.instructions = int(m_code.size());
        if (m_words.size() != m_code.size())
            refuse(ProofRule::sameInstructions, -1, "The code has another length.");
        else if (isFollowed() && matchInstructions() && keepOrder() && keepPlaces() && keepReuse())
            keepTimes();
        return std::move(m_proof);
    }

private:
    bool refuse(ProofRule rule, std::int64_t place, std::string text) {
        m_proof.refusal = Refusal{rule, {}, place, std::move(text)};
        return false;
    }

    /// What the walk does not see all of is not judged: an instruction that is not known (it may be a branch), a branch
    /// or a call through a register, code that nothing leads to, and asynchronous work, of whose registers and guards
    /// too little is certain.
    bool isFollowed() {
        std::vector<bool> isReached(m_blocks.size(), false);
        std::vector<int> work{0};
        while (!work.empty() && !m_blocks.empty()) {
            const auto b = std::size_t(work.back());
            work.pop_back();
            if (isReached[b]) continue;
            isReached[b] = true;
            work.insert(work.end(), m_blocks[b].successors.begin(), m_blocks[b].successors.end());
        }
        for (std::size_t b = 0; b < m_blocks.size(); ++b)
            for (int k = m_blocks[b].first; k <= m_blocks[b].last; ++k) {
                const Instruction& one = m_code[std::size_t(k)];
                const bool isChanged = !(m_words[std::size_t(k)] == one.word);
                const char* why = nullptr;
                if (!one.isKnown())
                    why = "is not known";
                else if (one.mnemonic == "BRX" || (one.mnemonic.starts_with("CALL") && !one.target))
                    why = "goes on where a register says";
                else if (one.fence == Fence::asynchronous)
                    why = "works asynchronously: which registers it reads, and when, is not certain enough";
                else if (isChanged && !isReached[b])
                    why = "stands in code that nothing leads to";
                if (why) return refuse(ProofRule::followed, one.place, fmt::format("{} {}.", at(one), why));
            }
        return true;
    }

    /// Which instruction of the original stands in each place. Equal ones are taken in their order.
    bool matchInstructions() {
        m_schedule.resize(m_code.size());
        for (const Block& block : m_blocks) {
            std::map<std::pair<std::uint64_t, std::uint64_t>, std::vector<int>> pool;
            for (int k = block.last; k >= block.first; --k)
                pool[keyOf(identityOf(m_code[std::size_t(k)].word))].push_back(k);
            for (int k = block.first; k <= block.last; ++k) {
                const Word& word = m_words[std::size_t(k)];
                auto found = pool.find(keyOf(identityOf(word)));
                if (found == pool.end() || found->second.empty()) return refuseForeign(block, k);
                m_schedule[std::size_t(k)] = {found->second.back(), controlOf(word)};
                found->second.pop_back();
                m_proof.counts.moved += m_schedule[std::size_t(k)].id != k;
            }
        }
        return true;
    }

    /// An instruction that its block did not hold: with other scoreboards, or another one altogether.
    bool refuseForeign(const Block& block, int k) {
        const Word& word = m_words[std::size_t(k)];
        const std::int64_t place = std::int64_t(k) * std::int64_t(instructionBytes);
        for (int i = block.first; i <= block.last; ++i)
            if (withoutControl(m_code[std::size_t(i)].word) == withoutControl(word))
                return refuse(ProofRule::scoreboards, place,
                              fmt::format("{} had {}, and has {}: its scoreboards are not what they were.",
                                          at(m_code[std::size_t(i)]), text(m_code[std::size_t(i)].control),
                                          text(controlOf(word))));
        return refuse(ProofRule::sameInstructions, place,
                      fmt::format("{} is not among the instructions of its block, {:#06x} to {:#06x}.",
                                  text(decode(word, place, m_computeCapability)),
                                  m_code[std::size_t(block.first)].place, m_code[std::size_t(block.last)].place));
    }

    bool keepOrder() {
        for (const Block& block : m_blocks)
            for (int k = block.first; k <= block.last; ++k)
                for (int before = block.first; before < k; ++before) {
                    const int first = m_schedule[std::size_t(k)].id, second = m_schedule[std::size_t(before)].id;
                    if (first > second) continue; // still in their order
                    const Instruction &a = m_code[std::size_t(first)], &b = m_code[std::size_t(second)];
                    const OrderRule rule = orderOf(a, b);
                    if (rule != OrderRule::none)
                        return refuse(
                            ProofRule::order, std::int64_t(before) * std::int64_t(instructionBytes),
                            fmt::format("{} stands before {}: {}{}.", at(b), at(a),
                                        rule == OrderRule::fence && b.fence == Fence::none ? "of the latter, " : "",
                                        orderText(rule, a, b)));
                }
        return true;
    }

    static std::string orderText(OrderRule rule, const Instruction& a, const Instruction& b) {
        RegisterSet common;
        if (rule == OrderRule::readAfterWrite) common = a.writes & b.reads;
        if (rule == OrderRule::writeAfterWrite) common = a.writes & b.writes;
        if (rule == OrderRule::writeAfterRead) common = a.reads & b.writes;
        std::string out(name(rule));
        if (rule == OrderRule::fence) out += fmt::format(" ({})", name(b.fence != Fence::none ? b.fence : a.fence));
        return common.isEmpty() ? out : out + ", " + text(common);
    }

    bool keepPlaces() {
        for (std::size_t k = 0; k < m_schedule.size(); ++k) {
            const Slot& slot = m_schedule[k];
            const Instruction& i = m_code[std::size_t(slot.id)];
            const auto place = std::int64_t(k * instructionBytes);
            m_proof.counts.stallsLowered += slot.control.stall < i.control.stall;
            m_proof.counts.stallsRaised += slot.control.stall > i.control.stall;
            if (i.fence != Fence::none && slot.id != int(k))
                return refuse(ProofRule::place, place, fmt::format("{} has moved: {}.", at(i), name(i.fence)));
            if (i.fence != Fence::none && slot.control.stall < i.control.stall)
                return refuse(ProofRule::place, place,
                              fmt::format("{} stalls {} cycles in place of {}: {}.", at(i), slot.control.stall,
                                          i.control.stall, name(i.fence)));
            // ptxas never writes any other pair; what the hardware makes of one is not known.
            const bool same = slot.control.stall == i.control.stall && slot.control.yields == i.control.yields;
            const bool plain =
                slot.control.yields ? slot.control.stall >= 2 : slot.control.stall >= 1 && slot.control.stall <= 11;
            if (!same && !plain)
                return refuse(ProofRule::encoding, place,
                              fmt::format("{} stalls {} cycles and {}: no pair that ptxas writes.", at(i),
                                          slot.control.stall, slot.control.yields ? "yields" : "does not yield"));
            if (slot.control.yields && slot.control.reuse != 0 && !i.control.yields)
                return refuse(ProofRule::encoding, place,
                              at(i) + " yields and keeps an operand: no pair that ptxas writes.");
        }
        return true;
    }

    /// An operand that is kept in the cache is taken from there by a later instruction. What happens to it in between
    /// is known only where the very same instructions follow, up to that one.
    bool keepReuse() {
        for (const Block& block : m_blocks)
            for (int k = block.first; k <= block.last; ++k) {
                const Slot& slot = m_schedule[std::size_t(k)];
                const Instruction& i = m_code[std::size_t(slot.id)];
                const unsigned added = slot.control.reuse & ~i.control.reuse;
                if (added)
                    return refuse(ProofRule::reuse, std::int64_t(k) * std::int64_t(instructionBytes),
                                  at(i) + " keeps an operand that it did not keep.");
                for (const char letter : {'A', 'B', 'C'}) {
                    if (!(slot.control.reuse >> (letter - 'A') & 1)) continue;
                    const int reach = reuseReach(block, slot.id, letter);
                    for (int step = 1; step <= reach; ++step)
                        if (k + step > block.last || m_schedule[std::size_t(k + step)].id != slot.id + step)
                            return refuse(ProofRule::reuse, std::int64_t(k) * std::int64_t(instructionBytes),
                                          fmt::format("{} keeps operand {} for an instruction that no longer follows.",
                                                      at(i), letter));
                }
            }
        return true;
    }

    /// How many instructions further on the operand is read again through the same port; 1 where that is not seen.
    [[nodiscard]] int reuseReach(const Block& block, int id, char letter) const {
        const int kept = m_code[std::size_t(id)].slot(letter);
        for (int next = id + 1; next <= block.last && next < id + 16; ++next) {
            const Instruction& one = m_code[std::size_t(next)];
            if (one.slot(letter) == kept && kept != constantIndex(RegisterFile::general)) return next - id;
            if (kept != constantIndex(RegisterFile::general) &&
                one.writes.contains(Register::of(RegisterFile::general, kept)))
                break;
        }
        return id < block.last ? 1 : 0;
    }

    using Met = std::tuple<Dependence, int, int, int>;
    static Met metOf(const Observation& o) { return {o.kind, o.producer, o.consumer, o.where.id}; }

    void keepTimes() {
        std::map<Met, int> original; // the distances, and the hazards that ptxas itself left
        HazardVisitor before;
        before.met = [&](const Observation& o) {
            if (const auto border = borderOf(o)) {
                int& least = m_borders.try_emplace(*border, o.distance).first->second;
                least = std::min(least, o.distance);
            }
            int& distance = original.try_emplace(metOf(o), o.distance).first->second;
            distance = std::min(distance, o.distance);
        };
        m_blockOf.resize(m_code.size());
        for (std::size_t b = 0; b < m_blocks.size(); ++b)
            for (int i = m_blocks[b].first; i <= m_blocks[b].last; ++i)
                m_blockOf[std::size_t(i)] = b;
        observeAt(scheduleOf(m_code), before);
        HazardVisitor after;
        after.met = [&](const Observation& o) {
            ++m_proof.counts.dependences;
            if (m_proof.refusal) return;
            const auto found = original.find(metOf(o));
            if (isHazard(o.kind)) {
                if (found == original.end()) refuseHazard(o);
                return;
            }
            int needed = neededFor(o, found == original.end() ? std::nullopt : std::optional<int>(found->second));
            if (const auto border = borderOf(o))
                if (const auto least = m_borders.find(*border); least != m_borders.end())
                    needed = std::min(needed, least->second);
            if (o.distance < needed) refuseDistance(o, needed);
        };
        observeAt(m_schedule, after);
    }

    void observeAt(const Schedule& schedule, const HazardVisitor& visitor) {
        m_placeOf.resize(schedule.size());
        for (std::size_t k = 0; k < schedule.size(); ++k)
            m_placeOf[std::size_t(schedule[k].id)] = int(k);
        observe(m_code, m_blocks, schedule, visitor);
    }

    /// Two of one pipe with a block's begin between them: the block, and the pipe. Whoever they are, they may be as
    /// close as any two were there.
    using Border = std::pair<std::size_t, IssuePipe>;
    [[nodiscard]] std::optional<Border> borderOf(const Observation& o) const {
        if (o.kind != Dependence::samePipe) return std::nullopt;
        const std::size_t block = m_blockOf[std::size_t(o.consumer)];
        // Behind its own end the same block may begin again.
        const bool isWithin = m_blockOf[std::size_t(o.producer)] == block &&
                              m_placeOf[std::size_t(o.producer)] < m_placeOf[std::size_t(o.consumer)];
        return isWithin ? std::nullopt : std::optional(Border(block, o.pipe));
    }

    [[nodiscard]] int neededFor(const Observation& o, std::optional<int> original) const {
        const int longest = longestOf(o.kind == Dependence::writeAfterRead);
        const int kept = std::min(original.value_or(longest), longest);
        const bool ofRegisters = o.kind != Dependence::samePipe && o.kind != Dependence::scoreboardAge;
        // A product's distances depend on more than the pair: they never shrink.
        if (ofRegisters && m_code[std::size_t(o.producer)].unit == Unit::matrix) return kept;
        if (const auto least = m_table.least(distanceKey(m_code, o, m_computeCapability)))
            return std::min(kept, *least);
        if (ofRegisters && m_code[std::size_t(o.consumer)].unit == Unit::matrix) return kept;
        return std::min(kept, m_table.floorOfUnits(distanceUnitKey(m_code, o, m_computeCapability)).value_or(longest));
    }

    [[nodiscard]] std::int64_t placeOf(int id) const {
        for (std::size_t k = 0; k < m_schedule.size(); ++k)
            if (m_schedule[k].id == id) return std::int64_t(k * instructionBytes);
        return -1;
    }

    void refuseHazard(const Observation& o) {
        refuse(ProofRule::hazard, placeOf(o.consumer),
               fmt::format("{} of {} is {}: {} does not wait for it.", registerName(o.where),
                           at(m_code[std::size_t(o.producer)]), name(o.kind), at(m_code[std::size_t(o.consumer)])));
    }

    void refuseDistance(const Observation& o, int needed) {
        const std::string what = o.kind == Dependence::samePipe || o.kind == Dependence::scoreboardAge
                                     ? std::string()
                                     : registerName(o.where) + " is ";
        refuse(ProofRule::distance, placeOf(o.consumer),
               fmt::format("{} comes {} after {}, {} needed: {}{}.", at(m_code[std::size_t(o.consumer)]),
                           cyclesText(o.distance), at(m_code[std::size_t(o.producer)]), needed, what, name(o.kind)));
    }

    const std::vector<Word>& m_words;
    std::vector<Instruction> m_code;
    std::vector<Block> m_blocks;
    Schedule m_schedule;
    std::vector<std::size_t> m_blockOf; ///< of each instruction
    std::vector<int> m_placeOf;         ///< in the schedule that is looked at
    std::map<Border, int> m_borders;    ///< the least distances of the original
    int m_computeCapability;
    const DistanceTable& m_table;
    ScheduleProof m_proof;
};

/// The first byte outside of all kernels' code that differs.
std::optional<std::size_t> firstDifference(const Cubin& a, const Cubin& b) {
    std::vector<std::byte> left = a.bytes(), right = b.bytes();
    for (const KernelCode& kernel : a.kernels())
        for (std::vector<std::byte>* bytes : {&left, &right})
            std::fill_n(bytes->begin() + std::ptrdiff_t(kernel.offset), kernel.size, std::byte(0));
    const auto found = std::mismatch(left.begin(), left.end(), right.begin(), right.end());
    if (found.first == left.end()) return std::nullopt;
    return std::size_t(found.first - left.begin());
}

} // namespace

std::string_view name(ProofRule rule) {
    switch (rule) {
    case ProofRule::sameFile: return "same file";
    case ProofRule::followed: return "followed";
    case ProofRule::sameInstructions: return "same instructions";
    case ProofRule::order: return "order";
    case ProofRule::place: return "place";
    case ProofRule::scoreboards: return "scoreboards";
    case ProofRule::encoding: return "encoding";
    case ProofRule::reuse: return "reuse";
    case ProofRule::hazard: return "hazard";
    case ProofRule::distance: break;
    }
    return "distance";
}

const std::vector<std::string>& proofAssumptions() {
    static const std::vector<std::string> all = {
        "The decoder names every register that an instruction reads and writes.",
        "Instructions of one queue read their operands, and those of shared memory, constants and special functions give "
        "their results, in the order of their issue.",
        "A distance that ptxas keeps for a pair of instructions is enough for that pair wherever it stands.",
        "Nothing but registers, memory, barriers and scoreboards joins one instruction to another.",
        "The kernel itself has no race between threads.",
    };
    return all;
}

ScheduleProof proveCode(const std::vector<Word>& original, const std::vector<Word>& variant,
                        const std::set<std::int64_t>& listed, int computeCapability, const DistanceTable& table) {
    return CodeProof(original, variant, listed, computeCapability, table).run();
}

ScheduleProof proveSchedule(const Cubin& original, const Cubin& variant, const DistanceTable& table) {
    ScheduleProof whole;
    const auto refuse = [&](std::string text) {
        whole.refusal = Refusal{ProofRule::sameFile, {}, -1, std::move(text)};
        return whole;
    };
    if (original.bytes().size() != variant.bytes().size())
        return refuse(fmt::format("The files have {} and {} bytes.", original.bytes().size(), variant.bytes().size()));
    if (const auto where = firstDifference(original, variant))
        return refuse(fmt::format("Byte {} differs, which belongs to no kernel's code.", *where));
    for (const KernelCode& kernel : original.kernels()) {
        const std::vector<Word> before = wordsOf(original.code(kernel)), after = wordsOf(variant.code(kernel));
        if (before == after) continue;
        ScheduleProof one = proveCode(before, after, kernel.listed, original.computeCapability(), table);
        whole.counts.kernels += one.counts.kernels;
        whole.counts.instructions += one.counts.instructions;
        whole.counts.moved += one.counts.moved;
        whole.counts.stallsLowered += one.counts.stallsLowered;
        whole.counts.stallsRaised += one.counts.stallsRaised;
        whole.counts.dependences += one.counts.dependences;
        if (one.refusal) {
            whole.refusal = std::move(one.refusal);
            whole.refusal->kernel = kernel.name;
            return whole;
        }
    }
    return whole;
}

} // namespace kernelarium::sass
