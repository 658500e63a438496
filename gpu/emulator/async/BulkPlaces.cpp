// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/async/BulkPlaces.h"

#include "gpu/emulator/async/BoxPieces.h"
#include "gpu/emulator/warp/AccessAddresses.h"

#include <cstring>

namespace kernelarium::emulator {

std::uint64_t addressIn(const Warp& w, const AddressOperand& o, std::uint32_t lane) {
    std::uint64_t base = 0;
    if (o.hasBase) base = o.isWide ? lanesOf<std::uint64_t>(w, o.base)[lane] : lanesOf<std::uint32_t>(w, o.base)[lane];
    return base + std::uint64_t(o.offset);
}

std::optional<std::array<std::byte, tensorMapBytes>> mapBytesAt(const Worker& k, std::uint64_t address) {
    std::array<std::byte, tensorMapBytes> bytes{};
    const std::uint64_t start = address >> window::shift << window::shift, offset = address - start;
    if (start == window::parameter && offset + bytes.size() <= k.parameterBytes)
        std::memcpy(bytes.data(), k.parameters + offset, bytes.size());
    else if (start == DeviceMemory::base && offset + bytes.size() <= k.memoryLimit)
        std::memcpy(bytes.data(), k.memory + offset, bytes.size());
    else
        return {};
    return bytes;
}

std::vector<BulkCopy::Piece> globalPieces(const Warp& w, const BulkOp& op, std::uint32_t lane) {
    using Kind = BulkOp::Kind;
    if (op.kind != Kind::toShared && op.kind != Kind::toGlobal) return {};
    const std::uint64_t global = addressIn(w, op.kind == Kind::toGlobal ? op.to : op.from, lane);
    if (!op.isTensor) return {{0, lanesOf<std::uint32_t>(w, op.size)[lane], global}};
    const auto bytes = mapBytesAt(*w.worker, global);
    const auto map = bytes ? decodeTensorMap(*bytes) : std::nullopt;
    if (!map || map->rank != op.dimensions) return {};
    std::array<std::int32_t, 5> first{};
    for (std::uint32_t d = 0; d < op.dimensions; ++d)
        first[d] = lanesOf<std::int32_t>(w, op.coordinates[d])[lane];
    std::vector<BulkCopy::Piece> pieces = boxPieces(*map, first, 0);
    std::erase_if(pieces, [](const BulkCopy::Piece& p) { return p.other == BulkCopy::Piece::filled; });
    return pieces;
}

} // namespace kernelarium::emulator
