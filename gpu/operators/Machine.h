// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "core/tensor/DType.h"

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kernelarium::operators {

/// Compiled kernels, to be loaded where they run: PTX always, a cubin where one was asked for.
struct KernelModule {
    std::string arch; ///< "sm_90"
    std::string ptx;
    std::vector<std::byte> cubin;
    std::vector<std::string> kernels; ///< names, as they are launched by
};

/// One launch. `parameters` is the kernel's parameter space: each of our kernels takes one struct.
struct MachineLaunch {
    std::string_view kernel;
    std::array<std::uint32_t, 3> grid{1, 1, 1};
    std::array<std::uint32_t, 3> block{1, 1, 1};
    std::uint32_t dynamicSharedBytes = 0;
    std::span<const std::byte> parameters;
};

/// What a machine is.
struct MachineFacts {
    std::string name;        ///< "emulator", "cuda"
    std::string arch;        ///< what to compile for: "sm_90"
    bool takesCubin = false; ///< modules should carry one
    std::uint32_t multiprocessors = 1;
};

/// c[i] = alpha * a[i] b[i] + bias + beta * c[i] for i below `batches`: [m, k] x [k, n]. Steps count elements; the
/// columns of c lie side by side. c is not read where beta is 0.
struct MatrixProduct {
    tensor::DType dtype = tensor::DType::Float32;
    std::int64_t m = 0, n = 0, k = 0, batches = 1;
    std::uint64_t a = 0, b = 0, c = 0;
    std::uint64_t bias = 0; ///< 0, or a number for each column, side by side
    std::int64_t aRow = 0, aColumn = 0, aBatch = 0;
    std::int64_t bRow = 0, bColumn = 0, bBatch = 0;
    std::int64_t cRow = 0, cBatch = 0;
    double alpha = 1, beta = 0;
    bool byCublasLt = false; ///< rather than by cuBLAS; with a bias always
};

/// A convolution over one to three dimensions, or its transpose, of dense tensors of one type: [batch, channels,
/// spatial...] with weights [channelsOut, channelsIn / groups, kernel...], those of a transpose [channelsIn,
/// channelsOut / groups, kernel...]. Spatial sizes are (depth, height, width), 1 where there are fewer dimensions.
struct ConvolutionShape {
    using Three = std::array<std::int64_t, 3>;
    tensor::DType dtype = tensor::DType::Float32;
    int dimensions = 2;
    bool transposed = false;
    bool biased = false;
    std::int64_t batch = 1, channelsIn = 1, channelsOut = 1, groups = 1;
    Three size{1, 1, 1}, kernel{1, 1, 1}, outSize{1, 1, 1}, stride{1, 1, 1}, padding{0, 0, 0}, dilation{1, 1, 1};
    auto operator<=>(const ConvolutionShape&) const = default;
};
/// A convolution and where its tensors are.
struct Convolution {
    ConvolutionShape shape;
    std::uint64_t in = 0, weight = 0, bias = 0, out = 0; ///< addresses; `bias` only where it is biased
};

/// out = (in - mean) / sqrt(variance + eps) * weight + bias for each channel of [batch, channels, run], dense. In
/// training mean and variance are those of the batch, and the numbers at `mean` and `variance` (0: there are none) move
/// towards them by `momentum`.
struct BatchNormalisation {
    tensor::DType dtype = tensor::DType::Float32;
    int dimensions = 4; ///< of the tensor
    bool training = false;
    std::int64_t batch = 1, channels = 1, run = 1;
    double eps = 0, momentum = 0;
    std::uint64_t in = 0, weight = 0, bias = 0, mean = 0, variance = 0, out = 0; ///< addresses
};

/// Recurrent layers over [time, batch, features], dense; out is [time, batch, directions * hidden], states and memories
/// are [layers * directions, batch, hidden]. Gates lie as PyTorch has them: input, forget, cell, output; or reset,
/// update, new.
struct RecurrentLayers {
    enum class Cell { relu, tanh, lstm, gru };
    tensor::DType dtype = tensor::DType::Float32;
    Cell cell = Cell::lstm;
    bool bidirectional = false, biased = true;
    std::int64_t time = 1, batch = 1, features = 1, hidden = 1, layers = 1;
    std::uint64_t in = 0, out = 0, state = 0, lastState = 0;
    std::uint64_t memory = 0, lastMemory = 0; ///< of an LSTM
    /// For each layer and direction: the input's weights, the state's, and their biases where there are any.
    std::vector<std::uint64_t> parameters;
};

/// What this room needs from a device: memory, and our own kernels run in it, in the order of the calls.
/// Launches may return before the kernel has ended; read() waits for everything before it. One thread at a
/// time.
///
/// Errors: "out_of_memory" of allocate, "launch_failed" of anything after a kernel that failed.
class Machine {
public:
    virtual ~Machine() = default;
    [[nodiscard]] virtual const MachineFacts& facts() const = 0;
    /// Bytes that may be allocated now.
    [[nodiscard]] virtual std::uint64_t freeBytes() const = 0;

    /// Its kernels can be launched from now on, until this machine ends.
    virtual Result<void> load(const KernelModule& module) = 0;
    [[nodiscard]] virtual bool has(std::string_view kernel) const = 0;

    /// Aligned to 256 bytes or more.
    /// Contents are undefined.
    virtual Result<std::uint64_t> allocate(std::uint64_t bytes, std::string_view label) = 0;
    /// May be called while kernels that use the memory are under way: it is not given out again before they
    /// end.
    virtual Result<void> release(std::uint64_t address) = 0;
    virtual Result<void> read(std::uint64_t address, std::span<std::byte> out) = 0;
    virtual Result<void> write(std::uint64_t address, std::span<const std::byte> bytes) = 0;
    virtual Result<void> copy(std::uint64_t to, std::uint64_t from, std::uint64_t bytes) = 0;

    virtual Result<void> launch(const MachineLaunch& launch) = 0;
    virtual Result<void> synchronize() = 0;

    /// Whether multiply() does this one: a machine may have a library of its own for products.
    [[nodiscard]] virtual bool multiplies(const MatrixProduct&) const { return false; }
    virtual Result<void> multiply(const MatrixProduct&) {
        return Error{"unsupported", "This machine has no library for matrix products."};
    }
    /// The same for convolutions.
    [[nodiscard]] virtual bool convolves(const ConvolutionShape&) const { return false; }
    virtual Result<void> convolve(const Convolution&) {
        return Error{"unsupported", "This machine has no library for convolutions."};
    }
    /// The same for batch normalisations, with a weight and a bias. Addresses do not matter to the first.
    [[nodiscard]] virtual bool normalises(const BatchNormalisation&) const { return false; }
    virtual Result<void> normalise(const BatchNormalisation&) {
        return Error{"unsupported", "This machine has no library for batch normalisations."};
    }
    /// The same for recurrent layers. Addresses do not matter to the first.
    [[nodiscard]] virtual bool recurs(const RecurrentLayers&) const { return false; }
    virtual Result<void> recur(const RecurrentLayers&) {
        return Error{"unsupported", "This machine has no library for recurrent layers."};
    }
};

} // namespace kernelarium::operators
