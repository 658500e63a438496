// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/verify/Runner.h"
#include "gpu/host/backend/Raised.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace kernelarium::host {

/// What a run leaves behind besides its outputs, gathered while it goes on.
class RunLog {
public:
    static constexpr std::size_t printedLimit = 1 << 20; ///< bytes of text that are kept
    static constexpr std::size_t faultLimit = 4096;
    static constexpr std::size_t launchLimit = 20'000; ///< beyond it, launches of a kernel not yet listed only

    std::vector<verify::Launch> launches;
    std::vector<perf::LaunchCounters> counters;
    std::vector<verify::Fault> faults;
    std::vector<std::string> remarks;      ///< each once
    std::vector<std::string> refusedCalls; ///< verify::RunResult::refusedCalls
    std::vector<std::string> copyKinds;    ///< verify::RunResult::copyKinds
    std::string printed;
    verify::LeftUnsaid unsaid;
    double sampledBlocks = 0;  ///< of launches that left blocks out, listed or not
    double executedBlocks = 0; ///< of these
    /// First bytes of the device's memory that host code had something copied to, since the call that counts began.
    std::set<std::uint64_t> copiedTo;
    bool leftBlocksOut = false;  ///< some launch did
    bool lanesTookTurns = false; ///< in some launch
    bool looseOrder = false;     ///< in some launch

    void noteCopyTo(std::uint64_t address) {
        constexpr std::size_t most = 4096;
        if (copiedTo.size() < most) copiedTo.insert(address);
    }

    void print(std::string_view text) {
        const std::string_view kept = text.substr(0, printedLimit - std::min(printedLimit, printed.size()));
        printed.append(kept);
        unsaid.printedBytes += text.size() - kept.size();
    }
    /// True where it is listed.
    bool note(verify::Launch launch) {
        if (launch.executedBlocks > 0) {
            sampledBlocks += double(launch.grid[0]) * launch.grid[1] * launch.grid[2];
            executedBlocks += double(launch.executedBlocks);
        }
        const bool fresh = m_kernels.insert(launch.kernel).second;
        if (launches.size() < launchLimit || fresh) {
            launches.push_back(std::move(launch));
            return true;
        }
        unsaid.launches += 1;
        unsaid.threadInstructions += launch.threadInstructions;
        return false;
    }
    [[nodiscard]] std::uint64_t launchCount() const { return launches.size() + unsaid.launches; }
    /// A fault of the same kind, kernel and message counts up instead of being listed again; so does a race between
    /// the same lines.
    void add(verify::Fault fault) {
        for (verify::Fault& known : faults) {
            if (!isRepeat(known, fault)) continue;
            known.count += fault.count;
            return;
        }
        if (faults.size() < faultLimit) faults.push_back(std::move(fault));
    }
    /// Host code or a library operator reads what was never written. Stops a run that has left blocks out: these may
    /// have been meant to write it.
    void addUnwrittenRead(verify::Fault fault) {
        if (leftBlocksOut)
            throw RunStopped{verify::RunEnd::beyond_sample, "A share of the blocks is not enough here: " +
                                                                fault.message + " by the blocks that were executed."};
        add(std::move(fault));
    }
    static bool isRepeat(const verify::Fault& known, const verify::Fault& fault) {
        if (known.kind != fault.kind || known.kernel != fault.kernel) return false;
        if (fault.kind != "race" || !known.other || !fault.other) return known.message == fault.message;
        return known.line == fault.line && known.other->line == fault.other->line &&
               known.sameValue == fault.sameValue && known.effect == fault.effect;
    }
    void remark(std::string text) { addOnce(remarks, std::move(text)); }
    void noteRefusedCall(std::string text) {
        constexpr std::size_t most = 8;
        if (refusedCalls.size() < most) addOnce(refusedCalls, std::move(text));
    }
    void noteCopyKind(std::string text) { addOnce(copyKinds, std::move(text)); }

private:
    std::set<std::string> m_kernels; ///< that are among `launches`

    static void addOnce(std::vector<std::string>& texts, std::string text) {
        if (std::find(texts.begin(), texts.end(), text) == texts.end()) texts.push_back(std::move(text));
    }
};

} // namespace kernelarium::host
