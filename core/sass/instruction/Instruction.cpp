// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sass/instruction/Instruction.h"

namespace kernelarium::sass {

std::string_view name(Unit unit) {
    switch (unit) {
    case Unit::integer: return "integer";
    case Unit::floating: return "floating-point";
    case Unit::multiply: return "integer multiply";
    case Unit::half: return "half-precision";
    case Unit::doubled:
    case Unit::queuedDouble: return "double-precision";
    case Unit::halfMatrix: return "half-precision matrix";
    case Unit::matrix: return "matrix";
    case Unit::uniform: return "uniform";
    case Unit::uniformMove: return "uniform move";
    case Unit::toUniform: return "to uniform";
    case Unit::branch: return "branch";
    case Unit::doubleMatrix: return "double-precision matrix";
    case Unit::conversion: return "special function";
    case Unit::memory: return "memory";
    case Unit::special: return "special register";
    case Unit::unknown: break;
    }
    return "unknown";
}

bool isVariable(Unit unit) {
    return unit > Unit::branch;
}

std::string_view name(Fence fence) {
    switch (fence) {
    case Fence::none: return "none";
    case Fence::controlFlow: return "control flow";
    case Fence::barrier: return "barrier";
    case Fence::asynchronous: return "asynchronous unit";
    case Fence::atomic: return "atomic access";
    case Fence::strong: return "ordered access";
    case Fence::clock: return "changing special register";
    case Fence::predicates: return "all predicates at once";
    case Fence::neverRuns: return "never executed";
    case Fence::padding: return "padding";
    case Fence::listed: return "its place is listed in the cubin";
    case Fence::unknown: break;
    }
    return "unknown operation";
}

int Instruction::slot(char letter) const {
    for (const Operand& operand : operands)
        if (operand.slot == letter && operand.kind == Operand::Kind::general) return operand.index;
    return constantIndex(RegisterFile::general);
}

} // namespace kernelarium::sass
