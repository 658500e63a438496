// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/device/timing/PairedCalls.h"

namespace kernelarium::device {

Result<std::vector<perf::TimedPair>> takePairs(TimingQueue& queue, const TimedReplay& first, const TimedReplay& second,
                                               const PairedCalls& how, const TimingQueue::Limits& limits) {
    using Clock = std::chrono::steady_clock;
    constexpr std::size_t least = 20, most = 2000;
    const bool held =
        first.reads() + second.reads() == 0 && first.commands() + second.commands() + 8 <= TimingQueue::commandsAtOnce;
    const TimingQueue::Work ab[] = {[&] { return first.queue(); }, [&] { return second.queue(); }};
    const TimingQueue::Work ba[] = {ab[1], ab[0]};
    std::vector<perf::TimedPair> pairs;
    const Clock::time_point begin = Clock::now();
    const auto another = [&] {
        // One that could not end in time would say nothing of the two: what there is counts.
        const Clock::duration spent = Clock::now() - begin;
        if (Clock::now() + 3 * spent / int(pairs.size()) >= limits.deadline) return false;
        if (how.another) return how.another(pairs);
        const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
        if (pairs.size() >= least && pairs.size() % 2 == 0 && seconds >= how.seconds) return false;
        return pairs.size() < most && !(pairs.size() >= 10 * least && seconds >= 1);
    };
    do {
        const bool firstFirst = pairs.size() % 2 == 0;
        auto samples = queue.measure(firstFirst ? ab : ba, {.cold = how.cold, .held = held, .clock = false}, limits);
        if (!samples) return samples.error();
        const double one = (*samples)[0].seconds, other = (*samples)[1].seconds;
        pairs.push_back(firstFirst ? perf::TimedPair{one, other, true} : perf::TimedPair{other, one, false});
    } while (another());
    return pairs;
}

} // namespace kernelarium::device
