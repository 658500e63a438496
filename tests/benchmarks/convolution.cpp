// SPDX-License-Identifier: GPL-3.0-or-later
// benchmark_convolution: float64 convolutions of the reference evaluator in GFLOP/s, and their ratio to a plain matrix
// product of the same machine, which is what they could reach at best.
#include "core/task/operators/Operators.h"
#include "core/tensor/Tensor.h"

#include <algorithm>
#include <chrono>
#include <thread>

#include <fmt/format.h>

using namespace kernelarium;
using tensor::Tensor;
using tensor::Value;

namespace {

Tensor filled(const tensor::Shape& shape) {
    Tensor t(tensor::DType::Float64, shape);
    for (std::int64_t i = 0; i < t.count(); ++i)
        t.set(i, double(i % 17) / 17 - 0.5);
    return t;
}

tensor::Value ints(std::int64_t a, std::int64_t b) {
    return tensor::List{a, b};
}

/// Seconds of the fastest of five calls.
double secondsOf(const char* op, const std::vector<Value>& arguments) {
    task::OperatorContext context;
    context.threads = std::max(1u, std::thread::hardware_concurrency());
    double best = 1e30;
    for (int i = 0; i < 5; ++i) {
        const auto start = std::chrono::steady_clock::now();
        if (const auto result = task::evaluateOperator(op, arguments, {}, context); !result) {
            fmt::print(stderr, "{}\n", result.error().text());
            std::exit(1);
        }
        best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    return best;
}

struct Layer {
    const char* name;
    const char* op;
    tensor::Shape input, weight;
    std::int64_t padding, groups;
    double multiplyAdds;
};

} // namespace

int main() {
    const double product =
        2e-9 * 1024 * 1024 * 1024 / secondsOf("aten.mm.default", {filled({1024, 1024}), filled({1024, 1024})});
    fmt::print("{:<34} {:8.2f} GFLOP/s\n", "matrix product 1024", product);
    const double pixels = 56 * 56, positions = 4 * pixels;
    const Layer layers[] = {
        {"3x3, 64 to 64 channels, 56x56",
         "aten.conv2d.default",
         {4, 64, 56, 56},
         {64, 64, 3, 3},
         1,
         1,
         positions * 64 * 64 * 9},
        {"1x1, 256 to 64 channels, 56x56",
         "aten.conv2d.default",
         {4, 256, 56, 56},
         {64, 256, 1, 1},
         0,
         1,
         positions * 64 * 256},
        {"depthwise 3x3, 64 channels, 56x56",
         "aten.conv2d.default",
         {4, 64, 56, 56},
         {64, 1, 3, 3},
         1,
         64,
         positions * 64 * 9},
        {"transposed 3x3, 64 to 64, 56x56",
         "aten.conv_transpose2d.input",
         {4, 64, 56, 56},
         {64, 64, 3, 3},
         1,
         1,
         positions * 64 * 64 * 9},
    };
    for (const Layer& l : layers) {
        const bool transposed = std::string_view(l.op).find("transpose") != std::string_view::npos;
        std::vector<Value> arguments{filled(l.input), filled(l.weight), Value(), ints(1, 1),
                                     ints(l.padding, l.padding)};
        arguments.push_back(transposed ? ints(0, 0) : ints(1, 1)); // output padding, or dilation
        arguments.emplace_back(l.groups);
        const double rate = 2e-9 * l.multiplyAdds / secondsOf(l.op, arguments);
        fmt::print("{:<34} {:8.2f} GFLOP/s  {:.2f} of the product\n", l.name, rate, rate / product);
    }
    return 0;
}
