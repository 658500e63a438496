// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"

#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace kernelarium::sass {

/// A kernel's (or a device function's) machine code within a cubin.
struct KernelCode {
    std::string name;       ///< as in the PTX, mangled
    std::size_t offset = 0; ///< of its bytes in the file
    std::size_t size = 0;
    int registers = 0; ///< for each thread, as the cubin asks for them; 0: it does not say
    /// Places in the code (in bytes) that the cubin's tables name, or that a relocation writes to: exits, shuffles and
    /// the like. What stands there has to stay there.
    std::set<std::int64_t> listed;
};

/// A cubin, read for its code: an ELF file of 64 bits for NVIDIA's GPUs. Everything is checked against the file's size.
class Cubin {
public:
    /// Errors: "bad_input" (no cubin; cut off), "unsupported" (a GPU of another encoding than compute capability 8.0
    /// to 9.0).
    static Result<Cubin> read(std::vector<std::byte> bytes);

    [[nodiscard]] int computeCapability() const { return m_computeCapability; } ///< 90
    [[nodiscard]] const std::vector<KernelCode>& kernels() const { return m_kernels; }
    [[nodiscard]] const KernelCode* find(const std::string& kernel) const;
    [[nodiscard]] std::span<const std::byte> code(const KernelCode& kernel) const {
        return std::span(m_bytes).subspan(kernel.offset, kernel.size);
    }
    [[nodiscard]] const std::vector<std::byte>& bytes() const { return m_bytes; }
    /// Puts other code in the place of a kernel's: as many bytes.
    void replace(const KernelCode& kernel, std::span<const std::byte> code);

private:
    Cubin() = default;
    std::vector<std::byte> m_bytes;
    int m_computeCapability = 0;
    std::vector<KernelCode> m_kernels;
};

} // namespace kernelarium::sass
