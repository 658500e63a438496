// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verify/Check.h"

#include <array>
#include <fmt/format.h>

namespace kernelarium::verify {

namespace {

struct HiddenInputWords {
    const char* remark;
    const char* reads; ///< "<kernel> ... {what}"
};

/// By HiddenInput::Kind.
constexpr std::array<HiddenInputWords, 5> hiddenInputWords{{
    {"reads_clock", "reads the clock"},
    {"reads_place", "reads where on the device it runs"},
    {"reads_addresses", "makes numbers of addresses and decides by them"},
    {"keeps_state", "is found by a call as the one before it left it"},
    {"reads_machine", "is asked by host code"},
}};

/// A kernel that decides by the clock, its multiprocessor, its addresses or how often it was called is right here and
/// may be wrong elsewhere. No run can tell; what it reads can.
class HiddenInputsCheck : public Check {
public:
    std::string_view name() const override { return "hidden_inputs"; }
    std::string_view explanation() const override {
        return "A result that hangs on the clock, the multiprocessor, addresses or the number of calls is right as long "
               "as one looks, and no choice of inputs shows it. Kernels that read these are named, whatever they read "
               "them for.";
    }
    std::span<const Reason> reasons() const override {
        static constexpr Reason all[] = {
            {{}, "reads_clock", "A kernel reads the clock: its result may depend on it."},
            {{}, "reads_place", "A kernel reads its multiprocessor or warp slot: its result may depend on it."},
            {{}, "reads_addresses", "A kernel makes numbers of addresses: its result may depend on them."},
            {{},
             "keeps_state",
             "A __device__ variable counts or collects from call to call: results may depend on it."},
            {{},
             "reads_machine",
             "Host code asks for the time, random numbers, free memory or the device: results may depend on them."}};
        return all;
    }
    void run(Evidence& evidence, CheckNotes& notes) override {
        std::array<bool, hiddenInputWords.size()> said{};
        for (const HiddenInput& input : evidence.base().run.hiddenInputs) {
            bool& known = said.at(std::size_t(input.kind));
            if (known) continue;
            known = true;
            const HiddenInputWords& words = hiddenInputWords.at(std::size_t(input.kind));
            const std::string& subject = input.kernel.empty() ? input.what : input.kernel;
            const std::string name = input.kernel.empty() || input.what.empty() ? "" : " (" + input.what + ")";
            const std::string line = input.line ? fmt::format(", line {}", input.line) : "";
            notes.remark(words.remark,
                         fmt::format("{} {}{}{}: its result may depend on that.", subject, words.reads, name, line));
        }
        notes.pass("Its kernels read neither the clock nor their place on the device, decide by no address and keep "
                   "nothing in __device__ variables; its host code asks for no time, random "
                   "numbers, free memory or device.");
    }
};
} // namespace

std::unique_ptr<Check> makeHiddenInputsCheck() {
    return std::make_unique<HiddenInputsCheck>();
}

} // namespace kernelarium::verify
