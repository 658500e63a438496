// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/code/CalledFunctions.h"

#include <map>
#include <set>

namespace kernelarium::emulator {

namespace {

using ptx::Operand;

void collectNames(const Operand& o, std::set<std::string_view>& found) {
    if (o.kind == ptx::OperandKind::symbol) found.insert(o.name);
    for (const Operand& item : o.items)
        collectNames(item, found);
}

} // namespace

std::vector<const ptx::Function*> calledFrom(const ptx::Module& module, const ptx::Function& function) {
    std::map<std::string_view, const ptx::Function*> defined;
    for (const ptx::Function& f : module.functions)
        if (f.isDefined) defined[f.name] = &f;
    std::vector<const ptx::Function*> found{&function};
    std::set<std::string_view> reached{function.name};
    for (std::size_t k = 0; k < found.size(); ++k) {
        std::set<std::string_view> names;
        for (const ptx::Instruction& i : found[k]->instructions)
            if (i.opcode == "call")
                for (const Operand& o : i.operands)
                    collectNames(o, names);
        for (const std::string_view name : names)
            if (const auto at = defined.find(name); at != defined.end() && reached.insert(name).second)
                found.push_back(at->second);
    }
    return found;
}

} // namespace kernelarium::emulator
