// SPDX-License-Identifier: GPL-3.0-or-later
//
// at::Tensor: a handle of the runtime's table. Copies share it; what PyTorch does with a tensor is a call by name.
#pragma once
#include "kernelarium/aten_accessor.h"
#include "kernelarium/aten_call.h"
#include "kernelarium/unsupported.h"

namespace kl {
/// Sizes or strides that a tensor has given: two calls give the same array, whose begin and end may be asked of each.
struct KeptList {
    kl_handle handle;
    int what;
    int64_t size;
    int64_t* values;
};
enum { keptListCount = 64 };
__device__ inline KeptList keptLists[keptListCount];
} // namespace kl

namespace at {
namespace indexing {
struct TensorIndex;
}

/// What the deprecated `Tensor::type()` gives.
class DeprecatedTypeProperties {
public:
    constexpr DeprecatedTypeProperties(ScalarType type, bool cuda)
        : m_type(type)
        , m_cuda(cuda) {}
    ScalarType scalarType() const { return m_type; }
    bool is_cuda() const { return m_cuda; }
    operator TensorOptions() const { return TensorOptions(m_type).device(m_cuda ? kCUDA : kCPU); }
    std::string toString() const { return std::string(m_cuda ? "CUDA" : "CPU") + c10::toString(m_type) + "Type"; }
    friend bool operator==(const DeprecatedTypeProperties& a, const DeprecatedTypeProperties& b) {
        return a.m_type == b.m_type && a.m_cuda == b.m_cuda;
    }

private:
    ScalarType m_type;
    bool m_cuda;
};

class Tensor {
public:
    constexpr Tensor() = default;
    constexpr Tensor(const Tensor&) = default;
    constexpr explicit Tensor(kl_handle handle, int)
        : m_handle(handle) {}
    Tensor& operator=(const Tensor& other) & {
        m_handle = other.m_handle;
        return *this;
    }
    /// Writing through a view, as in `x[i] = y`.
    Tensor& operator=(const Tensor& other) && { return copy_(other); }
    Tensor& operator=(const Scalar& value) && { return fill_(value); }
    constexpr kl_handle klHandle() const { return m_handle; }

    bool defined() const { return m_handle != 0; }
    void reset() { m_handle = 0; }
    bool is_same(const Tensor& other) const { return m_handle == other.m_handle; }
    int64_t dim() const { return info(KL_DIM); }
    int64_t ndimension() const { return dim(); }
    int64_t size(int64_t i) const { return info(KL_SIZE, i); }
    int64_t stride(int64_t i) const { return info(KL_STRIDE, i); }
    int64_t numel() const { return info(KL_NUMEL); }
    int64_t storage_offset() const { return info(KL_STORAGE_OFFSET); }
    size_t element_size() const { return info(KL_ELEMENT_SIZE); }
    size_t itemsize() const { return element_size(); }
    size_t nbytes() const { return numel() * element_size(); }
    IntArrayRef sizes() const { return list(KL_SIZE); }
    IntArrayRef strides() const { return list(KL_STRIDE); }
    ScalarType scalar_type() const { return ScalarType(info(KL_DTYPE_OF)); }
    TypeMeta dtype() const { return scalar_type(); }
    Device device() const {
        const int index = int(info(KL_DEVICE_INDEX));
        return index < 0 ? Device(kCPU) : Device(kCUDA, DeviceIndex(index));
    }
    int64_t get_device() const { return info(KL_DEVICE_INDEX); }
    Layout layout() const { return kStrided; }
    bool is_cuda() const { return info(KL_IS_CUDA) != 0; }
    bool is_cpu() const { return !is_cuda(); }
    bool is_sparse() const { return false; }
    bool is_quantized() const { return false; }
    bool is_complex() const { return false; }
    bool is_floating_point() const { return isFloatingType(scalar_type()); }
    bool is_contiguous(MemoryFormat format = MemoryFormat::Contiguous) const;
    bool requires_grad() const { return info(KL_REQUIRES_GRAD) != 0; }
    bool is_pinned() const { return false; }
    bool is_leaf() const { return true; }
    TensorOptions options() const { return TensorOptions(scalar_type()).device(device()).layout(kStrided); }
    DeprecatedTypeProperties type() const { return {scalar_type(), is_cuda()}; }
    std::string toString() const { return type().toString(); }

    template <class T> T* data_ptr() const {
        return reinterpret_cast<T*>(info(KL_DATA, int(CppTypeToScalarType<std::remove_cv_t<T>>::value)));
    }
    void* data_ptr() const { return reinterpret_cast<void*>(info(KL_DATA, -1)); }
    template <class T> const T* const_data_ptr() const { return data_ptr<T>(); }
    const void* const_data_ptr() const { return data_ptr(); }
    template <class T> T* mutable_data_ptr() const { return data_ptr<T>(); }
    void* mutable_data_ptr() const { return data_ptr(); }
    template <class T> T* data() const { return data_ptr<T>(); }
    Tensor data() const { return *this; }
    Tensor variable_data() const { return *this; }

