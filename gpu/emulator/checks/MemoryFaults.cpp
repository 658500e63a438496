// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/checks/MemoryFaults.h"

#include "gpu/emulator/checks/LeftOut.h"

#include <bit>
#include <fmt/format.h>

namespace kernelarium::emulator {

namespace {

const char* verb(bool isStore) {
    return isStore ? "Write" : "Read";
}

std::string place(const Warp& w, std::uint64_t offset, std::uint32_t bytes, bool& hostOwned) {
    const std::uint64_t address = DeviceMemory::base + offset;
    const Allocation* a = w.worker->launch->memory->nearest(address);
    hostOwned = false;
    if (!a) return "no memory is allocated";
    const std::uint64_t end = a->address + a->bytes;
    if (address >= a->address && address + bytes <= end) {
        hostOwned = a->live;
        return fmt::format("inside {} ({} bytes){}", a->label, a->bytes, a->live ? "" : ", which was freed");
    }
    if (address >= a->address && address < end)
        return fmt::format("crossing the end of {} ({} bytes)", a->label, a->bytes);
    if (address >= end) return fmt::format("{} bytes past the end of {} ({} bytes)", address - end, a->label, a->bytes);
    return fmt::format("{} bytes before {} ({} bytes)", a->address - address, a->label, a->bytes);
}

void reportGlobal(Warp& w, const Inst* ip, std::uint32_t lanes, std::uint64_t offset, std::uint32_t bytes,
                  bool isStore) {
    bool insideOne = false;
    const std::string where = place(w, offset, bytes, insideOne);
    const std::uint64_t address = DeviceMemory::base + offset;
    const bool host = w.worker->hostOwner != nullptr;
    if (insideOne) {
        const char* whose = host ? "Host code" : "A kernel";
        const char* what = host ? "device memory" : "host memory";
        reportFault(w, ip, lanes, host ? "device_memory" : "host_memory",
                    fmt::format("{} accessed {} ({} of {} bytes at {:#x}, {}).", whose, what, verb(isStore), bytes,
                                address, where),
                    true);
        return;
    }
    reportFault(w, ip, lanes, "out_of_bounds",
                fmt::format("{} of {} bytes at {:#x}: {}.", verb(isStore), bytes, address, where), true);
}

void reportOutside(Warp& w, const Inst* ip, std::uint32_t lanes, const Region& r, std::uint64_t offset,
                   std::uint32_t bytes, bool isStore) {
    if (r.kind == Region::Kind::global) return reportGlobal(w, ip, lanes, offset, bytes, isStore);
    const bool shared = r.kind == Region::Kind::shared;
    const std::uint64_t limit = shared ? r.limit : w.localStride;
    const std::uint64_t shown = shared ? offset : offset % std::max(1u, w.localStride);
    reportFault(w, ip, lanes, "out_of_bounds",
                fmt::format("{} of {} bytes at offset {} of {} memory, which has {} bytes.", verb(isStore), bytes,
                            shown, shared ? "shared" : "local", limit),
                true);
}

void reportUninitialised(Warp& w, const Inst* ip, std::uint32_t lanes, const Region& r, std::uint64_t offset,
                         std::uint32_t bytes) {
    std::string where;
    if (r.kind == Region::Kind::global) {
        const Allocation* a = w.worker->launch->memory->find(DeviceMemory::base + offset);
        where = a ? fmt::format("byte {} of {}", DeviceMemory::base + offset - a->address, a->label) : "global memory";
    } else if (r.kind == Region::Kind::shared) {
        where = fmt::format("offset {} of shared memory", offset);
    } else {
        where = fmt::format("offset {} of local memory", offset % std::max(1u, w.localStride));
    }
    reportFault(w, ip, lanes, "uninitialised_read", fmt::format("Read of {} bytes never written: {}.", bytes, where),
                false);
}

std::uint64_t linear(const Dim3& at, const Dim3& size) {
    return at[0] + std::uint64_t(size[0]) * (at[1] + std::uint64_t(size[1]) * at[2]);
}

/// Notes all of the lanes that are about to store into the watched range, which has grains.
void markStores(const Warp& w, const Inst* ip, std::uint32_t lanes, const std::uint64_t* offsets, std::uint32_t bytes,
                WriteWatch& watch) {
    std::array<WriteWatch::LaneStore, laneCount> stores;
    std::size_t count = 0;
    for (std::uint32_t m = lanes; m; m &= m - 1) {
        const auto lane = std::uint32_t(std::countr_zero(m));
        const std::uint64_t address = DeviceMemory::base + offsets[lane];
        if (watch.overlaps(address, bytes)) stores[count++] = {address, w.index * laneCount + lane};
    }
    if (count == 0) return;
    const LaunchConfig* config = w.worker->launch->config;
    const auto site = [&] {
        Fault place = faultAt(w, ip, 0);
        WriteSite found;
        found.writer = {std::move(place.kernel), {}, {}, place.line, {}};
        if (config) found.grid = config->grid, found.blockSize = config->block;
        return found;
    };
    watch.noteLanes(ip, site, w.block && config ? linear(w.block->index, config->grid) : 0, {stores.data(), count},
                    bytes);
}

/// Notes the last of the lanes that is about to store into the watched range, if there is one.
void noteStores(const Warp& w, const Inst* ip, std::uint32_t lanes, const std::uint64_t* offsets, std::uint32_t bytes) {
    WriteWatch* watch = w.worker->launch->memory->watched();
    if (!watch) return;
    if (watch->grain()) return markStores(w, ip, lanes, offsets, bytes, *watch);
    for (std::uint32_t lane = laneCount; lane-- > 0;) {
        if (!((lanes >> lane) & 1u) || !watch->overlaps(DeviceMemory::base + offsets[lane], bytes)) continue;
        Fault place = faultAt(w, ip, lane);
        Writer writer{std::move(place.kernel), place.block, place.thread, place.line, {}};
        if (w.worker->launch->config) writer.blockSize = w.worker->launch->config->block;
        watch->note(std::move(writer));
        return;
    }
}

} // namespace

std::uint32_t faultyLanes(Warp& w, const Inst* ip, const Region& r, const std::uint64_t* offsets, std::uint32_t bytes,
                          AccessKind kind) {
    const bool isStore = kind == AccessKind::store;
    std::uint32_t outside = 0, misaligned = 0, uninitialised = 0;
    const std::uint8_t access = std::uint8_t(r.writable);
    const bool mayBeWatched = r.kind == Region::Kind::global && !w.worker->hostOwner;
    for (std::uint32_t m = w.active; m; m &= m - 1) {
        const auto lane = std::uint32_t(std::countr_zero(m));
        const std::uint64_t o = offsets[lane];
        const std::uint32_t bit = 1u << lane;
        if (o >= r.limit || bytes > r.limit - o) {
            outside |= bit;
            continue;
        }
        if (o & (std::min(bytes, 16u) - 1)) {
            misaligned |= bit;
            continue;
        }
        if (!r.states) continue;
        bool inside = true, written = true;
        for (std::uint32_t k = 0; k < bytes; ++k) {
            const std::uint8_t state = r.states[o + k];
            inside &= (state & access) == access || (mayBeWatched && (state & DeviceMemory::stateWatched));
            written &= (state & DeviceMemory::stateInitialised) != 0;
        }
        if (!inside)
            outside |= bit;
        else if (!isStore && !written)
            uninitialised |= bit;
    }
    const auto first = [&](std::uint32_t lanes) { return offsets[std::countr_zero(lanes)]; };
    if (outside) reportOutside(w, ip, outside, r, first(outside), bytes, isStore);
    if (misaligned)
        reportFault(w, ip, misaligned, "misaligned",
                    fmt::format("{} of {} bytes at an address that is not a multiple of {}.", verb(isStore), bytes,
                                std::min(bytes, 16u)),
                    false);
    if (uninitialised && w.worker->launch->options->sample.follow)
        uninitialised = notUnknown(w, r, uninitialised, offsets, bytes);
    if (uninitialised && r.kind == Region::Kind::shared && w.block->reads)
        for (std::uint32_t m = uninitialised; m; m &= m - 1) {
            const auto lane = std::uint32_t(std::countr_zero(m));
            if (w.block->reads->noteEarlyRead(w, ip, lane, offsets[lane], bytes)) uninitialised &= ~(1u << lane);
        }
    if (uninitialised) reportUninitialised(w, ip, uninitialised, r, first(uninitialised), bytes);
    const std::uint32_t good = w.active & ~outside & ~misaligned;
    if (mayBeWatched && r.states && kind != AccessKind::load) noteStores(w, ip, good, offsets, bytes);
    return good;
}

void reportBadAddresses(Warp& w, const Inst* ip, std::uint32_t lanes, const std::uint64_t* addresses,
                        std::uint32_t bytes, bool isStore) {
    const std::uint64_t address = addresses[std::countr_zero(lanes)];
    if (address < 4096) {
        reportFault(w, ip, lanes, "out_of_bounds",
                    fmt::format("{} of {} bytes through a null pointer ({:#x}).", verb(isStore), bytes, address), true);
        return;
    }
    reportFault(
        w, ip, lanes, "out_of_bounds",
        fmt::format("{} of {} bytes at {:#x}, which is not an address of this device.", verb(isStore), bytes, address),
        true);
}

} // namespace kernelarium::emulator
