// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace kernelarium::fuzz {

/// Damages texts as accidents and attackers do: flipped bits, lost, doubled and foreign pieces, extreme numbers,
/// endless nesting. The same seed gives the same texts.
class Mutator {
public:
    explicit Mutator(std::uint64_t seed)
        : m_random(seed) {}

    [[nodiscard]] std::string mutated(const std::vector<std::string>& corpus);
    /// For files of pages, where what moved would be refused at once: bytes, numbers, blocks and pages are overwritten,
    /// rarely is the end cut off.
    [[nodiscard]] std::string overwritten(const std::vector<std::string>& corpus);

private:
    [[nodiscard]] std::size_t below(std::size_t n) { return n ? std::size_t(m_random() % n) : 0; }
    void mutateOnce(std::string& text, const std::vector<std::string>& corpus);
    void overwriteOnce(std::string& bytes, const std::vector<std::string>& corpus);
    void replaceNumber(std::string& text);
    void repeatPiece(std::string& text);

    std::mt19937_64 m_random;
};

} // namespace kernelarium::fuzz