    template <class T, size_t n> TensorAccessor<T, n> accessor() const {
        checkDim(n, is_cuda());
        return TensorAccessor<T, n>(data_ptr<T>(), sizes().data(), strides().data());
    }
    template <class T, size_t n, template <class> class P = DefaultPtrTraits, class I = int64_t>
    GenericPackedTensorAccessor<T, n, P, I> generic_packed_accessor() const {
        checkDim(n, false);
        return GenericPackedTensorAccessor<T, n, P, I>(data_ptr<T>(), sizes().data(), strides().data());
    }
    template <class T, size_t n, template <class> class P = DefaultPtrTraits>
    PackedTensorAccessor32<T, n, P> packed_accessor32() const {
        TORCH_CHECK(numel() <= 2147483647,
                    "numel needs to be smaller than int32_t max; otherwise, please use packed_accessor64");
        return generic_packed_accessor<T, n, P, int32_t>();
    }
    template <class T, size_t n, template <class> class P = DefaultPtrTraits>
    PackedTensorAccessor64<T, n, P> packed_accessor64() const {
        return generic_packed_accessor<T, n, P, int64_t>();
    }
    template <class T, size_t n, template <class> class P = DefaultPtrTraits, class I = int64_t>
    GenericPackedTensorAccessor<T, n, P, I> packed_accessor() const {
        return generic_packed_accessor<T, n, P, I>();
    }

    Scalar item() const { return Scalar(kl::callValue("aten.item.default", {*this})); }
    template <class T> T item() const { return item().to<T>(); }

    Tensor operator[](int64_t i) const { return select(0, i); }
    Tensor operator[](const Scalar& i) const { return select(0, i.toLong()); }
    Tensor operator[](const Tensor& index) const;
    Tensor index(std::initializer_list<indexing::TensorIndex> indices) const;
    Tensor index(ArrayRef<indexing::TensorIndex> indices) const;
    Tensor& index_put_(std::initializer_list<indexing::TensorIndex> indices, const Tensor& value);
    Tensor& index_put_(std::initializer_list<indexing::TensorIndex> indices, const Scalar& value);

#include "kernelarium/aten_methods.h"
#ifdef KL_REFUSED_NAMES
#include "kernelarium/aten_methods_refused.h"
#endif

private:
    int64_t info(int what, int64_t index = 0) const {
        return kl_tensor_info(m_handle, what, index);
    }
    __noinline__ IntArrayRef list(int what) const {
        const int64_t n = dim();
        kl::KeptList& kept = kl::keptLists[(m_handle * 2 + (what == KL_SIZE)) % kl::keptListCount];
        bool same = kept.handle == m_handle && kept.what == what && kept.size == n;
        for (int64_t i = 0; same && i < n; ++i)
            same = kept.values[i] == info(what, i);
        if (!same) {
            kept = {m_handle, what, n, kl::allocate<int64_t>(n + 1)};
            for (int64_t i = 0; i < n; ++i)
                kept.values[i] = info(what, i);
        }
        return IntArrayRef(kept.values, size_t(n));
    }
    __noinline__ void checkDim(int64_t n, bool onDevice) const {
        TORCH_CHECK(dim() == n, "TensorAccessor expected ", n, " dims but tensor has ", dim());
        (void)onDevice;
    }

    kl_handle m_handle = 0;
};
using OptionalTensorRef = std::optional<Tensor>;
inline optional<Device> device_of(const Tensor& t) {
    return t.defined() ? optional<Device>(t.device()) : optional<Device>();
}
} // namespace at

namespace kl {
inline Arg::Arg(const at::Tensor& t)
    : kl_value{t.defined() ? KL_TENSOR : KL_NONE, 0, {t.klHandle()}} {}
inline Arg::Arg(at::TensorList list)
    : kl_value{KL_TENSOR_LIST, (int)list.size(), {0}} {
    p = list.data();
}

__noinline__ inline kl_value callValue(const char* name, Args arguments) {
    kl_value result{KL_NONE, 0, {0}};
    kl_call(name, arguments.begin(), (int)arguments.size(), &result, 1);
    return result;
}
__noinline__ inline at::Tensor call(const char* name, Args arguments) {
    return at::Tensor(callValue(name, arguments).i, 0);
}
__noinline__ inline std::tuple<at::Tensor, at::Tensor> call2(const char* name, Args arguments) {
    kl_value result[2] = {};
    kl_call(name, arguments.begin(), (int)arguments.size(), result, 2);
    return {at::Tensor(result[0].i, 0), at::Tensor(result[1].i, 0)};
}
__noinline__ inline std::tuple<at::Tensor, at::Tensor, at::Tensor> call3(const char* name, Args arguments) {
    kl_value result[3] = {};
    kl_call(name, arguments.begin(), (int)arguments.size(), result, 3);
    return {at::Tensor(result[0].i, 0), at::Tensor(result[1].i, 0), at::Tensor(result[2].i, 0)};
}
/// An operator that gives a list answers with one KL_TENSOR_LIST.
__noinline__ inline std::vector<at::Tensor> callList(const char* name, Args arguments) {
    const kl_value result = callValue(name, arguments);
    const kl_handle* handles = static_cast<const kl_handle*>(result.p);
    std::vector<at::Tensor> list;
    for (int i = 0; i < result.count; ++i)
        list.push_back(at::Tensor(handles[i], 0));
    return list;
}
} // namespace kl

namespace c10 {
inline std::ostream& operator<<(std::ostream& o, const at::Tensor& t) {
    const kl_value text = kl::callValue("py.repr", {t});
    return o << std::string_view(static_cast<const char*>(text.p), text.count);
}
} // namespace c10
namespace at {
using c10::operator<<;
inline bool Tensor::is_contiguous(MemoryFormat format) const {
    if (format == MemoryFormat::Contiguous || format == MemoryFormat::Preserve) return info(KL_IS_CONTIGUOUS) != 0;
    const bool three = format == MemoryFormat::ChannelsLast3d;
    if (dim() != (three ? 5 : 4)) return false;
    return three ? permute({0, 2, 3, 4, 1}).is_contiguous() : permute({0, 2, 3, 1}).is_contiguous();
}
} // namespace at
