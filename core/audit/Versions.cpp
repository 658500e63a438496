// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/audit/Versions.h"

#include "core/files/Sha256.h"
#include "core/task/Card.h"
#include "core/verify/ChecksVersion.h"

namespace kernelarium::audit {

namespace {
constexpr std::size_t digits = 16;
}

std::string cardVersion(int level, int task) {
    const Result<task::Card> card = task::loadCard(level, task);
    return card ? files::toHex(files::sha256(task::writeCard(*card)), digits) : "none";
}

std::string referenceVersion(std::string_view text) {
    return "kernel:" + files::toHex(files::sha256(text), digits);
}

const Versions& TodaysVersions::of(int level, int task) {
    const auto [found, isNew] = m_known.try_emplace({level, task});
    if (isNew) found->second = {KERNELARIUM_VERSION, cardVersion(level, task), verify::checksVersion()};
    return found->second;
}

} // namespace kernelarium::audit
