// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verify/WriterMap.h"

namespace kernelarium::verify {

namespace {

std::array<std::uint32_t, 3> placeOf(std::uint64_t number, const std::array<std::uint32_t, 3>& size) {
    const std::uint64_t x = size[0] ? size[0] : 1, y = size[1] ? size[1] : 1;
    return {std::uint32_t(number % x), std::uint32_t(number / x % y), std::uint32_t(number / x / y)};
}

} // namespace

WriterInfo WriterMap::writerOf(std::int64_t element) const {
    const Mark& mark = marks.at(std::size_t(element - first));
    const Site& site = sites.at(mark.site);
    WriterInfo info = site.writer;
    if (info.kind != WriterInfo::Kind::kernel) return info;
    info.block = placeOf(mark.block, site.grid);
    info.thread = placeOf(mark.thread, site.blockSize);
    info.blockSize = site.blockSize;
    return info;
}

WrittenElements elementsWrittenBy(const WriterMap& map, const WriterFilter& filter, std::size_t most) {
    std::vector<bool> fits;
    for (const WriterMap::Site& site : map.sites)
        fits.push_back(site.writer.kind != WriterInfo::Kind::never &&
                       (filter.line == 0 || site.writer.line == filter.line) &&
                       (!filter.launch || site.writer.launch == filter.launch) &&
                       (site.writer.kind == WriterInfo::Kind::kernel || (!filter.block && !filter.thread)));
    WrittenElements found;
    for (std::size_t k = 0; k < map.marks.size(); ++k) {
        const WriterMap::Mark& mark = map.marks[k];
        if (!fits[mark.site]) continue;
        const WriterMap::Site& site = map.sites[mark.site];
        if (filter.block && placeOf(mark.block, site.grid) != *filter.block) continue;
        if (filter.thread && placeOf(mark.thread, site.blockSize) != *filter.thread) continue;
        const std::int64_t element = map.first + std::int64_t(k);
        if (found.elements.size() < most) found.elements.push_back(element);
        found.last = element;
        ++found.count;
    }
    return found;
}

} // namespace kernelarium::verify
