// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sass/instruction/Registers.h"

namespace kernelarium::sass {

std::string registerName(RegisterFile file, int index) {
    static const char* const prefixes[] = {"R", "UR", "P", "UP"};
    static const char* const constants[] = {"RZ", "URZ", "PT", "UPT"};
    if (index == constantIndex(file)) return constants[int(file)];
    return prefixes[int(file)] + std::to_string(index);
}

std::string registerName(Register one) {
    return registerName(one.file(), one.index());
}

std::vector<Register> RegisterSet::list() const {
    std::vector<Register> out;
    each([&](Register one) { out.push_back(one); });
    return out;
}

RegisterSet RegisterSet::of(RegisterFile file) const {
    RegisterSet out;
    each([&](Register one) {
        if (one.file() == file) out.add(one);
    });
    return out;
}

RegisterSet RegisterSet::all() {
    RegisterSet out;
    for (const RegisterFile file :
         {RegisterFile::general, RegisterFile::uniform, RegisterFile::predicate, RegisterFile::uniformPredicate})
        for (int i = 0; i < constantIndex(file); ++i)
            out.add(Register::of(file, i));
    return out;
}

std::string text(const RegisterSet& registers) {
    std::string out;
    const std::vector<Register> all = registers.list();
    for (std::size_t i = 0; i < all.size();) {
        std::size_t last = i;
        while (last + 1 < all.size() && all[last + 1].id == all[last].id + 1 && all[last + 1].file() == all[i].file())
            ++last;
        if (!out.empty()) out += ", ";
        out += registerName(all[i]);
        if (last > i) out += (last == i + 1 ? ", " : "..") + registerName(all[last]);
        i = last + 1;
    }
    return out;
}

} // namespace kernelarium::sass
