// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/task/operators/Call.h"
#include "gpu/operators/DeviceTensor.h"
#include "gpu/operators/KernelLibrary.h"
#include "resources/operators/Arguments.h"

#include <optional>
#include <set>
#include <stop_token>

namespace kernelarium::operators {

using task::operators::Failure; ///< thrown inside the room

/// Throws the error of a result that has one.
template <class T> T valueOf(Result<T> result) {
    if (!result) throw Failure{result.error()};
    return *std::move(result);
}
inline void valueOf(Result<void> result) {
    if (!result) throw Failure{result.error()};
}

/// A machine with our kernels: tensors made and kernels run in it. Without a library nothing is compiled, and
/// kernels() tells what would have been launched. Functions throw Failure.
class Device {
public:
    Device(Machine& machine, KernelLibrary* library, std::stop_token stop = {})
        : m_machine(machine)
        , m_library(library)
        , m_stop(std::move(stop)) {}

    [[nodiscard]] Machine& machine() const { return m_machine; }
    [[nodiscard]] KernelLibrary* library() const { return m_library; }
    [[nodiscard]] const std::set<Kernel>& kernels() const { return m_kernels; } ///< launched so far
    void setStop(std::stop_token stop) { m_stop = std::move(stop); }
    void checkStop() const;

    /// A dense tensor with undefined elements:
    /// for callers that write all of them.
    [[nodiscard]] DeviceTensor make(tensor::DType dtype, tensor::Shape shape);
    [[nodiscard]] DeviceTensor upload(const tensor::Tensor& t);
    /// `t` has to be dense.
    [[nodiscard]] tensor::Tensor download(const DeviceTensor& t);

    /// A launch of blocks of `threads`.
    template <class Arguments>
    void launch(const Kernel& kernel, std::array<std::uint32_t, 3> grid, std::uint32_t threads,
                const Arguments& arguments) {
        launchBytes(kernel, grid, threads, std::as_bytes(std::span(&arguments, 1)));
    }
    /// One thread for each of `count` elements, or a loop over them in as many threads as fill the device
    /// well.
    template <class Arguments> void launchOver(const Kernel& kernel, std::int64_t count, const Arguments& arguments) {
        if (count <= 0) return;
        launch(kernel, {blocksFor(count), 1, 1}, threadsPerBlock, arguments);
    }
    static constexpr std::uint32_t threadsPerBlock = 256;

private:
    void launchBytes(const Kernel& kernel, std::array<std::uint32_t, 3> grid, std::uint32_t threads,
                     std::span<const std::byte> parameters);
    [[nodiscard]] std::uint32_t blocksFor(std::int64_t count) const;

    Machine& m_machine;
    KernelLibrary* m_library;
    std::stop_token m_stop;
    std::set<Kernel> m_kernels;
};

/// The name of an element type in the kernels: "float", "Long", "Bool", ...
[[nodiscard]] std::string cudaName(tensor::DType type);

/// Shape and strides of up to six operands as a kernel takes them, neighbouring dimensions merged. Error
/// "unsupported" beyond eight dimensions.
[[nodiscard]] Walk walkOf(const tensor::Shape& shape, std::span<const tensor::Shape> strides);

} // namespace kernelarium::operators
