// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hub/Retry.h"

#include <algorithm>
#include <condition_variable>
#include <cstdlib>
#include <mutex>

namespace kernelarium::hub {
namespace {

void sleepUntilStopped(std::chrono::milliseconds time, const std::stop_token& stop) {
    std::mutex mutex;
    std::condition_variable_any woken;
    std::unique_lock lock(mutex);
    woken.wait_for(lock, stop, time, [] { return false; });
}

} // namespace

std::chrono::milliseconds Retry::defaultWait() {
    const char* named = std::getenv("KERNELARIUM_HUB_RETRY_MS");
    const long value = named != nullptr ? std::strtol(named, nullptr, 10) : 0;
    return std::chrono::milliseconds(value > 0 ? value : 1000);
}

bool Retry::waitFor(const Error& error, const HttpAnswer& answer, const std::stop_token& stop,
                    const std::function<void(std::chrono::seconds)>& tell) {
    if (error.code != "server_busy" && error.code != "connection_cut") return false;
    if (m_tries >= mostTries) return false;
    ++m_tries;
    auto wait = m_wait;
    if (error.code == "server_busy" && answer.retryAfter) {
        if (*answer.retryAfter > longestWait) return false;
        wait = std::max<std::chrono::milliseconds>(wait, *answer.retryAfter);
    }
    m_wait *= 2;
    wait = std::min<std::chrono::milliseconds>(wait, longestWait);
    if (tell && wait >= std::chrono::seconds(1)) tell(std::chrono::ceil<std::chrono::seconds>(wait));
    sleepUntilStopped(wait, stop);
    return !stop.stop_requested();
}

void Retry::progressed() {
    m_tries = 1;
    m_wait = defaultWait();
}

} // namespace kernelarium::hub
