// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/editor/SourceIndex.h"

namespace kernelarium::ui {

/// Every definition of a text in pieces, in the order in which it finds them. See SourceIndex.
[[nodiscard]] std::vector<SourceDefinition> readDefinitions(std::string_view text,
                                                            const std::vector<tuning::CodeToken>& code);

} // namespace kernelarium::ui
