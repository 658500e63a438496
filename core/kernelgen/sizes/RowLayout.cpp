// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernelgen/sizes/RowLayout.h"

namespace kernelarium::kernelgen {

RowLayout RowLayout::single(const Values& rows) {
    const Values ones(rows.size(), 1);
    return {Kind::rows, rows, ones, ones};
}

std::int64_t RowLayout::element(std::int64_t row, std::int64_t k, std::size_t size) const {
    const std::int64_t in = inner[size];
    switch (kind) {
    case Kind::columns: return (row / in * length[size] + k) * in + row % in;
    case Kind::channels: return (k / in * rows[size] + row) * in + k % in;
    default: return row * length[size] + k;
    }
}

std::int64_t RowLayout::row(std::int64_t element, std::size_t size) const {
    const std::int64_t in = inner[size];
    switch (kind) {
    case Kind::columns: return element / (in * length[size]) * in + element % in;
    case Kind::channels: return element / in % rows[size];
    default: return element / length[size];
    }
}

std::int64_t RowLayout::place(std::int64_t element, std::size_t size) const {
    const std::int64_t in = inner[size];
    switch (kind) {
    case Kind::columns: return element / in % length[size];
    case Kind::channels: return element / (in * rows[size]) * in + element % in;
    default: return element % length[size];
    }
}

std::optional<std::pair<std::size_t, std::size_t>> RowLayout::axes(const std::vector<algebra::Extents>& extents) const {
    const std::size_t rank = extents.front().size();
    const auto is = [&](std::size_t from, std::size_t to, const Values& count) {
        for (std::size_t s = 0; s < extents.size(); ++s) {
            std::int64_t product = 1;
            for (std::size_t a = from; a < to; ++a)
                product *= extents[s][a];
            if (product != count[s]) return false;
        }
        return true;
    };
    if (kind == Kind::rows) {
        for (std::size_t a = 0; a <= rank; ++a)
            if (is(0, a, rows) && is(a, rank, length)) return std::pair(a, a);
        for (std::size_t a = 0; a < rank; ++a) {
            bool isParted = true;
            for (std::size_t s = 0; s < extents.size() && isParted; ++s) {
                std::int64_t before = 1, behind = 1;
                for (std::size_t b = 0; b < rank; ++b)
                    (b < a ? before : behind) *= b == a ? 1 : extents[s][b];
                isParted = rows[s] % before == 0 && extents[s][a] % (rows[s] / before) == 0 &&
                           before * behind * extents[s][a] == rows[s] * length[s];
            }
            if (isParted) return std::pair(a, a + 1);
        }
        return std::nullopt;
    }
    const Values& middle = kind == Kind::columns ? length : rows;
    Values all(rows);
    for (std::size_t s = 0; s < all.size(); ++s)
        all[s] *= length[s];
    if (!is(0, rank, all)) return std::nullopt;
    for (std::size_t last = 0; last <= rank; ++last)
        for (std::size_t first = 0; first <= last; ++first)
            if (is(last, rank, inner) && is(first, last, middle)) return std::pair(first, last);
    return std::nullopt;
}

} // namespace kernelarium::kernelgen
