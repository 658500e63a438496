// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/device/memory/SlabArena.h"

#include <algorithm>
#include <fmt/format.h>

namespace kernelarium::device {

SlabArena::~SlabArena() {
    for (const auto& [address, slab] : m_slabs)
        m_source.giveBack(slab);
}

SlabArena::Pieces::iterator SlabArena::bestGap(std::uint64_t bytes) {
    auto best = m_pieces.end();
    for (auto piece = m_pieces.begin(); piece != m_pieces.end(); ++piece)
        if (!piece->second.inUse && piece->second.bytes >= bytes &&
            (best == m_pieces.end() || piece->second.bytes < best->second.bytes))
            best = piece;
    return best;
}

Result<std::uint64_t> SlabArena::takeSlab(std::uint64_t bytes, bool inUse) {
    const Result<Slab> slab = m_source.take(bytes + alignment);
    if (!slab) return slab.error();
    const std::uint64_t start = (slab->address + alignment - 1) / alignment * alignment;
    const std::uint64_t size = (slab->address + slab->bytes - start) / alignment * alignment;
    m_slabs.emplace(start, *slab);
    m_pieces.emplace(start, Piece{size, start, inUse});
    (inUse ? m_used : m_unused) += size;
    return start;
}

Result<std::uint64_t> SlabArena::allocate(std::uint64_t bytes) {
    const std::uint64_t size = (std::max<std::uint64_t>(bytes, 1) + alignment - 1) / alignment * alignment;
    if (size >= largeBytes) return takeSlab(size, true);
    auto gap = bestGap(size);
    if (gap == m_pieces.end()) {
        if (Result<std::uint64_t> more = takeSlab(size, false); !more) return more.error();
        gap = bestGap(size);
    }
    const std::uint64_t address = gap->first, rest = gap->second.bytes - size;
    if (rest > 0) m_pieces.emplace(address + size, Piece{rest, gap->second.slab, false});
    gap->second.bytes = size;
    gap->second.inUse = true;
    m_used += size;
    m_unused -= size;
    return address;
}

void SlabArena::join(Pieces::iterator first, Pieces::iterator second) {
    if (first->second.inUse || second->second.inUse || first->second.slab != second->second.slab) return;
    first->second.bytes += second->second.bytes;
    m_pieces.erase(second);
}

Result<void> SlabArena::release(std::uint64_t address) {
    auto piece = m_pieces.find(address);
    if (piece == m_pieces.end() || !piece->second.inUse)
        return Error{"bad_free", fmt::format("{:#x} is not the start of a piece in use.", address)};
    piece->second.inUse = false;
    m_used -= piece->second.bytes;
    m_unused += piece->second.bytes;
    if (const auto after = std::next(piece); after != m_pieces.end()) join(piece, after);
    const std::uint64_t slab = piece->second.slab;
    if (piece != m_pieces.begin()) join(std::prev(piece), piece);
    // A slab's first piece starts where the slab does: does nothing follow it there?
    const auto first = m_pieces.find(slab);
    const auto next = std::next(first);
    const bool whole = !first->second.inUse && (next == m_pieces.end() || next->second.slab != slab);
    if (!whole) return {};
    m_unused -= first->second.bytes;
    m_pieces.erase(first);
    const auto held = m_slabs.find(slab);
    m_source.giveBack(held->second);
    m_slabs.erase(held);
    return {};
}

} // namespace kernelarium::device
