// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <memory>

namespace kernelarium::emulator {

/// Zero-initialised, 64-byte aligned, growing storage for registers and memories. From 1 MB on it takes memory for
/// those of its pages alone that somebody writes: of a stack of host code, 16 MB, it is a few.
class AlignedBytes {
public:
    /// No fewer bytes than there are; more may come than are asked for. Throws std::bad_alloc, and then nothing
    /// changed.
    void resize(std::size_t bytes) {
        if (bytes > size()) grow(bytes);
    }
    [[nodiscard]] std::byte* data() const { return m_data.get(); }
    [[nodiscard]] std::size_t size() const { return m_data ? m_data.get_deleter().bytes : 0; }

private:
    struct Free {
        std::size_t bytes;
        void operator()(std::byte* p) const;
    };
    void grow(std::size_t bytes);

    std::unique_ptr<std::byte, Free> m_data{nullptr, Free{0}};
};

} // namespace kernelarium::emulator
