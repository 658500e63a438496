// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/operators/Device.h"
#include "gpu/operators/SparingMachine.h"

#include <functional>
#include <list>
#include <memory>
#include <optional>

namespace kernelarium::operators {

class PlacedElements;

/// Tensors that are kept in a machine's memory while it has room for them. When it has none, those that were not used
/// for longest are put away: what can be made again is forgotten, the rest goes to this process's memory; they return
/// when they are asked for. Elements never change. Functions throw Failure.
class PlacedTensors {
public:
    using Recipe = std::function<DeviceTensor()>; ///< makes the elements again, the same bits

    /// Both outlive it; it outlives its tensors.
    PlacedTensors(Machine& machine, KernelLibrary& library);
    ~PlacedTensors();
    PlacedTensors(const PlacedTensors&) = delete;
    PlacedTensors& operator=(const PlacedTensors&) = delete;

    /// The machine with the room that can be made here.
    [[nodiscard]] Machine& machine() { return m_machine; }
    [[nodiscard]] Device& device() { return m_device; }

    /// The tensor, made dense, from now on.
    [[nodiscard]] tensor::Tensor keep(const DeviceTensor& t, Recipe again = {});
    /// Its elements on the device, dense, there as long as anybody holds them. A tensor of this process's memory is
    /// copied there.
    [[nodiscard]] DeviceTensor at(const tensor::Tensor& t);
    /// Its elements as they lie now: on the device, held there, or else in this process's memory. What was put away to
    /// be made again is made.
    struct Lying {
        std::optional<DeviceTensor> there;
        tensor::Tensor here;
        [[nodiscard]] std::uint64_t bytesToBring() const { return there ? 0 : here.byteCount(); }
    };
    [[nodiscard]] Lying lying(const tensor::Tensor& t);
    /// Its elements in this process's memory.
    [[nodiscard]] tensor::Tensor here(const tensor::Tensor& t);

    /// Puts away what nobody holds until so many bytes are free; gives how many it freed.
    std::uint64_t makeRoom(std::uint64_t bytes);
    [[nodiscard]] std::uint64_t possibleRoom() const;                 ///< bytes that makeRoom() could free
    [[nodiscard]] std::uint64_t putAway() const { return m_putAway; } ///< how often that was needed

private:
    friend class PlacedElements;
    [[nodiscard]] PlacedElements& elementsOf(const tensor::Tensor& t) const;
    void bringBack(PlacedElements& elements);
    std::uint64_t putAway(PlacedElements& elements);

    SparingMachine m_machine;
    Device m_device;
    std::list<PlacedElements*> m_there; ///< on the device, those used last in front
    std::uint64_t m_putAway = 0;
};

} // namespace kernelarium::operators
