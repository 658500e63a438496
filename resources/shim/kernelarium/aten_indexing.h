// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tensor::index and index_put_: views where the indices are numbers, slices and None; tensors as indices go on as a list.
#pragma once
#include "kernelarium/aten_factories.h"

namespace at::indexing {
struct EllipsisIndexType {};
inline constexpr EllipsisIndexType Ellipsis{};
inline constexpr std::nullopt_t None{0};
struct Slice {
    optional<int64_t> from, to;
    int64_t step = 1;
    Slice(optional<int64_t> from_ = nullopt, optional<int64_t> to_ = nullopt, optional<int64_t> step_ = nullopt)
        : from(from_), to(to_), step(step_.value_or(1)) {}
};
struct TensorIndex {
    enum Kind { none, ellipsis, number, slice, tensor, boolean } kind = none;
    int64_t at_ = 0;
    Slice range;
    Tensor where;
    TensorIndex() = default;
    TensorIndex(std::nullopt_t) {}
    TensorIndex(EllipsisIndexType) : kind(ellipsis) {}
    TensorIndex(const char*) : kind(ellipsis) {}
    template <class T, class = std::enable_if_t<std::is_integral<T>::value>>
    TensorIndex(T i) : kind(std::is_same<T, bool>::value ? boolean : number), at_(i) {}
    TensorIndex(const Slice& s) : kind(slice), range(s) {}
    TensorIndex(const Tensor& t) : kind(tensor), where(t) {}
};
} // namespace at::indexing

namespace kl {
/// The view that the plain indices give; tensors are left over in `pending`, one slot for each dimension of the view.
__noinline__ inline at::Tensor viewOf(const at::Tensor& x, at::ArrayRef<at::indexing::TensorIndex> indices, std::vector<at::Tensor>& pending) {
    using at::indexing::TensorIndex;
    at::Tensor view = x;
    int64_t dim = 0, consumed = 0;
    for (const TensorIndex& i : indices) consumed += i.kind == TensorIndex::number || i.kind == TensorIndex::slice || i.kind == TensorIndex::tensor;
    for (const TensorIndex& i : indices) {
        while ((int64_t)pending.size() < dim) pending.push_back(at::Tensor());
        switch (i.kind) {
        case TensorIndex::number: view = view.select(dim, i.at_); break;
        case TensorIndex::slice: view = view.slice(dim++, i.range.from, i.range.to, i.range.step); break;
        case TensorIndex::none: view = view.unsqueeze(dim++); break;
        case TensorIndex::ellipsis: dim += x.dim() - consumed; break;
        case TensorIndex::boolean: TORCH_CHECK(false, "indexing a tensor with a bool is not supported here"); break;
        case TensorIndex::tensor:
            pending.push_back(i.where);
            ++dim;
            break;
        }
    }
    return view;
}
inline bool anyDefined(const std::vector<at::Tensor>& list) {
    for (const at::Tensor& t : list)
        if (t.defined()) return true;
    return false;
}
} // namespace kl

namespace at {
inline Tensor Tensor::index(ArrayRef<indexing::TensorIndex> indices) const {
    std::vector<Tensor> pending;
    const Tensor view = kl::viewOf(*this, indices, pending);
    return kl::anyDefined(pending) ? kl::call("aten.index.Tensor", {view, TensorList(pending)}) : view;
}
inline Tensor Tensor::index(std::initializer_list<indexing::TensorIndex> indices) const {
    return index(ArrayRef<indexing::TensorIndex>(indices));
}
inline Tensor& Tensor::index_put_(std::initializer_list<indexing::TensorIndex> indices, const Tensor& value) {
    std::vector<Tensor> pending;
    const Tensor view = kl::viewOf(*this, indices, pending);
    if (kl::anyDefined(pending)) kl::callValue("aten.index_put_.default", {view, TensorList(pending), value});
    else view.copy_(value);
    return *this;
}
inline Tensor& Tensor::index_put_(std::initializer_list<indexing::TensorIndex> indices, const Scalar& value) {
    return index_put_(indices, torch::tensor(value.toDouble(), TensorOptions(scalar_type()).device(device())));
}
inline Tensor Tensor::operator[](const Tensor& i) const { return index({i}); }
} // namespace at
