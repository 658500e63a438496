// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/warp/SyncVariables.h"

namespace kernelarium::emulator {

void SyncVariables::publish(std::uint64_t variable, const std::shared_ptr<const Knowledge>& seen) {
    std::shared_ptr<const Knowledge>& now = m_variables[variable].now;
    if (now == seen) return;
    if (!now || now->isWithin(*seen)) {
        now = seen;
    } else if (!seen->isWithin(*now)) {
        Knowledge both = *now;
        both.join(*seen);
        now = std::make_shared<const Knowledge>(both);
    }
}

void SyncVariables::endPhase(std::uint64_t variable) {
    if (const auto found = m_variables.find(variable); found != m_variables.end())
        found->second.ended = found->second.now;
}

const Knowledge* SyncVariables::released(std::uint64_t variable, bool phase) const {
    const auto found = m_variables.find(variable);
    if (found == m_variables.end()) return nullptr;
    return (phase ? found->second.ended : found->second.now).get();
}

} // namespace kernelarium::emulator
