// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schedule/Patch.h"

#include "core/sass/hazards/Blocks.h"
#include "core/sass/instruction/Decoder.h"
#include "core/sass/instruction/InstructionText.h"

#include <deque>
#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>

namespace kernelarium::schedule {

namespace {

/// The 16 bytes as they stand in the file.
std::string hexOf(const sass::Word& word) {
    std::string out;
    for (const std::uint64_t half : {word.low, word.high})
        for (int byte = 0; byte < 8; ++byte)
            out += fmt::format("{:02x}", half >> (8 * byte) & 0xff);
    return out;
}

std::string textOf(const sass::Word& word, std::int64_t place, int computeCapability) {
    const sass::Instruction one = sass::decode(word, place, computeCapability);
    return fmt::format("{}  {}", sass::text(one.control), sass::text(one));
}

} // namespace

std::vector<int> permutationOf(const Subject& subject, const std::vector<sass::Word>& words) {
    const std::vector<sass::Word> original = subject.words();
    const std::vector<sass::Block> blocks =
        sass::blocksOf(sass::decodeAll(original, subject.original.computeCapability()));
    const auto keyOf = [](const sass::Word& word) {
        const sass::Word plain = sass::withoutControl(word);
        const sass::Control control = sass::controlOf(word);
        return std::tuple(plain.high, plain.low, control.writeBarrier, control.readBarrier, control.waits);
    };
    std::vector<int> from(words.size(), -1);
    for (const sass::Block& block : blocks) {
        std::map<decltype(keyOf(words.front())), std::deque<int>> pool;
        for (int k = block.first; k <= block.last; ++k)
            pool[keyOf(original[std::size_t(k)])].push_back(k);
        for (int k = block.first; k <= block.last && std::size_t(k) < words.size(); ++k) {
            std::deque<int>& same = pool[keyOf(words[std::size_t(k)])];
            if (same.empty()) continue;
            from[std::size_t(k)] = same.front();
            same.pop_front();
        }
    }
    return from;
}

std::vector<Patch> patchesOf(const Subject& subject, const std::vector<sass::Word>& words) {
    const std::vector<sass::Word> original = subject.words();
    const std::vector<int> from = permutationOf(subject, words);
    std::vector<Patch> patches;
    for (std::size_t k = 0; k < std::min(original.size(), words.size()); ++k)
        if (!(original[k] == words[k]))
            patches.push_back({std::int64_t(k * sass::instructionBytes),
                               subject.code().offset + k * sass::instructionBytes, original[k], words[k], from[k]});
    return patches;
}

nlohmann::json toJson(const std::vector<Patch>& patches) {
    nlohmann::json all = nlohmann::json::array();
    for (const Patch& one : patches)
        all.push_back({{"place", one.place},
                       {"offset", one.fileOffset},
                       {"before", hexOf(one.before)},
                       {"after", hexOf(one.after)},
                       {"stood_at", one.cameFrom < 0 ? -1 : one.cameFrom * std::int64_t(sass::instructionBytes)}});
    return all;
}

std::string patchText(const Subject& subject, const std::vector<Patch>& patches) {
    const int capability = subject.original.computeCapability();
    std::string out = fmt::format("# {}: {} of {} instructions differ\n# place offset before after\n", subject.kernel,
                                  patches.size(), subject.words().size());
    for (const Patch& one : patches)
        out += fmt::format("{:#06x} {:#08x} {} {}\n#   was {}\n#   is  {}{}\n", one.place, one.fileOffset,
                           hexOf(one.before), hexOf(one.after), textOf(one.before, one.place, capability),
                           textOf(one.after, one.place, capability),
                           one.cameFrom < 0 || one.cameFrom * 16 == one.place
                               ? std::string()
                               : fmt::format("  (stood at {:#06x})", one.cameFrom * 16));
    return out;
}

} // namespace kernelarium::schedule
