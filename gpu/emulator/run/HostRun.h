// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/emulator/decode/Program.h"
#include "gpu/emulator/warp/LaunchResult.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kernelarium::emulator {

class HostRun;

/// A call of a function that the module declares but does not define.
struct ExternCall {
    std::string_view name;
    std::vector<std::vector<std::byte>> parameters; ///< raw bytes of each parameter
    std::vector<std::byte> result;                  ///< sized for the return value; zero until the handler fills it

    template <class T> [[nodiscard]] T parameter(std::size_t index) const;
    template <class T> void setResult(const T& value);
};

/// What the handler of an extern call wants done next.
enum class ExternAction {
    proceed,     ///< go on after the call with `result`
    unwound,     ///< the handler called HostRun::unwindTo: go on there
    stop,        ///< end the run now; HostRun::call returns "stopped"
    unsupported, ///< no such function: the run ends and names it
};

/// Answers calls of functions that the module only declares.
class ExternHandler {
public:
    virtual ~ExternHandler() = default;
    virtual ExternAction call(HostRun& run, ExternCall& call) = 0;
};

/// Interprets host code: one thread, functions called one after another, extern calls handed to a handler (which may
/// call back into HostRun::call).
class HostRun {
public:
    /// All of these outlive it.
    HostRun(const Program& program, ExternHandler& handler, const RunOptions& options);
    ~HostRun();

    /// Calls a function with raw parameters; gives its raw return value.
    /// Errors: "stopped" (the handler ended the run), "unsupported", "timeout", "cancelled", "fault" (a bad pointer or
    /// a stack overflow: the message says where, with the user's line).
    Result<std::vector<std::byte>> call(std::uint32_t function, std::span<const std::vector<std::byte>> parameters);

    /// Generic addresses of the interpreted program: its stack, module variables and heap.
    Result<void> read(std::uint64_t address, std::span<std::byte> out) const;
    Result<void> write(std::uint64_t address, std::span<const std::byte> bytes);
    Result<std::string> readString(std::uint64_t address, std::size_t limit = 1 << 20) const;

    /// For exceptions: remembers the frame that is making the current extern call, registers included.
    [[nodiscard]] std::uint64_t saveFrame();
    /// Whether the remembered frame is still on the stack.
    [[nodiscard]] bool isLive(std::uint64_t frame) const;
    /// From a handler: goes back to the remembered frame, as if its extern call now returned `result`.
    /// The handler then answers `unwound`. False when the frame has gone.
    bool unwindTo(std::uint64_t frame, std::span<const std::byte> result);
    void forgetFrame(std::uint64_t frame);

    [[nodiscard]] int currentLine() const; ///< user line of the call in progress; 0 when unknown
    [[nodiscard]] const Counters& counters() const;

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

template <class T> T ExternCall::parameter(std::size_t index) const {
    T value{};
    const std::vector<std::byte>& raw = parameters.at(index);
    std::copy_n(raw.data(), std::min(raw.size(), sizeof(T)), reinterpret_cast<std::byte*>(&value));
    return value;
}

template <class T> void ExternCall::setResult(const T& value) {
    const auto* raw = reinterpret_cast<const std::byte*>(&value);
    std::copy_n(raw, std::min(result.size(), sizeof(T)), result.data());
}

} // namespace kernelarium::emulator
