// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/archive/store/OperatorClass.h"

#include "core/archive/store/CodeSignature.h"

#include <algorithm>
#include <string>
#include <vector>

namespace kernelarium::archive {

const std::vector<OperatorClassParts>& operatorClassParts() {
    static const std::vector<OperatorClassParts> list = {
        {OperatorClass::convolution, {"conv"}},
        {OperatorClass::matrix, {"matmul", "matrix", "gemm", "bmm", "linear", "matrices"}},
        {OperatorClass::pooling, {"pool"}},
        {OperatorClass::normalisation, {"norm"}},
        {OperatorClass::loss, {"loss"}},
        {OperatorClass::scan, {"cumsum", "cumprod", "cumulative", "scan"}},
        {OperatorClass::reduction, {"reduction", "argmax", "argmin", "over_a_dimension", "logsumexp", "mean", "sum"}},
        {OperatorClass::activation,
         {"relu", "sigmoid", "tanh", "softmax", "swish", "gelu", "selu", "elu", "softplus", "softsign", "mish",
          "silu"}},
    };
    return list;
}

OperatorClass operatorClassOf(std::int64_t level, std::string_view opName) {
    if (level == 3) return OperatorClass::network;
    std::string name(opName);
    std::transform(name.begin(), name.end(), name.begin(), foldedCase);
    const auto has = [&](std::string_view word) { return name.find(word) != std::string::npos; };
    for (const auto& [operatorClass, parts] : operatorClassParts())
        if (std::any_of(parts.begin(), parts.end(), has)) return operatorClass;
    return OperatorClass::other;
}

} // namespace kernelarium::archive
