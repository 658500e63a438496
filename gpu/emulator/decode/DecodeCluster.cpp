// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/async/FarAccess.h"
#include "gpu/emulator/control/Control.h"
#include "gpu/emulator/decode/FunctionDecoder.h"

namespace kernelarium::emulator {

using ptx::OperandKind;
using ptx::Type;

bool FunctionDecoder::decodeCluster(I i) {
    if (i.opcode == "mov" && i.has("pred") && i.operands.size() == 2 && i.operands[1].kind == OperandKind::special &&
        i.operands[1].name == "%is_explicit_cluster") {
        const Opd d = registerOf(i.operands[0], i);
        emit(inCluster, i).d = d;
        return true;
    }
    if (i.opcode == "elect") {
        operandCount(i, 2);
        if (i.operands[0].kind != OperandKind::pair) unsupported(i, "without a predicate");
        const Opd lane = registerOf(i.operands[0].items[0], i), chosen = registerOf(i.operands[0].items[1], i);
        Inst& inst = emit(electLane, i);
        inst.d = lane;
        inst.e = chosen;
        return true;
    }
    if (i.opcode == "mapa" || i.opcode == "getctarank") {
        const bool maps = i.opcode == "mapa";
        operandCount(i, maps ? 3 : 2);
        if (i.operands[1].kind != OperandKind::reg) unsupported(i, "of a variable's name");
        const bool wideAddress = widthOf(i.operands[1]) == 8;
        if (maps && wideAddress != (widthOf(i.operands[0]) == 8)) unsupported(i, "an address of another width");
        const Opd a = source(i.operands[1], wideAddress ? Type::b64 : Type::b32, i);
        const Opd rank = maps ? source(i.operands[2], Type::b32, i) : Opd{};
        Inst& inst = emit(maps ? mapAddress : rankOfAddress, i);
        inst.d = destination(i.operands[0], i);
        inst.a = a;
        inst.b = rank;
        inst.bits = wideAddress;
        return true;
    }
    if (i.opcode == "createpolicy") { // what to keep in the L2 cache; the policy's bits mean nothing here
        operandCount(i, 1);
        Key k;
        k.op = Op::mov;
        k.type = Type::b64;
        k.destinationBytes = k.sourceBytes = 8;
        Inst& inst = emit(m_context.lanes.move(k), i);
        inst.d = destination(i.operands[0], i);
        inst.a = m_context.constant(0, 8);
        return true;
    }
    return false;
}

void FunctionDecoder::allowFar(Handler shared, bool generic, bool wide) {
    Inst& inst = m_body.instructions.back();
    FarAccess access{inst, inst};
    access.far.fn = shared;
    access.far.a = {Opd::special, special::farOffset * special::bytes};
    access.far.imm = 0;
    access.far.bits &= std::uint8_t(~(addressing::noBase | addressing::frameBase | addressing::wideBase));
    inst.fn = farAccess;
    inst.aux = std::uint32_t(m_context.code.farAccesses.size());
    inst.vector = std::uint8_t((generic ? 1 : 0) | (wide ? 2 : 0));
    m_context.code.farAccesses.push_back(access);
}

} // namespace kernelarium::emulator
