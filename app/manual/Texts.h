// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/manual/Manual.h"

#include <optional>

namespace kernelarium::manual {

/// page, bash, zsh, fish.
[[nodiscard]] const std::vector<std::string>& textKinds();

/// The program's manual page, or its completion for a shell. Empty for a kind that is not known.
[[nodiscard]] std::optional<std::string> textOf(const std::string& kind, const Program& program);

} // namespace kernelarium::manual
