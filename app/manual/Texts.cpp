// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/manual/Texts.h"

#include "app/manual/ManualPage.h"
#include "app/manual/ShellCompletion.h"

namespace kernelarium::manual {

const std::vector<std::string>& textKinds() {
    static const std::vector<std::string> kinds{"page", "bash", "zsh", "fish"};
    return kinds;
}

std::optional<std::string> textOf(const std::string& kind, const Program& program) {
    if (kind == "page") return manualPage(program);
    if (kind == "bash") return bashCompletion(program);
    if (kind == "zsh") return zshCompletion(program);
    if (kind == "fish") return fishCompletion(program);
    return {};
}

} // namespace kernelarium::manual
