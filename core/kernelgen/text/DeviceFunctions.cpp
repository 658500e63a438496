// SPDX-License-Identifier: GPL-3.0-or-later
// Scalar functions that CUDA lacks, as the emitted files define them.
#include "core/kernelgen/text/KernelText.h"

#include <string_view>
#include <utility>

namespace kernelarium::kernelgen {

namespace {

struct DeviceFunction {
    std::string_view name, text;
};

constexpr DeviceFunction deviceFunctionTable[] = {
    {"square", "__device__ float square(float x) {\n    return x * x;\n}\n"},
    {"cube", "__device__ float cube(float x) {\n    return x * x * x;\n}\n"},
    {"relu", "__device__ float relu(float x) {\n    return x < 0.0f ? 0.0f : x; // NaN stays\n}\n"},
    {"leaky_relu", "__device__ float leaky_relu(float x, float slope) {\n    return x > 0.0f ? x : slope * x;\n}\n"},
    {"sigmoid", "__device__ float sigmoid(float x) {\n    return 1.0f / (1.0f + expf(-x));\n}\n"},
    {"silu", "__device__ float silu(float x) {\n"
             "    return __fdividef(x, 1.0f + expf(-x)); // without the branch of a division by what is tiny\n}\n"},
    {"gelu",
     "__device__ float gelu(float x) {\n    return 0.5f * x * (1.0f + erff(x * 0.707106781f)); // 1 / sqrt(2)\n}\n"},
    {"tanh_plus_1", "/// tanh(x) + 1, as exact as the sum needs it, in two special instructions.\n"
                    "__device__ float tanh_plus_1(float x) {\n"
                    "    return __fdividef(2.0f, 1.0f + __expf(-2.0f * x));\n}\n"},
    {"gelu_tanh",
     "__device__ float gelu_tanh(float x) {\n"
     "    return 0.5f * x * tanh_plus_1(0.797884561f * (x + 0.044715f * x * x * x)); // sqrt(2 / pi)\n}\n"},
    {"softplus", "__device__ float softplus(float x, float beta, float threshold) {\n"
                 "    return beta * x > threshold ? x : log1pf(expf(beta * x)) / beta;\n}\n"},
    {"mish", "__device__ float mish(float x) {\n"
             "    return x * tanhf(x > 20.0f ? x : log1pf(expf(x))); // beyond 20, log(1 + e^x) is x\n}\n"},
    {"elu", "__device__ float elu(float x, float alpha) {\n    return x > 0.0f ? x : alpha * expm1f(x);\n}\n"},
    {"selu", "__device__ float selu(float x) {\n"
             "    return 1.05070099f * (x > 0.0f ? x : 1.67326324f * expm1f(x));\n}\n"},
    {"hardsigmoid",
     "__device__ float hardsigmoid(float x) {\n    return fminf(fmaxf(x + 3.0f, 0.0f), 6.0f) / 6.0f;\n}\n"},
    {"hardswish",
     "__device__ float hardswish(float x) {\n    return x * fminf(fmaxf(x + 3.0f, 0.0f), 6.0f) / 6.0f;\n}\n"},
    {"softsign", "__device__ float softsign(float x) {\n    return x / (1.0f + fabsf(x));\n}\n"},
    {"xlogy", "__device__ float xlogy(float x, float y) {\n    return x == 0.0f ? 0.0f : x * logf(y);\n}\n"},
};

} // namespace

std::string deviceFunctions(const std::set<std::string>& names) {
    std::string out;
    for (const DeviceFunction& f : deviceFunctionTable)
        if (names.contains(std::string(f.name)) || (f.name == "tanh_plus_1" && names.contains("gelu_tanh")))
            out += std::string(f.text) + "\n";
    return out;
}

} // namespace kernelarium::kernelgen
