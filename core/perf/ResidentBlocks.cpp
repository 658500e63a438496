// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/perf/ResidentBlocks.h"

#include <algorithm>
#include <cmath>

namespace kernelarium::perf {

double secondsTogether(double blocks, double resident, BlockTime each) {
    const double waits = std::max(0.0, each.alone - each.busy);
    double rate = 0, queued = 0;
    for (int held = 1; held <= std::max(1, int(std::ceil(std::min(resident, blocks)))); ++held) {
        const double served = each.busy * (1 + queued);
        if (waits + served <= 0) return 0;
        rate = held / (waits + served);
        queued = rate * served;
    }
    return blocks / rate;
}

double secondsInRounds(double blocks, double resident, BlockTime each) {
    const double held = std::max(1.0, std::min(resident, blocks));
    const double rounds = std::floor(blocks / held + 1e-9), left = blocks - rounds * held;
    const double full = secondsTogether(rounds * held, held, each);
    return left > 1e-6 ? full + secondsTogether(left, left, each) : full;
}

} // namespace kernelarium::perf
