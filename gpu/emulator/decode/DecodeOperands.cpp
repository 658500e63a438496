// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/control/Control.h"
#include "gpu/emulator/decode/FunctionDecoder.h"

#include <bit>
#include <cfenv>
#include <fmt/format.h>

namespace kernelarium::emulator {

using ptx::OperandKind;
using ptx::Space;
using ptx::Type;

int roundingMode(Rounding r) {
    switch (r) {
    case Rounding::rz: return FE_TOWARDZERO;
    case Rounding::rm: return FE_DOWNWARD;
    case Rounding::rp: return FE_UPWARD;
    default: return FE_TONEAREST;
    }
}

Opd FunctionDecoder::predicateOf(int reg) const {
    return {Opd::frame, m_registerOffset[std::size_t(reg)]};
}

std::uint32_t FunctionDecoder::widthOf(const ptx::Operand& o) const {
    if (o.kind != OperandKind::reg) return 0;
    return std::max(2u, ptx::byteSize(m_function.registers[std::size_t(o.reg)].type));
}

Opd FunctionDecoder::registerOf(const ptx::Operand& o, I i) const {
    if (o.kind == OperandKind::wildcard) {
        Opd none;
        none.value = ~0u;
        return none;
    }
    if (o.kind != OperandKind::reg)
        throw DecodeFailure{"bad_ptx", fmt::format("PTX line {}: {} wants a register.", i.textLine, i.opcode)};
    return {Opd::frame, m_registerOffset[std::size_t(o.reg)]};
}

Opd FunctionDecoder::destination(const ptx::Operand& o, I i) const {
    return registerOf(o, i);
}

std::optional<Opd> FunctionDecoder::specialRegister(std::string_view name) const {
    static const std::pair<std::string_view, special::Slot> names[] = {
        {"%tid.x", special::tidX},
        {"%tid.y", special::tidY},
        {"%tid.z", special::tidZ},
        {"%ntid.x", special::ntidX},
        {"%ntid.y", special::ntidY},
        {"%ntid.z", special::ntidZ},
        {"%ctaid.x", special::ctaidX},
        {"%ctaid.y", special::ctaidY},
        {"%ctaid.z", special::ctaidZ},
        {"%nctaid.x", special::nctaidX},
        {"%nctaid.y", special::nctaidY},
        {"%nctaid.z", special::nctaidZ},
        {"%clusterid.x", special::clusterIdX},
        {"%clusterid.y", special::clusterIdY},
        {"%clusterid.z", special::clusterIdZ},
        {"%nclusterid.x", special::nclusterIdX},
        {"%nclusterid.y", special::nclusterIdY},
        {"%nclusterid.z", special::nclusterIdZ},
        {"%cluster_ctaid.x", special::clusterCtaidX},
        {"%cluster_ctaid.y", special::clusterCtaidY},
        {"%cluster_ctaid.z", special::clusterCtaidZ},
        {"%cluster_nctaid.x", special::clusterNctaidX},
        {"%cluster_nctaid.y", special::clusterNctaidY},
        {"%cluster_nctaid.z", special::clusterNctaidZ},
        {"%cluster_ctarank", special::clusterRank},
        {"%cluster_nctarank", special::clusterSize},
        {"%laneid", special::laneId},
        {"%warpid", special::warpId},
        {"%nwarpid", special::nwarpId},
        {"%lanemask_eq", special::lanemaskEq},
        {"%lanemask_lt", special::lanemaskLt},
        {"%lanemask_le", special::lanemaskLe},
        {"%lanemask_gt", special::lanemaskGt},
        {"%lanemask_ge", special::lanemaskGe},
        {"%smid", special::smId},
        {"%nsmid", special::nsmId},
        {"%dynamic_smem_size", special::dynamicShared},
        {"%total_smem_size", special::totalShared},
        // What the driver puts there is for the grid groups of <cooperative_groups.h> alone.
        {"%envreg1", special::gridBarrierHigh},
        {"%envreg2", special::gridBarrierLow},
    };
    for (const auto& [text, slot] : names)
        if (text == name) return Opd{Opd::special, slot * special::bytes};
    return std::nullopt;
}

std::uint64_t FunctionDecoder::immediate(const ptx::Operand& o, Type type, I i) const {
    switch (o.kind) {
    case OperandKind::integer:
        // An integer literal in a floating instruction is a mistake that ptxas refuses too.
        return o.bits;
    case OperandKind::float32:
        return type == Type::f64 ? std::bit_cast<std::uint64_t>(double(std::bit_cast<float>(std::uint32_t(o.bits))))
                                 : o.bits;
    case OperandKind::float64:
        return type == Type::f32 ? std::bit_cast<std::uint32_t>(float(std::bit_cast<double>(o.bits))) : o.bits;
    default: break;
    }
    throw DecodeFailure{"bad_ptx", fmt::format("PTX line {}: {} wants a number.", i.textLine, i.opcode)};
}

std::optional<std::uint64_t> FunctionDecoder::symbolAddress(const ptx::Operand& o) const {
    const std::string name(o.name);
    const auto function = m_context.functionOf.find(o.name);
    if (function != m_context.functionOf.end()) return window::function + function->second * window::functionStep;
    const auto symbol = m_context.code.symbolAddress.find(name);
    if (symbol != m_context.code.symbolAddress.end()) return symbol->second + std::uint64_t(o.offset);
    return std::nullopt;
}

const ptx::Variable* FunctionDecoder::sharedVariable(const ptx::Operand& o) const {
    if (o.variable >= 0) {
        const ptx::Variable& v = m_function.variables[std::size_t(o.variable)];
        const bool ownSlot = v.space == Space::shared && (!m_function.isKernel || v.isUnsized);
        return ownSlot ? &v : nullptr;
    }
    for (const ptx::Variable& v : m_context.module.variables)
        if (v.space == Space::shared && v.name == o.name) return &v;
    return nullptr;
}

Opd FunctionDecoder::source(const ptx::Operand& o, Type type, I i) {
    const std::uint32_t bytes = std::max(2u, ptx::byteSize(type));
    switch (o.kind) {
    case OperandKind::reg: {
        const std::uint32_t width = widthOf(o);
        if (m_function.registers[std::size_t(o.reg)].type == Type::pred && type != Type::pred)
            throw DecodeFailure{"bad_ptx",
                                fmt::format("PTX line {}: {} takes no predicate here.", i.textLine, i.opcode)};
        if (width < bytes)
            throw DecodeFailure{
                "bad_ptx", fmt::format("PTX line {}: register {} is too narrow for {}.", i.textLine, o.name, i.opcode)};
        if (width > bytes) unsupported(i, fmt::format("register {} is wider than the operand", o.name));
        return registerOf(o, i);
    }
    case OperandKind::special: {
        if (o.name == "WARP_SZ") return m_context.constant(32, bytes);
        m_context.code.readsCluster |= o.name.find("cluster") != std::string_view::npos;
        const auto opd = specialRegister(o.name);
        if (!opd || bytes != 4) unsupported(i, fmt::format("special register {}", o.name));
        return *opd;
    }
    case OperandKind::symbol: {
        if (o.name == "WARP_SZ") return m_context.constant(32, bytes);
        const auto address = symbolAddress(o);
        if (!address || bytes != 8) unsupported(i, fmt::format("operand {}", o.name));
        const auto function = m_context.functionOf.find(o.name);
        if (function != m_context.functionOf.end()) m_callees.insert(function->second);
        return m_context.constant(*address, 8);
    }
    case OperandKind::integer:
    case OperandKind::float32:
    case OperandKind::float64: {
        std::uint64_t bits = immediate(o, type, i);
        if (bytes < 8) bits &= (std::uint64_t(1) << (8 * bytes)) - 1;
        return m_context.constant(bits, bytes);
    }
    default: unsupported(i, "operand form");
    }
}

Opd FunctionDecoder::sourcePredicate(const ptx::Operand& o, I i) {
    if (o.kind == OperandKind::reg && m_function.registers[std::size_t(o.reg)].type == Type::pred)
        return registerOf(o, i);
    if (o.kind == OperandKind::integer) return m_context.constant(o.bits ? ~std::uint64_t(0) : 0, 8);
    throw DecodeFailure{"bad_ptx", fmt::format("PTX line {}: {} wants a predicate.", i.textLine, i.opcode)};
}

Space FunctionDecoder::address(Inst& inst, const ptx::Operand& o, Space space, I i) {
    m_accessSpace = placeAddress(inst, o, space, i);
    m_accessIsWide = o.reg < 0 || widthOf({OperandKind::reg, false, o.reg, -1, 0, 0, {}, {}}) == 8;
    return m_accessSpace;
}

Space FunctionDecoder::placeAddress(Inst& inst, const ptx::Operand& o, Space space, I i) {
    using addressing::frameBase;
    using addressing::noBase;
    if (o.kind != OperandKind::address)
        throw DecodeFailure{"bad_ptx", fmt::format("PTX line {}: {} wants an address.", i.textLine, i.opcode)};
    if (!o.items.empty()) unsupported(i, "an address with coordinates");
    inst.imm = o.offset;
    if (o.reg >= 0) {
        inst.a = {Opd::frame, m_registerOffset[std::size_t(o.reg)]};
        // A function's parameters are local memory; so are addresses taken of them.
        return space == Space::param && !m_function.isKernel ? Space::local : space;
    }
    if (o.name.empty()) {
        inst.bits |= noBase;
        return space;
    }
    const auto parameter = [&](const std::vector<ptx::Variable>& list,
                               const std::vector<std::uint32_t>& offsets) -> std::int64_t {
        for (std::size_t k = 0; k < list.size(); ++k)
            if (list[k].name == o.name) return offsets[k];
        return -1;
    };
    if (o.variable >= 0) {
        const ptx::Variable& v = m_function.variables[std::size_t(o.variable)];
        if (v.space != Space::shared) {
            inst.bits |= frameBase;
            inst.imm += m_variableOffset[std::size_t(o.variable)];
            return Space::local;
        }
        if (!sharedVariable(o)) {
            inst.bits |= noBase;
            inst.imm += m_variableOffset[std::size_t(o.variable)];
            return Space::shared;
        }
    }
    if (space == Space::param || space == Space::generic) {
        std::int64_t at = parameter(m_function.parameters, m_body.parameterOffsets);
        if (at < 0 && !m_function.isKernel) at = parameter(m_function.results, m_body.resultOffsets);
        if (at >= 0) {
            inst.imm += at;
            inst.bits |= m_function.isKernel ? noBase : frameBase;
            return m_function.isKernel ? Space::param : Space::local;
        }
    }
    if (const ptx::Variable* v = sharedVariable(o)) {
        const std::size_t slot = m_context.slotOf.at(v);
        m_slots.insert(slot);
        inst.a = m_context.sharedSlots[slot].lanes;
        return Space::shared;
    }
    const auto address = symbolAddress(o);
    if (!address) unsupported(i, fmt::format("address of {}", o.name));
    inst.bits |= noBase;
    inst.imm = std::int64_t(*address);
    return Space::generic;
}

} // namespace kernelarium::emulator
