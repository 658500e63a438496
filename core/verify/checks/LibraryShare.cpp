// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verify/Check.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace kernelarium::verify {

namespace {

/// Library calls that only make, move or describe tensors: they are not work taken off the kernel.
constexpr std::array<std::string_view, 22> bookkeeping = {
    "empty", "empty_like", "zeros",   "zeros_like", "ones",     "ones_like",    "full",       "full_like",
    "to",    "contiguous", "clone",   "view",       "reshape",  "transpose",    "t",          "permute",
    "size",  "detach",     "squeeze", "unsqueeze",  "expand",   "as_strided"};

/// "aten.conv2d.default" -> "conv2d"
std::string_view operatorName(std::string_view call) {
    if (call.starts_with("aten.")) call.remove_prefix(5);
    return call.substr(0, call.find('.'));
}

bool computes(std::string_view call) {
    std::string_view op = operatorName(call);
    if (call.starts_with("cuda") || call.starts_with("torch.") || call.starts_with("py.")) return false;
    while (op.ends_with('_')) op.remove_suffix(1);
    if (op.starts_with("new_") || op.starts_with("_to_copy")) return false;
    return std::find(bookkeeping.begin(), bookkeeping.end(), op) == bookkeeping.end();
}

class LibraryShareCheck : public Check {
public:
    std::string_view name() const override { return "library_calls"; }
    void run(Evidence& evidence, CheckNotes& notes) override {
        const RunResult& run = evidence.base().run;
        std::vector<std::string> names;
        for (const std::string& call : run.libraryCalls)
            if (computes(call) && std::find(names.begin(), names.end(), call) == names.end()) names.push_back(call);
        const std::string listed = fmt::format("{}", fmt::join(names, ", "));
        if (run.launches.empty() && !names.empty())
            notes.remark("only_library_calls", "It launches no kernel of its own; the work is done by " + listed + ".");
        else if (!names.empty())
            notes.remark("library_calls", "Part of the work is done by library calls: " + listed + ".");
        notes.pass(fmt::format("All work is done in {} launches of its own.", run.launches.size()));
    }
};
} // namespace

std::unique_ptr<Check> makeLibraryShareCheck() { return std::make_unique<LibraryShareCheck>(); }

} // namespace kernelarium::verify
