// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/task/Card.h"
#include "core/verify/VerdictJson.h"

#include <QRegularExpression>
#include <QString>

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace kernelarium::test {

/// Kernels for task 1/1 (a square matrix product), right and wrong in every way that a verification without the
/// emulator's checks can see; each with the verdict that it gets on a GPU.
struct PlacedKernel {
    const char* name;
    const char* verdict;
    std::string text;
};

inline std::vector<PlacedKernel> placedKernels() {
    const auto product =
        [](const std::string& value, const std::string& before = {}, const std::string& after = {}) {
            return before + R"(
__global__ void product(const float* a, const float* b, float* c, int n) {
    int row = blockIdx.y * 16 + threadIdx.y, column = blockIdx.x * 16 + threadIdx.x;
    if (row >= n || column >= n) return;
    float sum = 0;
    for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];
    )" + value + R"(
}
torch::Tensor forward(torch::Tensor a, torch::Tensor b) {
    auto c = torch::empty_like(a);
    int n = a.size(0);
    product<<<dim3((n + 15) / 16, (n + 15) / 16), dim3(16, 16)>>>(a.data_ptr<float>(), b.data_ptr<float>(), c.data_ptr<float>(), n);
    )" + after + R"(
    return c;
}
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward, "test"); }
)";
        };
    return {
        {"right", "verified", product("c[row * n + column] = sum;")},
        {"wrong in one element", "wrong",
         product("c[row * n + column] = sum + (row == n - 1 && column == 3 ? 50.0f : 0.0f);")},
        {"NaN", "wrong", product("c[row * n + column] = row == 5 && column == 7 ? __int_as_float(0x7fc00000) : sum;")},
        {"poison left", "wrong", product("if (row + 1 < n) c[row * n + column] = sum;")},
        {"beyond its memory", "fault",
         product("c[row * n + column] = sum; if (row == n - 1 && column == n - 1) c[n * n] = 1;")},
        {"changes an input", "suspicious", product("c[row * n + column] = sum;", {}, "b.fill_(1);")},
        {"half precision", "verified",
         product("c[row * n + column] = __half2float(__float2half(sum));", "#include <cuda_fp16.h>\n")},
        {"remembers its first answer", "suspicious",
         product("c[row * n + column] = sum;", {},
                 "static torch::Tensor first; if (!first.defined()) first = c; c = first;")},
        {"does nothing itself", "verified",
         "torch::Tensor forward(torch::Tensor a, torch::Tensor b) { return torch::mm(a, b); }\n"
         "PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def(\"forward\", &forward, \"test\"); }\n"},
        {"a transposed view", "verified", product("c[column * n + row] = sum;", {}, "c = c.t();")},
        {"another shape", "wrong", product("c[row * n + column] = sum;", {}, "c = c.view({-1});")},
        {"several outputs", "wrong",
         "std::vector<torch::Tensor> forward(torch::Tensor a, torch::Tensor b) { return {torch::mm(a, b), a}; }\n"
         "PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def(\"forward\", &forward, \"test\"); }\n"},
    };
}

/// Task 1/1 at another side.
inline task::Card productOfSide(std::int64_t side) {
    task::Card card = *task::loadCard(1, 1);
    for (auto& [size, symbols] : card.sizes)
        if (size == "small")
            for (auto& [name, value] : symbols)
                value = side;
    return card;
}

/// A verdict without what differs from run to run, how often the kernel was called among it (as often as there is
/// time), its figures rounded: sums are added up in another order.
inline QString comparable(const verify::Verdict& verdict) {
    nlohmann::json j = verify::toJson(verdict);
    for (const char* changing : {"seconds", "launches", "printed"})
        j.erase(changing);
    for (nlohmann::json& check : j["checks"]) {
        for (const char* changing : {"seconds", "runs", "explanation"})
            check.erase(changing);
        const std::string name = check.at("name");
        if (name == "cached_result" || name == "perturbation") check.erase("detail");
    }
    for (nlohmann::json& value : j)
        if (value.is_number_float()) value = QString::number(value.get<double>(), 'g', 9).toStdString();
    return QString::fromStdString(j.dump(1)).replace(QRegularExpression(QStringLiteral("on call \\d+")),
                                                     QStringLiteral("on call N"));
}

} // namespace kernelarium::test
