// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/emulator/memory/RaceRecord.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace kernelarium::emulator {

/// Atomic and volatile stores of others that the threads of a block have seen with nothing but that to order them: the
/// last few. Who has seen one of a thread's stores may rely on having seen those before it.
class SeenStores {
public:
    struct Seen {
        race::Record store = 0;
        std::uint64_t place = 0; ///< SyncTable's number of the variable
    };

    void clear() {
        m_seen = {};
        m_next = 0;
    }
    void add(race::Record store, std::uint64_t place) {
        for (Seen& s : m_seen)
            if (s.store && s.place == place && race::blockOf(s.store) == race::blockOf(store) &&
                race::warpOf(s.store) == race::warpOf(store)) {
                s.store = store;
                return;
            }
        m_seen[m_next++ % m_seen.size()] = {store, place};
    }
    template <class F> [[nodiscard]] bool any(F f) const {
        return std::any_of(m_seen.begin(), m_seen.end(), [&](const Seen& s) { return s.store != 0 && f(s); });
    }

private:
    std::array<Seen, 16> m_seen{};
    std::uint32_t m_next = 0;
};

} // namespace kernelarium::emulator
