// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/operators/MachineAround.h"

#include <functional>

namespace kernelarium::operators {

/// A machine with room that can be made: what somebody keeps in its memory, and can do without for a while, counts as
/// free, and is put away when an allocation does not fit.
class SparingMachine final : public MachineAround {
public:
    struct Room {
        std::function<std::uint64_t(std::uint64_t bytes)> make; ///< gives how many bytes it freed, 0 for none
        std::function<std::uint64_t()> possible;                ///< bytes that make() could free
    };
    /// The machine outlives it.
    SparingMachine(Machine& inner, Room room)
        : MachineAround(inner)
        , m_room(std::move(room)) {}

    [[nodiscard]] std::uint64_t freeBytes() const override { return inner().freeBytes() + m_room.possible(); }
    Result<std::uint64_t> allocate(std::uint64_t bytes, std::string_view label) override {
        Result<std::uint64_t> address = inner().allocate(bytes, label);
        while (!address && address.error().code == "out_of_memory" && m_room.make(bytes) > 0)
            address = inner().allocate(bytes, label);
        return address;
    }

private:
    Room m_room;
};

} // namespace kernelarium::operators
