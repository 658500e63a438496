// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>

namespace kernelarium::emulator {

// Of anonymous private mappings: how the system gives their pages, and takes them back.

/// The next multiple of a power of two.
constexpr std::uint64_t roundUp(std::uint64_t value, std::uint64_t to) {
    return (value + to - 1) & ~(to - 1);
}

/// What is about to be written whole comes in large pages, where there are any: most of a first write's time are
/// faults.
void askForLargePages(void* memory, std::uint64_t bytes);

/// The same of memory that is given out from its beginning on, so far up to `from` and now up to `end`: a run that has
/// used some large pages will fill the next, however small its allocations are.
void growInLargePages(std::byte* memory, std::uint64_t from, std::uint64_t end);

/// Makes the bytes zero, by giving whole pages back.
void dropPages(std::byte* memory, std::uint64_t bytes);

/// Sets them all. Whole pages of a long range are mapped of a file that holds the value over and over: they take no
/// memory, and no time to be cleared and set, until somebody writes there.
void fillStates(std::uint8_t* states, std::uint64_t bytes, std::uint8_t value);

} // namespace kernelarium::emulator
