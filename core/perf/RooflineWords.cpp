// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/perf/Roofline.h"
#include "core/quantities/Quantities.h"

#include <cmath>
#include <fmt/format.h>

namespace kernelarium::perf {

namespace {

constexpr double nearRoof = 0.7;
constexpr double farFromRoof = 0.3;
constexpr double launchesThatMatter = 5; ///< below this many launch latencies, a time is largely launch

std::string whereItStands(const Work& work, const Placement& p) {
    if (work.flops == 0)
        return fmt::format("It computes nothing in floating point, so device memory bounds it; it reaches {} of that "
                           "roof.",
                           quantities::percent(p.share));
    const bool memory = p.bound == Bound::memory;
    return fmt::format("{} FLOP/byte: {} of the ridge at {}, so {} bounds it; it reaches {} of that roof.",
                       quantities::number(p.intensity), memory ? "left" : "right", quantities::number(p.ridge),
                       memory ? std::string("device memory") : fmt::format("{} arithmetic", name(work.precision)),
                       quantities::percent(p.share));
}

/// More than a roof allows: what can have made it look so.
std::string aboveTheRoof(const Roofline& roofline, const Work& work, const Placement& p) {
    if (p.bound == Bound::compute)
        return fmt::format("That is more than {} arithmetic can do: the kernel does fewer FLOPs than are counted, "
                           "uses other units, or the time is wrong.",
                           name(work.precision));
    if (work.bytes <= roofline.l2Bytes)
        return fmt::format("That is more than device memory can deliver: {} fit in the {} of L2, which "
                           "can serve them when the data is still there from an earlier run.",
                           quantities::bytes(work.bytes), quantities::bytes(roofline.l2Bytes));
    return "That is more than device memory can deliver: the kernel moves fewer bytes than are counted, or the time is "
           "wrong.";
}

std::string whyBelowMemory(ByteSource source) {
    switch (source) {
    case ByteSource::compulsory:
        return "The bytes are the least that the task needs: either the kernel moves more than these (uncoalesced or "
               "repeated accesses), or it keeps too few requests in flight to fill the memory's pipe.";
    case ByteSource::emulatorSectors:
    case ByteSource::profiler:
        return "The bytes are those that it really moves, so what is missing is requests in flight: more warps, wider "
               "loads, or more independent loads in each thread.";
    case ByteSource::unknown: break;
    }
    return "Either it moves more bytes than are counted, or it keeps too few requests in flight.";
}

std::string howToGoOn(const Placement& p, ByteSource source) {
    if (p.bound == Bound::compute)
        return p.share >= nearRoof
                   ? "It is close to the peak: only other units, such as tensor cores, or fewer "
                     "operations make it faster."
                   : "Arithmetic is not the only work of its warps: look at other instructions, stalls, "
                     "shared-memory conflicts, and whether all multiprocessors are busy.";
    if (p.share >= nearRoof)
        return "It is close to the roof: only moving fewer bytes (fusion, reuse, smaller types) makes it faster.";
    return whyBelowMemory(source);
}

} // namespace

std::string explain(const Roofline& roofline, const Work& work, const Placement& placement, ByteSource source) {
    std::string text = whereItStands(work, placement);
    if (placement.share > 1.02) return text + ' ' + aboveTheRoof(roofline, work, placement);
    const double launches = roofline.launchSeconds > 0 ? work.seconds / roofline.launchSeconds : INFINITY;
    if (launches < launchesThatMatter && placement.share < nearRoof)
        return text + fmt::format(" Of its {}, {} or more is the launch itself: there is too little work to see the "
                                  "roof.",
                                  quantities::seconds(work.seconds), quantities::seconds(roofline.launchSeconds));
    text += ' ' + howToGoOn(placement, source);
    if (placement.bound == Bound::memory && placement.share < farFromRoof && source == ByteSource::compulsory)
        text += " The emulator's counters tell which.";
    return text;
}

} // namespace kernelarium::perf
