// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/threads/FanOut.h"

#include "core/threads/SharedCores.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>
#include <vector>

namespace kernelarium::threads {

unsigned cores() {
    return std::max(1U, std::thread::hardware_concurrency());
}

void together(std::size_t count, const std::function<void(std::size_t)>& work) {
    if (count == 0) return;
    std::exception_ptr failure;
    std::mutex mutex;
    const auto guarded = [&](std::size_t thread) {
        try {
            work(thread);
        } catch (...) {
            const std::scoped_lock lock(mutex);
            if (!failure) failure = std::current_exception();
        }
    };
    {
        std::vector<std::jthread> others;
        others.reserve(count - 1);
        try {
            for (std::size_t thread = 1; thread < count; ++thread)
                others.emplace_back(guarded, thread);
        } catch (const std::system_error&) { // no more threads, or no room for a stack
        } catch (const std::bad_alloc&) {
        }
        guarded(0);
    }
    if (failure) std::rethrow_exception(failure);
}

void forEach(std::size_t count, std::size_t most, const std::function<void(std::size_t, std::size_t)>& body) {
    std::atomic<std::size_t> next{0};
    const Helpers helpers(std::clamp<std::size_t>(most, 1, std::max<std::size_t>(count, 1)) - 1);
    together(1 + helpers.count(), [&](std::size_t thread) {
        try {
            for (std::size_t item = next++; item < count; item = next++)
                body(item, thread);
        } catch (...) {
            next = count;
            throw;
        }
    });
}

} // namespace kernelarium::threads
