// SPDX-License-Identifier: GPL-3.0-or-later
// What kernels from elsewhere are held against: PyTorch's own operators, one of them chosen by -DREFERENCE=name.
#include <torch/extension.h>

using torch::Tensor;

Tensor elu(Tensor x) { return torch::elu(x); }
Tensor gelu(Tensor x) { return torch::gelu(x); }
Tensor gelu_tanh(Tensor x) { return torch::gelu(x, "tanh"); }
Tensor rows(Tensor index, Tensor weight) { return torch::embedding(weight, index.to(torch::kInt64)); }
Tensor total(Tensor x) { return x.to(torch::kFloat32).sum(); }
Tensor total_of_integers(Tensor x) { return x.to(torch::kInt32).sum().to(torch::kInt32); }
Tensor softmax(Tensor x) { return torch::softmax(x.to(torch::kFloat32), -1).to(x.scalar_type()); }
Tensor rms_norm(Tensor x, double gain) {
    auto wide = x.to(torch::kFloat32);
    return (wide * torch::rsqrt(wide.pow(2).mean(-1, true) + 1e-5) * gain).to(x.scalar_type());
}
Tensor product(Tensor a, Tensor b) { return torch::matmul(a, b); }

Tensor counts(Tensor x) {
    const int n = x.max().item<int>() + 1;
    return (x.unsqueeze(0) == torch::arange(n, x.options()).unsqueeze(1)).sum(1).to(torch::kInt32);
}
/// Pairs of neighbours, turned by an angle that falls with their place and grows with the row.
Tensor rotated(Tensor x) {
    const auto rows = x.size(0), pairs = x.size(1) / 2;
    auto place = torch::arange(pairs, x.options());
    auto angle = torch::arange(rows, x.options()).unsqueeze(1) * torch::pow(10000.0, place * (-1.0 / pairs)).unsqueeze(0);
    auto both = x.view({rows, pairs, 2});
    auto a = both.select(2, 0), b = both.select(2, 1);
    auto s = torch::sin(angle), c = torch::cos(angle);
    return torch::stack({a * c - b * s, a * s + b * c}, 2).reshape({rows, 2 * pairs});
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &REFERENCE); }
