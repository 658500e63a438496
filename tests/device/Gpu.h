// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/verify/Runner.h"
#include "gpu/compile/Compiler.h"
#include "gpu/device/memory/CudaMachine.h"
#include "gpu/device/run/CudaRunner.h"

#include <QByteArray>
#include <QString>
#include <memory>
#include <string>
#include <vector>

namespace kernelarium::test {

/// The GPU of this machine and a compiler for it. One for all tests of the process.
class Gpu {
public:
    static Gpu& instance();

    /// Why there is none; empty where there is. Tests skip with it.
    [[nodiscard]] const QByteArray& missing() const { return m_missing; }
    [[nodiscard]] const std::shared_ptr<device::DeviceContext>& context() const { return m_context; }
    [[nodiscard]] const std::shared_ptr<device::DevicePool>& pool() const { return m_pool; }

    /// Kernels of ours on it, and NVIDIA's libraries where they are found.
    [[nodiscard]] const device::OperatorParts& operatorParts();

    /// `body` after #include <torch/extension.h>, compiled for the GPU.
    [[nodiscard]] compile::CompiledUnit compiled(const std::string& body);
    /// Runs on the GPU. Where it does not compile, or the runner itself fails, a result that ended `crashed` says why.
    [[nodiscard]] verify::RunResult run(const compile::CompiledUnit& unit, const verify::RunRequest& request);
    [[nodiscard]] verify::RunResult run(const std::string& body, std::vector<tensor::Value> arguments);
    [[nodiscard]] bool compiles() const { return m_compiler != nullptr; } ///< even without a GPU
    /// The same in the emulator, with this GPU's limits; needs no GPU.
    [[nodiscard]] verify::RunResult emulate(const std::string& body, std::vector<tensor::Value> arguments);

private:
    Gpu();
    Result<void> open();
    QByteArray m_missing;
    std::shared_ptr<device::DeviceContext> m_context;
    std::shared_ptr<device::DevicePool> m_pool;
    std::unique_ptr<compile::Compiler> m_compiler;
    std::unique_ptr<operators::KernelLibrary> m_library;
    std::unique_ptr<device::CudaMachine> m_machine;
    device::OperatorParts m_parts;
};

/// A module with `forward` bound.
[[nodiscard]] std::string bound(const std::string& body);
[[nodiscard]] tensor::Tensor floats(const std::vector<float>& values);
[[nodiscard]] std::vector<double> elements(const tensor::Value& value);

/// The program that is tested: $KERNELARIUM_TEST_CLI, else the one beside this test.
[[nodiscard]] QString cliProgram();
/// The folder with starter.jsonl and starter.sqlite: $KERNELARIUM_TEST_STARTER, else the build's.
[[nodiscard]] QString starterFolder();

} // namespace kernelarium::test

/// In a test function: skips it where there is no GPU.
#define NEEDS_GPU()                                                                                                    \
    do {                                                                                                               \
        const QByteArray& why = kernelarium::test::Gpu::instance().missing();                                          \
        if (!why.isEmpty()) QSKIP(why.constData());                                                                    \
    } while (false)
