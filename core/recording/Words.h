// SPDX-License-Identifier: GPL-3.0-or-later
// How values and addresses of a recording are shown, the same on the command line and in the window.
#pragma once

#include "core/recording/Recording.h"

#include <span>
#include <string>
#include <string_view>

namespace kernelarium::recording {

enum class Format {
    byType,   ///< as the register's or instruction's type has it
    integer,  ///< signed
    floating, ///< of the width: 2 bytes as f16
    hex,
};

/// Bits as a value of the PTX type ("f32", "u64", "b16", "pred", ...); bit types are shown as integers, 8-byte ones
/// that look like device addresses and 16-byte ones in hex.
[[nodiscard]] std::string valueText(std::span<const std::uint64_t> words, std::string_view type,
                                    Format format = Format::byType);

/// What a register's lanes hold in a few characters: "7" where all lanes agree, "0 … 31 (step 1)" where neighbours
/// differ by the same, "12 values" else. `values` has `words` words for each of the 32 lanes.
[[nodiscard]] std::string summaryText(std::span<const std::uint64_t> values, std::uint32_t words, std::uint32_t lanes,
                                      std::string_view type, Format format = Format::byType);

/// "argument 1 + 128", "shared + 64", "local + 8", "argument 2 + 4096 (past its 4096 bytes)", "0x10".
[[nodiscard]] std::string addressText(const Recording& recording, Space space, std::uint64_t address);

/// "all 32", "none", "0-15, 17".
[[nodiscard]] std::string lanesText(std::uint32_t lanes);

[[nodiscard]] std::string_view name(Space space);

/// Whether a value of this type means a floating-point number.
[[nodiscard]] bool isFloating(std::string_view type);

} // namespace kernelarium::recording
