// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sqlite/FileKind.h"

#include <fmt/format.h>

namespace kernelarium::sqlite {

Refusal damaged(const FileKind& kind, const std::filesystem::path& path, std::string_view what) {
    return {{std::string(kind.damaged), fmt::format("The {} {} is damaged: {}.", kind.name, path.string(), what),
             fmt::format("It is left as it is. {}", kind.repair)}};
}

} // namespace kernelarium::sqlite
