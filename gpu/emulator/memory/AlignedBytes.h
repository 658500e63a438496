// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <new>

namespace kernelarium::emulator {

/// Zero-initialised, 64-byte aligned, growing storage for registers and memories.
class AlignedBytes {
public:
    void resize(std::size_t bytes) {
        if (bytes <= m_size) return;
        const std::size_t rounded = (std::max(bytes, m_size * 2) + 4095) / 4096 * 4096;
        auto* fresh = static_cast<std::byte*>(::operator new(rounded, std::align_val_t(64)));
        if (m_size) std::memcpy(fresh, m_data.get(), m_size);
        std::memset(fresh + m_size, 0, rounded - m_size);
        m_data.reset(fresh);
        m_size = rounded;
    }
    [[nodiscard]] std::byte* data() const { return m_data.get(); }
    [[nodiscard]] std::size_t size() const { return m_size; }

private:
    struct Free {
        void operator()(std::byte* p) const { ::operator delete(p, std::align_val_t(64)); }
    };
    std::unique_ptr<std::byte, Free> m_data;
    std::size_t m_size = 0;
};

} // namespace kernelarium::emulator
