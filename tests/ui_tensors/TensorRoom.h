// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/ui_workspace/WorkspaceRoom.h"
#include "ui/tensors/TensorPanel.h"

#include <memory>

namespace kernelarium::ui {

/// A workspace with a kernel of the test's own and the panel Tensors.
class TensorRoom {
public:
    /// Line 4 writes 2 x; line 8 adds 5 to element 37, in the second launch. With a reference that leaves that out.
    static constexpr const char* spoiled = R"(#include <torch/extension.h>
__global__ void twice(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = 2.0f * x[i];
}
__global__ void spoil(float* y) {
    if (threadIdx.x == 5)
        y[32 + threadIdx.x] += 5.0f;
}
torch::Tensor forward(torch::Tensor x) {
    auto y = torch::empty_like(x);
    twice<<<(x.numel() + 31) / 32, 32>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
    spoil<<<1, 32>>>(y.data_ptr<float>());
    return y;
}
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
)";
    static constexpr const char* plain = R"(#include <torch/extension.h>
torch::Tensor forward(torch::Tensor x) { return x + x; }
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
)";

    explicit TensorRoom(Theme::Choice choice = Theme::Choice::light, bool withGpu = false);

    /// Puts it on the bench; empty `reference`: it is compared with nothing.
    [[nodiscard]] bool open(const char* source, const QString& arguments, const char* reference = nullptr);
    /// Runs it and waits until all that is seen at once is there.
    [[nodiscard]] bool look();
    [[nodiscard]] bool settled();
    /// Waits for a question's end.
    [[nodiscard]] bool ended(TensorDesk::Kind kind);
    [[nodiscard]] TensorDesk& desk() { return bench.workspace->tensors(); }

    WorkspaceRoom bench;
    Theme theme;
    std::unique_ptr<TensorPanel> panel;

private:
    [[nodiscard]] bool write(const QString& name, const char* text);
};

} // namespace kernelarium::ui
