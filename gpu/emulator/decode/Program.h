// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "gpu/emulator/code/FunctionInfo.h"
#include "gpu/emulator/decode/Module.h"
#include "gpu/emulator/memory/DeviceMemory.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kernelarium::emulator {

/// A PTX module decoded and placed in a device memory: its variables are allocated and initialised there.
class Program {
public:
    /// Errors: "unsupported" (the instruction or directive by name), "bad_ptx", "out_of_memory".
    static Result<std::shared_ptr<Program>> place(std::shared_ptr<Module> module, DeviceMemory& memory);
    /// Of a module that is placed once: parses it, with the errors of Module::parse besides.
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
    [[nodiscard]] const ptx::Module& parsed() const { return m_module->parsed(); } ///< what the code was decoded from

private:
    Program(std::shared_ptr<Module> module, std::shared_ptr<const Code> code, DeviceMemory& memory);

    std::shared_ptr<Module> m_module; ///< the code is of its text
    std::shared_ptr<const Code> m_code;
    DeviceMemory& m_memory;
};

} // namespace kernelarium::emulator
