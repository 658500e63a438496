// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "gpu/process/Child.h"
#include "gpu/process/Descriptor.h"

#include <chrono>
#include <string>
#include <string_view>

namespace kernelarium::process {

/// Where a program's standard error goes.
enum class Errors { ours, kept, dropped };

/// A running program and both directions of the talk with it: a socket is its standard input and output, a pipe its
/// standard error where that is kept. Nothing waits but exchange().
class Channel {
public:
    /// Starts the program with its standard streams set. At most `mostErrors` bytes of standard error are kept, the
    /// last ones. Errors: those of Child::start().
    static Result<Channel> start(Start start, Errors errors, std::size_t mostErrors);

    [[nodiscard]] Child& child() { return m_child; }
    [[nodiscard]] const Child& child() const { return m_child; }

    /// Queues what exchange() is to send.
    void send(std::string_view bytes);
    /// Behind what is queued the program sees the end of its input.
    void endInput();
    /// Sends and receives what can be, after waiting so long for it at the most. False when the time is over.
    bool exchange(std::chrono::milliseconds timeout);
    /// Receives what the program said last on its standard error, without waiting.
    void receiveErrors();

    /// What came on standard output since this was last asked.
    [[nodiscard]] std::string takeOutput() { return std::exchange(m_output, {}); }
    [[nodiscard]] const std::string& output() const { return m_output; }
    [[nodiscard]] bool outputEnded() const { return m_outputEnded; }
    [[nodiscard]] const std::string& errors() const { return m_errors; }
    [[nodiscard]] bool errorsEnded() const { return !m_errorPipe.isOpen(); }

private:
    Channel(Child child, Descriptor socket, Descriptor errorPipe, std::size_t mostErrors)
        : m_socket(std::move(socket))
        , m_errorPipe(std::move(errorPipe))
        , m_mostErrors(mostErrors)
        , m_child(std::move(child)) {}
    void sendSome();
    void receiveSome();

    Descriptor m_socket;
    Descriptor m_errorPipe;
    std::size_t m_mostErrors;
    std::string m_outgoing;
    std::size_t m_sent = 0;
    bool m_inputEnds = false;
    std::string m_output;
    bool m_outputEnded = false;
    std::string m_errors;
    Child m_child; ///< last: it ends before its streams do
};

} // namespace kernelarium::process
