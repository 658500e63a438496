// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "gpu/emulator/code/FunctionInfo.h"
#include "gpu/emulator/memory/DeviceMemory.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kernelarium::emulator {

struct Code; // decoded instructions; private to the emulator

/// A PTX module decoded and placed in a device memory: its variables are allocated and initialised there.
class Program {
public:
    /// Errors: "bad_ptx" (with line), "unsupported" (the instruction or directive by name), "out_of_memory".
    static Result<std::shared_ptr<Program>> load(std::string_view ptx, DeviceMemory& memory);
    ~Program();

    [[nodiscard]] const std::vector<FunctionInfo>& functions() const;
    /// Index into functions(), by PTX name or by the address that `mov` of its name gives.
    [[nodiscard]] std::optional<std::uint32_t> functionByName(std::string_view name) const;
    [[nodiscard]] std::optional<std::uint32_t> functionByAddress(std::uint64_t address) const;
    [[nodiscard]] std::uint64_t addressOf(std::uint32_t function) const;
    [[nodiscard]] const std::vector<SymbolInfo>& symbols() const;

    [[nodiscard]] DeviceMemory& memory() const;
    [[nodiscard]] const Code& code() const;

private:
    Program();
    std::unique_ptr<Code> m_code;
};

} // namespace kernelarium::emulator
