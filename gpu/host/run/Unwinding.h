// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kernelarium::host {

/// An exception on its way through the interpreted program.
struct ThrownException {
    std::uint64_t object = 0; ///< in the interpreted heap; 0 when the runtime raised it, with a type or without
    std::uint64_t type = 0;   ///< address unique to its static type; 0 when the runtime raised it of its own accord
    std::string typeName;     ///< "std::runtime_error", or Python's class for what the runtime raised
    std::string what;
    std::uint64_t whatAddress = 0;    ///< of its text in the interpreted heap, once asked for
    std::vector<std::uint64_t> types; ///< of one with a type and no object: that one and its bases'
};

/// The try blocks that are active in the interpreted program and the exceptions that are being handled.
/// Frames are HostRun's; whether one is still on the stack is asked of the caller.
class Unwinding {
public:
    void enter(std::uint64_t frame) { m_tries.push_back({frame, m_caught.size()}); }
    /// Leaves the innermost block; its frame, to be forgotten. Empty when there is none.
    std::optional<std::uint64_t> leave();

    /// Takes the innermost block whose frame `isLive`; the exception is being handled from now on. Gives the
    /// frame to unwind to, or empty when nothing catches it. Frames of skipped blocks are added to
    /// `dropped`.
    template <class IsLive>
    std::optional<std::uint64_t> raise(ThrownException exception, IsLive isLive, std::vector<std::uint64_t>& dropped) {
        while (!m_tries.empty()) {
            const Block block = m_tries.back();
            m_tries.pop_back();
            if (!isLive(block.frame)) {
                dropped.push_back(block.frame);
                continue;
            }
            m_caught.resize(block.caughtBefore); // handlers that the exception leaves are over
            m_caught.push_back(std::move(exception));
            return block.frame;
        }
        return {};
    }

    /// The exception being handled; null outside of handlers.
    [[nodiscard]] ThrownException* current() { return m_caught.empty() ? nullptr : &m_caught.back(); }
    void endCatch() {
        if (!m_caught.empty()) m_caught.pop_back();
    }

private:
    struct Block {
        std::uint64_t frame = 0;
        std::size_t caughtBefore = 0;
    };
    std::vector<Block> m_tries;
    std::vector<ThrownException> m_caught;
};

inline std::optional<std::uint64_t> Unwinding::leave() {
    if (m_tries.empty()) return {};
    const std::uint64_t frame = m_tries.back().frame;
    m_tries.pop_back();
    return frame;
}

/// How Python shows a C++ exception of this type that leaves an extension: pybind11's translation.
[[nodiscard]] std::string pythonClass(const std::string& cppType);

} // namespace kernelarium::host
