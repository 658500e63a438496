// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/census/Refusals.h"

namespace kernelarium::test {

const std::vector<Refusal>& refusals() {
    // The census counts words of a source, its comments and messages included.
    static const std::vector<Refusal> list{
        {".floatype", "no member of anything: a misspelling of `floating type` in a message"},
        {"atomically", "an English word of comments"},
        {"atomics", "an English word of comments"},
        {"cudnn_enabled", "the name of a parameter in comments: /*cudnn_enabled=*/true"},
        {"__shfl_down", "CUDA itself has no such function for sm_70 and newer; the compiler says so, see device.uses"},
        {"torch::kint", "PyTorch has no such name (kInt is meant); it stands in a comment"},
        {".linear", "the member of a Python module, quoted in comments (`F.linear`)"},
    };
    return list;
}

} // namespace kernelarium::test
