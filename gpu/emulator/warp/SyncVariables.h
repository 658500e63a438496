// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/emulator/warp/Knowledge.h"

#include <cstdint>
#include <memory>
#include <unordered_map>

namespace kernelarium::emulator {

/// Synchronisation variables by their number (SyncTable), and what those who released through each of them had seen.
class SyncVariables {
public:
    void clear() { m_variables.clear(); }
    [[nodiscard]] bool isEmpty() const { return m_variables.empty(); }
    [[nodiscard]] bool contains(std::uint64_t variable) const { return m_variables.contains(variable); }

    void publish(std::uint64_t variable, const std::shared_ptr<const Knowledge>& seen);
    /// The variable is an mbarrier, or the like, whose phase has ended: what went through it so far is what those who
    /// wait for a phase have seen.
    void endPhase(std::uint64_t variable);
    /// It is made anew.
    void forget(std::uint64_t variable) { m_variables.erase(variable); }
    /// What went through it, up to the end of its last phase with `phase`. Null: nothing.
    [[nodiscard]] const Knowledge* released(std::uint64_t variable, bool phase) const;

private:
    struct Variable {
        std::shared_ptr<const Knowledge> now;   ///< what has been released through it
        std::shared_ptr<const Knowledge> ended; ///< the same when its last phase ended
    };
    std::unordered_map<std::uint64_t, Variable> m_variables;
};

} // namespace kernelarium::emulator
