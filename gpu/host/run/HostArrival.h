// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/host/cuda/CudaContext.h"
#include "gpu/host/tensors/TensorTable.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kernelarium::host {

/// A call of the CUDA runtime that may bring bytes from the device to host memory, or ends a wait. Made before the
/// call; what is at its destination then may have to stay there for a while (HostCopies).
class RuntimeArrival {
public:
    /// Both outlive it.
    RuntimeArrival(CudaContext& cuda, const ApiArguments& arguments);
    /// After the call, when it succeeded.
    void succeeded();

private:
    CudaContext& m_cuda;
    const ApiArguments& m_arguments;
    bool m_copies = false; ///< from the device to host memory
    std::uint64_t m_address = 0;
    std::uint64_t m_bytes = 0;
    std::optional<std::uint64_t> m_lateOn; ///< the stream, where the copy need not end with its call
    std::uint64_t m_stream = 0;
    std::vector<std::byte> m_before;
};

/// The same for an ATen operator, on PyTorch's current stream: to(), cpu(), copy_(), item() and whatever else takes a
/// tensor of the device and gives a number or a tensor of the CPU.
class OperatorArrival {
public:
    /// The arguments are those of the call.
    OperatorArrival(CudaContext& cuda, const TensorTable& table, const std::string& name, const PyItems& arguments);
    void ended(const PyItems& results);

private:
    CudaContext& m_cuda;
    const TensorTable& m_table;
    std::string m_name;
    bool m_fromDevice = false;
    bool m_toDevice = false;       ///< a tensor of the CPU goes there
    bool m_pins = false;           ///< its result lies in page-locked memory
    bool m_nonBlocking = false;    ///< so the caller asked
    std::int64_t m_target = 0;     ///< of copy_()
    std::uint64_t m_itemBytes = 0; ///< of an element that is read
    std::vector<std::byte> m_before;
};

} // namespace kernelarium::host
