// SPDX-License-Identifier: GPL-3.0-or-later
//
// EmulatorRun: who wrote what.
#include "core/text/KernelName.h"
#include "gpu/host/run/EmulatorRun.h"

#include <algorithm>
#include <cstring>

namespace kernelarium::host {

namespace {

verify::WriterInfo infoOf(const emulator::Writer& w) {
    using Kind = verify::WriterInfo::Kind;
    verify::WriterInfo info;
    info.kind = w.kernel.empty() ? Kind::call : Kind::kernel;
    if (!w.kernel.empty()) info.kernel = text::kernelTitle(w.kernel);
    info.block = w.block;
    info.thread = w.thread;
    info.line = w.line;
    info.call = w.call;
    info.launch = w.launch;
    info.blockSize = w.blockSize;
    return info;
}

/// The bytes from the lowest of these elements to the end of the highest.
struct ByteRange {
    std::uint64_t address = 0;
    std::uint64_t bytes = 0;
};
ByteRange rangeOf(const verify::WatchedElements& e) {
    std::uint64_t low = ~std::uint64_t(0), high = 0;
    for (std::int64_t k = e.first; k < e.first + e.count; ++k) {
        const std::uint64_t at = e.place.addressOf(k);
        if (at == 0) return {};
        low = std::min(low, at);
        high = std::max(high, at);
    }
    return e.count > 0 ? ByteRange{low, high + e.place.elementBytes - low} : ByteRange{};
}

/// A view with gaps takes a mark for each element that it passes over.
bool isSmallEnough(const ByteRange& range, const verify::WatchedElements& e) {
    return range.bytes > 0 && range.bytes / e.place.elementBytes <= 4 * std::uint64_t(verify::WriterMap::mostElements);
}

} // namespace

emulator::Writer EmulatorRun::hostWriter() const {
    const bool called = !m_session.currentCall().empty();
    emulator::Writer writer;
    writer.call = called ? m_session.currentCall() : "argument";
    writer.line = called ? m_session.currentLine() : 0;
    return writer;
}

void EmulatorRun::watch(const verify::WatchedElement& element) {
    const std::uint64_t address = element.place.addressOf(element.element);
    if (address == 0 || !m_options.checks) return;
    m_program->memory().watch(address, element.place.elementBytes, [this] { return hostWriter(); });
}

void EmulatorRun::watch(const verify::WatchedElements& elements) {
    const ByteRange range = rangeOf(elements);
    if (!isSmallEnough(range, elements) || !m_options.checks) return;
    m_program->memory().watch(
        range.address, range.bytes, [this] { return hostWriter(); }, elements.place.elementBytes);
}

std::optional<verify::WriterInfo> EmulatorRun::lastWriter(const verify::WatchedElement& element) const {
    const emulator::WriteWatch* watch = m_program->memory().watched();
    if (!watch) return std::nullopt;
    const std::vector<verify::OutputPlace> places = m_session.returnedPlaces();
    if (element.output >= places.size() || places[element.output].addressOf(element.element) != watch->address())
        return std::nullopt;
    const std::optional<emulator::Writer> last = watch->last();
    return last ? infoOf(*last) : verify::WriterInfo{};
}

verify::ElementHistory EmulatorRun::history(tensor::DType type) const {
    const emulator::WriteWatch* watch = m_program->memory().watched();
    verify::ElementHistory history;
    history.stores = watch->stores();
    tensor::Tensor one(type, {});
    for (const emulator::WatchedStore& store : watch->history()) {
        std::memcpy(one.bytes().data(), &store.before, std::min<std::size_t>(one.byteCount(), sizeof store.before));
        history.list.push_back({infoOf(store.writer), one.at(0)});
    }
    return history;
}

std::shared_ptr<const verify::WriterMap> EmulatorRun::writers(const verify::WatchedElements& elements) const {
    const emulator::WriteWatch* watch = m_program->memory().watched();
    const std::vector<verify::OutputPlace> places = m_session.returnedPlaces();
    if (!watch || elements.output >= places.size()) return nullptr;
    const verify::OutputPlace& place = places[elements.output];
    if (place.address != elements.place.address || place.strides != elements.place.strides ||
        place.sizes != elements.place.sizes || place.elementBytes != elements.place.elementBytes)
        return nullptr;
    auto map = std::make_shared<verify::WriterMap>();
    map->output = elements.output;
    map->first = elements.first;
    for (const emulator::WriteSite& site : watch->sites())
        map->sites.push_back({infoOf(site.writer), site.grid, site.blockSize});
    map->sites.front().writer = {}; // nobody
    map->marks.reserve(std::size_t(elements.count));
    for (std::int64_t k = elements.first; k < elements.first + elements.count; ++k) {
        const emulator::WriteMark& mark =
            watch->marks()[std::size_t((place.addressOf(k) - watch->address()) / watch->grain())];
        map->marks.push_back({mark.block, mark.site, mark.thread});
    }
    return map;
}

} // namespace kernelarium::host
