// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/verify/Runner.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace kernelarium::verify {

/// Who stored last into each of many elements of an output: 16 bytes for an element.
struct WriterMap {
    static constexpr std::int64_t mostElements = std::int64_t(1) << 22;

    /// What many stores have in common: an instruction of a launch, or a call.
    struct Site {
        WriterInfo writer; ///< without block and thread
        std::array<std::uint32_t, 3> grid{1, 1, 1};
        std::array<std::uint32_t, 3> blockSize{1, 1, 1};
    };
    struct Mark {
        std::uint64_t block = 0;  ///< x + grid x * (y + grid y * z)
        std::uint32_t site = 0;   ///< index into `sites`
        std::uint32_t thread = 0; ///< likewise, in its block
    };

    std::size_t output = 0;
    std::int64_t first = 0;  ///< row-major number of the first element
    std::vector<Site> sites; ///< the first is nobody's
    std::vector<Mark> marks; ///< of the elements from `first` on

    /// Of an element that the map has.
    [[nodiscard]] WriterInfo writerOf(std::int64_t element) const;
};

/// A choice among the stores of a map: all of it that is given has to hold.
struct WriterFilter {
    int line = 0; ///< 0: any
    std::optional<std::uint32_t> launch = {};
    std::optional<std::array<std::uint32_t, 3>> block = {};
    std::optional<std::array<std::uint32_t, 3>> thread = {};

    [[nodiscard]] bool isEmpty() const { return line == 0 && !launch && !block && !thread; }
    bool operator==(const WriterFilter&) const = default;
};

/// Elements that such a store wrote last, in row-major order.
struct WrittenElements {
    std::int64_t count = 0;             ///< all of them
    std::vector<std::int64_t> elements; ///< the first, row-major numbers
    std::optional<std::int64_t> last;   ///< the last of all
};
[[nodiscard]] WrittenElements elementsWrittenBy(const WriterMap& map, const WriterFilter& filter, std::size_t most);

} // namespace kernelarium::verify
