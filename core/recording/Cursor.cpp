// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recording/Cursor.h"

#include <algorithm>
#include <bit>

namespace kernelarium::recording {

namespace {

int lineOf(const Recording& r, std::size_t step) {
    return r.instructions[r.steps[step].instruction].line;
}

bool isOf(const Recording& r, std::size_t step, std::optional<std::uint32_t> warp) {
    return !warp || r.steps[step].warp == *warp;
}

void putLanes(std::vector<std::uint64_t>& values, const RegisterChange& change, const std::vector<std::uint64_t>& from,
              std::uint32_t words) {
    std::size_t k = 0;
    for (std::uint32_t m = change.lanes; m; m &= m - 1)
        for (std::uint32_t word = 0; word < words; ++word)
            values[std::size_t(std::countr_zero(m)) * words + word] = from[k++];
}

} // namespace

Cursor::Cursor(std::shared_ptr<const Recording> recording)
    : m_recording(std::move(recording))
    , m_shared(m_recording->sharedBase)
    , m_sharedWritten(m_recording->sharedWritten) {
    for (const RegisterState& s : m_recording->base)
        m_values[{s.warp, s.frame, s.reg}] = {s.written, s.values};
}

void Cursor::goTo(std::size_t taken) {
    taken = std::min(taken, m_recording->steps.size());
    while (m_taken < taken)
        forth(m_recording->steps[m_taken++]);
    while (m_taken > taken)
        back(m_recording->steps[--m_taken]);
}

void Cursor::forth(const Step& step) {
    for (const RegisterChange& c : step.registers) {
        const std::uint32_t words = m_recording->registers[c.reg].words;
        Values& v = m_values[{step.warp, step.frame, c.reg}];
        v.values.resize(std::size_t(laneCount) * words);
        v.written |= c.lanes;
        putLanes(v.values, c, c.after, words);
    }
    for (const SharedChange& c : step.shared) {
        m_shared[c.word] = c.after;
        if (c.fresh) m_sharedWritten[c.word] = 1;
    }
}

void Cursor::back(const Step& step) {
    for (auto c = step.registers.rbegin(); c != step.registers.rend(); ++c) {
        const std::uint32_t words = m_recording->registers[c->reg].words;
        // There already, unless a recording that nobody recorded says that it was unwritten twice.
        const auto at = m_values.try_emplace({step.warp, step.frame, c->reg}).first;
        at->second.values.resize(std::size_t(laneCount) * words);
        putLanes(at->second.values, *c, c->before, words);
        at->second.written &= ~c->fresh;
        if (at->second.written == 0) m_values.erase(at);
    }
    for (auto c = step.shared.rbegin(); c != step.shared.rend(); ++c) {
        m_shared[c->word] = c->before;
        if (c->fresh) m_sharedWritten[c->word] = 0;
    }
}

const Cursor::Values* Cursor::valuesOf(std::uint32_t warp, std::uint64_t frame, std::uint32_t reg) const {
    const auto at = m_values.find({warp, frame, reg});
    return at == m_values.end() ? nullptr : &at->second;
}

std::vector<std::uint32_t> Cursor::registersOf(std::uint32_t warp, std::uint64_t frame) const {
    std::vector<std::uint32_t> found;
    for (auto at = m_values.lower_bound({warp, frame, 0}); at != m_values.end(); ++at) {
        if (std::get<0>(at->first) != warp || std::get<1>(at->first) != frame) break;
        found.push_back(std::get<2>(at->first));
    }
    return found;
}

Found stepAfter(const Recording& r, Found from, std::optional<std::uint32_t> warp) {
    for (std::size_t k = from ? *from + 1 : 0; k < r.steps.size(); ++k)
        if (isOf(r, k, warp)) return k;
    return std::nullopt;
}

Found stepBefore(const Recording& r, Found from, std::optional<std::uint32_t> warp) {
    for (std::size_t k = from ? std::min(*from, r.steps.size()) : 0; k-- > 0;)
        if (isOf(r, k, warp)) return k;
    return std::nullopt;
}

Found nextLine(const Recording& r, Found from, std::optional<std::uint32_t> warp) {
    if (!from) return stepAfter(r, from, warp);
    const int line = lineOf(r, *from);
    Found k = stepAfter(r, from, warp);
    while (k && lineOf(r, *k) == line)
        k = stepAfter(r, k, warp);
    return k;
}

Found previousLine(const Recording& r, Found from, std::optional<std::uint32_t> warp) {
    if (!from) return std::nullopt;
    const int line = lineOf(r, *from);
    Found k = stepBefore(r, from, warp);
    while (k && lineOf(r, *k) == line)
        k = stepBefore(r, k, warp);
    if (!k) return std::nullopt;
    const int there = lineOf(r, *k);
    for (Found before = stepBefore(r, k, warp); before && lineOf(r, *before) == there; before = stepBefore(r, k, warp))
        k = before;
    return k;
}

Found nextBarrier(const Recording& r, Found from, std::optional<std::uint32_t> warp) {
    for (Found k = stepAfter(r, from, warp); k; k = stepAfter(r, k, warp))
        if (r.instructions[r.steps[*k].instruction].isBarrier) return k;
    return std::nullopt;
}

Found nextAtLine(const Recording& r, Found from, std::optional<std::uint32_t> warp, int line) {
    int previous = from ? lineOf(r, *from) : -1;
    for (Found k = stepAfter(r, from, warp); k; k = stepAfter(r, k, warp)) {
        const int here = lineOf(r, *k);
        if (here == line && previous != line) return k;
        previous = here;
    }
    return std::nullopt;
}

} // namespace kernelarium::recording
