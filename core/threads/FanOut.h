// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <functional>

namespace kernelarium::threads {

/// Processors that the system tells of, at least 1.
[[nodiscard]] unsigned cores();

/// Calls work(0) here and work(1) to work(count - 1) in threads of their own, all at the same time, and comes back when
/// all have ended. Where the system has no room for another thread, it and those after it are left out: each call takes
/// what is next of what is to be done, so that those that run do everything. The first exception of any comes through.
void together(std::size_t count, const std::function<void(std::size_t thread)>& work);

/// Calls body(item, thread) once for every item below `count`, begun in their order, in at most `most` threads that are
/// numbered from 0, fewer where processors are shared out (SharedCores.h). An exception comes through, and items that
/// are not begun then are left out. What is made of the items must not depend on the thread.
void forEach(std::size_t count, std::size_t most,
             const std::function<void(std::size_t item, std::size_t thread)>& body);

} // namespace kernelarium::threads
