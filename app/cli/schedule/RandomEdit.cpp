// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/schedule/RandomEdit.h"

#include "core/sass/instruction/Control.h"

#include <utility>

namespace kernelarium::cli {

bool editAnywhere(std::vector<sass::Word>& code, std::mt19937_64& random) {
    if (code.size() < 2) return false;
    const auto at = std::size_t(random() % code.size());
    sass::Control control = sass::controlOf(code[at]);
    const sass::Control before = control;
    switch (random() % 6) {
    case 0:
        if (control.stall < 2) return false;
        control.stall = 1 + int(random() % unsigned(control.stall - 1));
        if (control.stall == 1) control.yields = false;
        break;
    case 1:
        if (control.waits == 0) return false;
        control.waits &= control.waits - 1; // without the lowest
        break;
    case 2: control.writeBarrier = sass::noScoreboard; break;
    case 3: control.reuse = 0; break;
    case 4: control.yields = !control.yields; break;
    default: {
        const std::size_t other = at + 1 + std::size_t(random() % 4);
        if (other >= code.size() || code[at] == code[other]) return false;
        std::swap(code[at], code[other]);
        return true;
    }
    }
    code[at] = sass::withControl(code[at], control);
    return !(control == before);
}

} // namespace kernelarium::cli
