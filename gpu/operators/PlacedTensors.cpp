// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/operators/PlacedTensors.h"

#include "core/task/MemoryNeed.h"
#include "gpu/operators/Elementwise.h"

#include <new>

namespace kernelarium::operators {

using tensor::Tensor;

/// The elements of one tensor: on the device, or put away.
class PlacedElements final : public tensor::Elsewhere {
public:
    PlacedElements(PlacedTensors& owner, DeviceTensor there, PlacedTensors::Recipe again)
        : owner(owner)
        , there(std::move(there))
        , again(std::move(again)) {
        owner.m_there.push_front(this);
        place = owner.m_there.begin();
    }
    ~PlacedElements() override {
        if (there) owner.m_there.erase(place);
    }

    [[nodiscard]] bool isHeld() const { return there->storage.use_count() > 1; }
    [[nodiscard]] std::uint64_t bytes() const { return there->storage->bytes(); }

    PlacedTensors& owner;
    std::optional<DeviceTensor> there; ///< dense
    PlacedTensors::Recipe again;       ///< may be empty
    Tensor here;                       ///< while it is put away and cannot be made again
    std::list<PlacedElements*>::iterator place;
};

PlacedTensors::PlacedTensors(Machine& machine, KernelLibrary& library)
    : m_machine(machine, {[this](std::uint64_t bytes) { return makeRoom(bytes); }, [this] { return possibleRoom(); }})
    , m_device(m_machine, &library) {}

PlacedTensors::~PlacedTensors() = default;

Tensor PlacedTensors::keep(const DeviceTensor& t, Recipe again) {
    DeviceTensor own = dense(m_device, t);
    const tensor::Shape shape = own.shape;
    const tensor::DType type = own.dtype;
    return Tensor::placed(type, shape, std::make_shared<PlacedElements>(*this, std::move(own), std::move(again)));
}

PlacedElements& PlacedTensors::elementsOf(const Tensor& t) const {
    auto* elements = dynamic_cast<PlacedElements*>(t.elsewhere().get());
    if (!elements || &elements->owner != this)
        throw Failure{{"internal", "A tensor's elements are not where they are expected."}};
    return *elements;
}

void PlacedTensors::bringBack(PlacedElements& e) {
    DeviceTensor there = e.again ? e.again() : m_device.upload(e.here);
    e.there = std::move(there);
    e.here = Tensor();
    m_there.push_front(&e);
    e.place = m_there.begin();
}

DeviceTensor PlacedTensors::at(const Tensor& t) {
    if (!t.elsewhere()) return m_device.upload(t);
    PlacedElements& e = elementsOf(t);
    if (e.there)
        m_there.splice(m_there.begin(), m_there, e.place);
    else
        bringBack(e);
    DeviceTensor seen = *e.there;
    return seen.shape == t.shape() ? seen : reshaped(m_device, seen, t.shape());
}

PlacedTensors::Lying PlacedTensors::lying(const Tensor& t) {
    if (!t.elsewhere()) return {std::nullopt, t};
    const PlacedElements& e = elementsOf(t);
    if (e.there || e.again) return {at(t), {}};
    return {std::nullopt, e.here.reshaped(t.shape())};
}

Tensor PlacedTensors::here(const Tensor& t) {
    return t.elsewhere() ? m_device.download(at(t)) : t;
}

/// The bytes that this freed; 0 where the elements have to stay.
std::uint64_t PlacedTensors::putAway(PlacedElements& e) {
    const std::uint64_t bytes = e.bytes();
    if (!e.again) {
        const std::optional<std::uint64_t> room = task::availableMemory();
        if (room && *room < 2 * bytes) return 0;
        try {
            e.here = m_device.download(*e.there);
        } catch (const Failure&) {
            return 0;
        } catch (const std::bad_alloc&) {
            return 0;
        }
    }
    m_there.erase(e.place);
    e.there.reset();
    ++m_putAway;
    return bytes;
}

std::uint64_t PlacedTensors::makeRoom(std::uint64_t bytes) {
    std::uint64_t freed = 0;
    for (const bool cheaply : {true, false})
        for (auto next = m_there.end(); next != m_there.begin() && freed < bytes;) {
            PlacedElements& e = **--next;
            if (e.isHeld() || e.bytes() == 0 || (e.again != nullptr) != cheaply) continue;
            const auto after = std::next(next);
            const std::uint64_t won = putAway(e);
            freed += won;
            if (won > 0) next = after;
        }
    return freed;
}

std::uint64_t PlacedTensors::possibleRoom() const {
    std::uint64_t bytes = 0;
    for (const PlacedElements* e : m_there)
        if (!e->isHeld()) bytes += e->bytes();
    return bytes;
}

} // namespace kernelarium::operators
