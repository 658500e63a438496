// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace kernelarium::audit {

/// What a verdict rests on besides the kernel's text.
struct Versions {
    std::string program; ///< "0.1.0"
    std::string card;    ///< see cardVersion() and referenceVersion(); "none" where there was no reference
    int checks = 0;      ///< verify::checksVersion()
    bool operator==(const Versions&) const = default;
};

/// The beginning of the SHA-256 of the task's card as the program writes it; "none" for a task without a card.
[[nodiscard]] std::string cardVersion(int level, int task);
/// Of another kernel as the reference: "kernel:" and the beginning of its text's SHA-256.
[[nodiscard]] std::string referenceVersion(std::string_view text);

/// Today's versions by task; a card is hashed once. One thread at a time.
class TodaysVersions {
public:
    [[nodiscard]] const Versions& of(int level, int task);

private:
    std::map<std::pair<int, int>, Versions> m_known;
};

} // namespace kernelarium::audit
