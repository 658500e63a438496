// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace kernelarium::perf {

/// What one block takes of a multiprocessor: seconds.
struct BlockTime {
    double busy = 0;  ///< of its busiest part
    double alone = 0; ///< in all, with the multiprocessor to itself; no less than `busy`
};

/// How long a multiprocessor takes for `blocks` blocks, `resident` at a time: mean value analysis of a closed network
/// (M. Reiser and S. Lavenberg, "Mean-Value Analysis of Closed Multichain Queuing Networks", J. ACM 27, 1980) of one
/// server, its busiest part, and waits in which a block needs nothing of it. With one resident block that is
/// blocks * alone, with many blocks * busy.
[[nodiscard]] double secondsTogether(double blocks, double resident, BlockTime each);

/// The same in full rounds of resident blocks and a last one of those that are left.
[[nodiscard]] double secondsInRounds(double blocks, double resident, BlockTime each);

} // namespace kernelarium::perf
