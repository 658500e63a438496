// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hub/Http.h"

namespace kernelarium::hub {

/// Whether and when something is tried again: what passes by itself, a few times, and not before the server allows it.
class Retry {
public:
    static constexpr int mostTries = 5;
    static constexpr std::chrono::seconds longestWait{300}; ///< the hub counts requests in windows of five minutes

    /// `firstWait` doubles from try to try.
    explicit Retry(std::chrono::milliseconds firstWait = defaultWait())
        : m_wait(firstWait) {}

    /// Waits, and says whether to try again: false for an error that does not pass, after too many tries, when the
    /// server asks for a longer wait than a person has, and when stopped.
    /// `tell` hears of a wait that is long enough to be noticed, before it.
    bool waitFor(const Error& error, const HttpAnswer& answer, const std::stop_token& stop,
                 const std::function<void(std::chrono::seconds)>& tell = {});
    /// Something came: start counting again.
    void progressed();

    /// One second; $KERNELARIUM_HUB_RETRY_MS for those who talk to a server that never is really busy.
    static std::chrono::milliseconds defaultWait();

private:
    std::chrono::milliseconds m_wait;
    int m_tries = 1;
};

} // namespace kernelarium::hub
