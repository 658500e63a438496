// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/run/Splits.h"

#include "gpu/emulator/control/Control.h"

namespace kernelarium::emulator {

namespace {

bool samePlace(const Split& a, const Split& b) {
    if (a.state != Split::State::ready || b.state != Split::State::ready || a.ip != b.ip) return false;
    if (a.frames.size() != b.frames.size()) return false;
    for (std::size_t k = 0; k < a.frames.size(); ++k) {
        const Frame &x = a.frames[k], &y = b.frames[k];
        if (x.function != y.function || x.call != y.call || x.localBase != y.localBase || x.pending || y.pending)
            return false;
    }
    return true;
}

/// Adds lanes to the joins that the path ending at `meet` will pass, from the top of the frame's paths down.
void addToJoins(Split& s, std::uint32_t lanes) {
    const Inst* meet = s.reconverge;
    std::size_t top = s.paths.size();
    for (std::size_t f = s.frames.size(); f-- > 0;) {
        for (std::size_t k = top; k-- > s.frames[f].pathBase;)
            if (meet && s.paths[k].pc == meet) {
                s.paths[k].mask |= lanes;
                meet = s.paths[k].reconverge;
            }
        top = s.frames[f].pathBase;
        meet = s.frames[f].callerReconverge;
        s.frames[f].callMask |= lanes;
        s.frames[f].running |= lanes;
    }
}

} // namespace

void storeSplit(Warp& w, Split::State state, std::uint32_t argument) {
    Split s;
    s.ip = w.ip;
    s.reconverge = w.reconverge;
    s.active = w.active;
    s.paths = std::move(w.paths);
    s.frames = std::move(w.frames);
    s.state = state;
    s.barrier = argument;
    w.paths.clear();
    w.frames.clear();
    w.active = 0;
    w.others.push_back(std::move(s));
}

void loadSplit(Warp& w, std::size_t index) {
    Split s = std::move(w.others[index]);
    w.others.erase(w.others.begin() + std::ptrdiff_t(index));
    w.ip = s.ip;
    w.reconverge = s.reconverge;
    w.active = s.active;
    w.paths = std::move(s.paths);
    w.frames = std::move(s.frames);
    w.state = s.state;
    w.waitArgument = s.barrier;
    const Frame& f = w.frames.back();
    w.base[0] = w.registers.data() + f.registerBase;
    w.localBase = f.localBase;
}

bool splitOff(Warp& w, Split::State state, std::uint32_t argument) {
    const std::uint32_t leaving = w.active;
    bool remains = false;
    for (const Path& p : w.paths)
        remains |= (p.mask & w.live & ~leaving) != 0;
    for (const Frame& f : w.frames)
        remains |= (f.pending & w.live & ~leaving) != 0;
    if (!remains) {
        storeSplit(w, state, argument);
        return false;
    }
    Split s;
    s.ip = w.ip;
    s.active = leaving;
    s.state = state;
    s.barrier = argument;
    s.frames = w.frames;
    for (Frame& f : s.frames) {
        f.pathBase = 0;
        f.callMask = f.running = leaving;
        f.pending = 0;
        f.callerReconverge = nullptr;
    }
    removeLanes(w, leaving);
    w.others.push_back(std::move(s));
    w.ip = nextPath(w);
    w.pause = Pause::none;
    return true;
}

void mergeSplits(Warp& w) {
    for (std::size_t a = 0; a < w.others.size(); ++a)
        for (std::size_t b = a + 1; b < w.others.size();) {
            Split &x = w.others[a], &y = w.others[b];
            // The one that carries pending paths takes the other in.
            if (!samePlace(x, y) || (!x.paths.empty() && !y.paths.empty())) {
                ++b;
                continue;
            }
            if (x.paths.empty() && !y.paths.empty()) std::swap(x, y);
            addToJoins(x, y.active);
            x.active |= y.active;
            w.others.erase(w.others.begin() + std::ptrdiff_t(b));
        }
}

} // namespace kernelarium::emulator
