// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/protocol/Messages.h"

#include <chrono>
#include <mutex>
#include <string_view>

namespace kernelarium::service {

/// The only one who writes to the protocol's output, from any thread.
class EventWriter {
public:
    /// Takes over `descriptor`: keeps a copy for itself and lets the number stand for standard error from now on, so
    /// that a stray print cannot break the protocol.
    explicit EventWriter(int descriptor);
    ~EventWriter();
    EventWriter(const EventWriter&) = delete;
    EventWriter& operator=(const EventWriter&) = delete;

    /// False when nobody reads any more. A result that is longer than protocol::longestLine becomes `failed`, code
    /// "too_large".
    bool write(const protocol::Event& event);
    /// Writes a line that was made before and ends the process.
    [[noreturn]] void end(std::string_view line);
    [[nodiscard]] int descriptor() const { return m_descriptor; }
    /// Waits so long at most for the other side to close its end; false when it has.
    [[nodiscard]] bool isHeard(std::chrono::milliseconds within) const;

private:
    bool send(std::string_view line);

    std::mutex m_mutex;
    int m_descriptor = -1;
};

} // namespace kernelarium::service
