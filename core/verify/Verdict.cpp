// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verify/Verdict.h"

#include <array>

namespace kernelarium::verify {

namespace {
constexpr std::array<std::string_view, 9> kindNames = {"compile_error", "launch_error", "unsupported",
                                                       "timeout",       "wrong",        "fault",
                                                       "suspicious",    "unverifiable", "verified"};
constexpr std::array<std::string_view, 4> stateNames = {"passed", "failed", "remarked", "skipped"};
} // namespace

std::string_view name(VerdictKind kind) {
    return kindNames[std::size_t(kind)];
}
std::string_view name(CheckState state) {
    return stateNames[std::size_t(state)];
}

std::optional<VerdictKind> parseVerdictKind(std::string_view text) {
    for (std::size_t i = 0; i < kindNames.size(); ++i)
        if (kindNames[i] == text) return VerdictKind(i);
    return std::nullopt;
}

bool leftOpen(const Verdict& verdict, const CheckReport& check) {
    return verdict.kind == VerdictKind::unverifiable && check.state == CheckState::failed;
}

} // namespace kernelarium::verify
