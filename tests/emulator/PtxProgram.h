// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/emulator/run/Launch.h"

#include <QString>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace kernelarium::test {

/// PTX text loaded into a device memory of its own, ready to launch. Whatever goes wrong outside a launch fails the
/// running Qt test with the Error's text; the object stays safe to use after that.
class PtxProgram {
public:
    using Dim3 = emulator::Dim3;

    /// Writes `.version`, `.target`, `.address_size` and `.file 1 "kernel.cu"` before `body`.
    explicit PtxProgram(std::string_view body, std::uint64_t capacity = 64u << 20);
    static std::string withHeader(std::string_view body);
    /// CUDA C++ through the real compiler; null, and `why` set, where there is none.
    static std::unique_ptr<PtxProgram> compiled(const std::string& source, QString& why);

    [[nodiscard]] const emulator::Program& program() const { return *m_program; }
    [[nodiscard]] bool isLoaded() const { return m_program != nullptr; }
    emulator::DeviceMemory& memory() { return m_memory; }
    [[nodiscard]] std::uint32_t function(std::string_view name) const;

    /// A device allocation holding `values`.
    template <class T> std::uint64_t buffer(const std::vector<T>& values, const char* label = "buffer") {
        const std::uint64_t at = uninitialised(values.size() * sizeof(T), label);
        write(at, std::as_bytes(std::span(values)));
        return at;
    }
    /// One that was never written; guarded by 256 bytes on either side.
    std::uint64_t uninitialised(std::uint64_t bytes, const char* label = "buffer",
                                emulator::Owner owner = emulator::Owner::device);
    template <class T> std::vector<T> read(std::uint64_t address, std::size_t count) {
        std::vector<T> out(count);
        read(address, std::as_writable_bytes(std::span(out)));
        return out;
    }

    /// Launches with each argument at the place where the kernel declares its parameter.
    template <class... A>
    emulator::LaunchResult launch(std::string_view kernel, Dim3 grid, Dim3 block, const A&... arguments) {
        std::vector<std::vector<std::byte>> raw;
        (raw.push_back(bytesOf(arguments)), ...);
        return launchRaw(kernel, grid, block, raw);
    }
    /// The same, for a launch that has to finish without faults.
    template <class... A>
    emulator::LaunchResult run(std::string_view kernel, Dim3 grid, Dim3 block, const A&... arguments) {
        emulator::LaunchResult result = launch(kernel, grid, block, arguments...);
        expectClean(result);
        return result;
    }

    template <class T> static std::vector<std::byte> bytesOf(const T& value) {
        const auto* raw = reinterpret_cast<const std::byte*>(&value);
        return {raw, raw + sizeof(T)};
    }
    static void expectClean(const emulator::LaunchResult& result);
    /// "kind at line N: message" for each fault, one a line: for failure messages.
    static std::string describe(const emulator::LaunchResult& result);

    emulator::RunOptions options;  ///< of the next launches
    emulator::LaunchConfig config; ///< its function, grid, block and parameters are set by launch()

private:
    struct Whole {
        std::string_view text;
    };
    explicit PtxProgram(Whole ptx, std::uint64_t capacity);
    void read(std::uint64_t address, std::span<std::byte> out);
    void write(std::uint64_t address, std::span<const std::byte> bytes);
    emulator::LaunchResult launchRaw(std::string_view kernel, Dim3 grid, Dim3 block,
                                     const std::vector<std::vector<std::byte>>& arguments);

    emulator::DeviceMemory m_memory;
    std::shared_ptr<emulator::Program> m_program;
};

/// The first fault of the kind, or null.
const emulator::Fault* faultOf(const emulator::LaunchResult& result, std::string_view kind);

} // namespace kernelarium::test
