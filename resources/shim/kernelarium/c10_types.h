// SPDX-License-Identifier: GPL-3.0-or-later
//
// c10: scalar types, devices, array references, scalars, tensor options.
#pragma once
#include "kernelarium/c10_half.h"
#include "kernelarium/std_optional.h"
#include "kernelarium/std_string.h"
#include "kernelarium/std_vector.h"

namespace c10 {
using std::make_optional;
using std::nullopt;
using std::nullopt_t;
using std::optional;
using std::string_view;
using DeviceIndex = signed char;

enum class ScalarType : signed char {
    Byte = 0,
    Char = 1,
    Short = 2,
    Int = 3,
    Long = 4,
    Half = 5,
    Float = 6,
    Double = 7,
    ComplexHalf = 8,
    ComplexFloat = 9,
    ComplexDouble = 10,
    Bool = 11,
    BFloat16 = 15,
    Float8_e5m2 = 23,
    Float8_e4m3fn = 24,
    Undefined = 26
};
#define KL_SCALAR_TYPES(X)                                                                                             \
    X(uint8_t, Byte)                                                                                                   \
    X(int8_t, Char) X(int16_t, Short) X(int, Int) X(int64_t, Long) X(Half, Half) X(float, Float) X(double, Double)     \
        X(bool, Bool) X(BFloat16, BFloat16)
namespace kl_cpp {
#define KL_ALIAS(T, name) using name##_ = T;
KL_SCALAR_TYPES(KL_ALIAS)
#undef KL_ALIAS
} // namespace kl_cpp
template <class T> struct CppTypeToScalarType;
template <ScalarType s> struct ScalarTypeToCPPType;
#define KL_TYPE(T, name)                                                                                               \
    inline constexpr ScalarType k##name = ScalarType::name;                                                            \
    template <> struct CppTypeToScalarType<kl_cpp::name##_> { static constexpr ScalarType value = ScalarType::name; }; \
    template <> struct ScalarTypeToCPPType<ScalarType::name> { using type = kl_cpp::name##_; };
KL_SCALAR_TYPES(KL_TYPE)
#undef KL_TYPE
inline constexpr ScalarType kFloat8_e5m2 = ScalarType::Float8_e5m2, kFloat8_e4m3fn = ScalarType::Float8_e4m3fn;
template <> struct CppTypeToScalarType<long long> { static constexpr ScalarType value = ScalarType::Long; };
template <ScalarType s> using ScalarTypeToCPPTypeT = typename ScalarTypeToCPPType<s>::type;
inline constexpr ScalarType kUInt8 = kByte, kInt8 = kChar, kInt16 = kShort, kInt32 = kInt, kInt64 = kLong,
                            kFloat16 = kHalf, kFloat32 = kFloat, kFloat64 = kDouble;
inline const char* toString(ScalarType type) {
    switch (type) {
#define KL_NAME(T, name)                                                                                               \
    case ScalarType::name: return #name;
        KL_SCALAR_TYPES(KL_NAME)
#undef KL_NAME
    case ScalarType::ComplexHalf: return "ComplexHalf";
    case ScalarType::ComplexFloat: return "ComplexFloat";
    case ScalarType::ComplexDouble: return "ComplexDouble";
    case ScalarType::Float8_e5m2: return "Float8_e5m2";
    case ScalarType::Float8_e4m3fn: return "Float8_e4m3fn";
    case ScalarType::Undefined: return "Undefined";
    default: return "UNKNOWN_SCALAR";
    }
}
/// What a TypeMeta calls it.
inline const char* cppName(ScalarType type) {
    switch (type) {
    case kByte: return "unsigned char";
    case kChar: return "signed char";
    case kShort: return "short int";
    case kInt: return "int";
    case kLong: return "long int";
    case kHalf: return "c10::Half";
    case kFloat: return "float";
    case kDouble: return "double";
    case kBool: return "bool";
    case kBFloat16: return "c10::BFloat16";
    case ScalarType::Float8_e5m2: return "c10::Float8_e5m2";
    case ScalarType::Float8_e4m3fn: return "c10::Float8_e4m3fn";
    default: return "nullptr (uninitialized)";
    }
}
inline size_t elementSize(ScalarType type) {
    switch (type) {
#define KL_SIZE(T, name)                                                                                               \
    case ScalarType::name: return sizeof(T);
        KL_SCALAR_TYPES(KL_SIZE)
#undef KL_SIZE
    default: return 0;
    }
}
inline bool isFloatingType(ScalarType t) {
    return t == kHalf || t == kFloat || t == kDouble || t == kBFloat16;
}
inline bool isIntegralType(ScalarType t, bool includeBool = false) {
    return (int(t) >= 0 && int(t) <= 4) || (includeBool && t == kBool);
}

/// An element type as `Tensor::dtype()` gives it.
class TypeMeta {
public:
    constexpr TypeMeta() = default;
    constexpr TypeMeta(ScalarType type)
        : m_type(type) {}
    constexpr ScalarType toScalarType() const { return m_type; }
    size_t itemsize() const { return elementSize(m_type); }
    const char* name() const { return cppName(m_type); }
    template <class T> static constexpr TypeMeta Make() { return CppTypeToScalarType<T>::value; }
    friend constexpr bool operator==(TypeMeta a, TypeMeta b) { return a.m_type == b.m_type; }
    friend constexpr bool operator!=(TypeMeta a, TypeMeta b) { return a.m_type != b.m_type; }

private:
    ScalarType m_type = ScalarType::Undefined;
};
inline ScalarType typeMetaToScalarType(TypeMeta m) {
    return m.toScalarType();
}
inline TypeMeta scalarTypeToTypeMeta(ScalarType t) {
    return t;
}

enum class DeviceType : signed char { CPU = 0, CUDA = 1 };
inline constexpr DeviceType kCPU = DeviceType::CPU, kCUDA = DeviceType::CUDA;
class Device {
public:
    constexpr Device()
        : Device(DeviceType::CPU) {}
    constexpr Device(DeviceType type, DeviceIndex index = -1)
        : m_type(type)
        , m_index(index) {}
    Device(const std::string& text)
        : m_type(text.rfind("cuda", 0) == 0 ? kCUDA : kCPU)
        , m_index(-1) {
        if (text.size() > 5 && m_type == kCUDA) m_index = DeviceIndex(std::stoi(text.substr(5)));
    }
    Device(const char* text)
        : Device(std::string(text)) {}
    constexpr DeviceType type() const { return m_type; }
    constexpr DeviceIndex index() const { return m_index; }
    constexpr bool has_index() const { return m_index >= 0; }
    constexpr bool is_cuda() const { return m_type == kCUDA; }
    constexpr bool is_cpu() const { return m_type == kCPU; }
    std::string str() const {
        return is_cpu()      ? std::string("cpu")
               : has_index() ? "cuda:" + std::to_string(int(m_index))
                             : std::string("cuda");
    }
    friend constexpr bool operator==(const Device& a, const Device& b) {
        return a.m_type == b.m_type && a.m_index == b.m_index;
    }
    friend constexpr bool operator!=(const Device& a, const Device& b) { return !(a == b); }

private:
    DeviceType m_type;
    DeviceIndex m_index;
};
enum class Layout : signed char { Strided, Sparse };
inline constexpr Layout kStrided = Layout::Strided;
enum class MemoryFormat : signed char { Contiguous, Preserve, ChannelsLast, ChannelsLast3d };

template <class T> class ArrayRef {
public:
    using value_type = T;
    using iterator = const T*;
    constexpr ArrayRef() = default;
    constexpr ArrayRef(const T& one)
        : m_data(&one)
        , m_size(1) {}
    constexpr ArrayRef(const T* data, size_t size)
        : m_data(data)
        , m_size(size) {}
    constexpr ArrayRef(const T* first, const T* last)
        : m_data(first)
        , m_size(last - first) {}
    ArrayRef(const std::vector<T>& v)
        : m_data(v.data())
        , m_size(v.size()) {}
    template <size_t n>
    constexpr ArrayRef(const std::array<T, n>& a)
        : m_data(a.data())
        , m_size(n) {}
    template <size_t n>
    constexpr ArrayRef(const T (&a)[n])
        : m_data(a)
        , m_size(n) {}
    constexpr ArrayRef(const std::initializer_list<T>& list)
        : m_data(list.begin() == list.end() ? nullptr : list.begin())
        , m_size(list.size()) {}
    constexpr const T* begin() const { return m_data; }
    constexpr const T* end() const { return m_data + m_size; }
    constexpr const T* data() const { return m_data; }
    constexpr size_t size() const { return m_size; }
    constexpr bool empty() const { return m_size == 0; }
    constexpr const T& operator[](size_t i) const { return m_data[i]; }
    const T& at(size_t i) const {
        if (i >= m_size) kl::outOfRange("ArrayRef: invalid index");
        return m_data[i];
    }
    constexpr const T& front() const { return m_data[0]; }
    constexpr const T& back() const { return m_data[m_size - 1]; }
    ArrayRef slice(size_t from, size_t count) const { return ArrayRef(m_data + from, count); }
    ArrayRef slice(size_t from) const { return ArrayRef(m_data + from, m_size - from); }
    std::vector<T> vec() const { return std::vector<T>(begin(), end()); }
    bool equals(ArrayRef other) const {
        if (m_size != other.m_size) return false;
        for (size_t i = 0; i < m_size; ++i)
            if (!(m_data[i] == other.m_data[i])) return false;
        return true;
    }
    friend bool operator==(ArrayRef a, ArrayRef b) { return a.equals(b); }
    friend bool operator!=(ArrayRef a, ArrayRef b) { return !a.equals(b); }

private:
    const T* m_data = nullptr;
    size_t m_size = 0;
};
using IntArrayRef = ArrayRef<int64_t>;
template <class T> using OptionalArrayRef = std::optional<ArrayRef<T>>;

/// A number: bool, integer or double.
class Scalar {
public:
    constexpr Scalar()
        : Scalar(int64_t(0)) {}
    template <class T, class = std::enable_if_t<std::is_arithmetic<T>::value>>
    constexpr Scalar(T v)
        : m_value(of(v)) {}
    Scalar(Half v)
        : Scalar(double(float(v))) {}
    Scalar(BFloat16 v)
        : Scalar(double(float(v))) {}
    explicit constexpr Scalar(const kl_value& v)
        : m_value(v) {}
    template <class T> T to() const { return m_value.kind == KL_DOUBLE ? T(m_value.d) : T(m_value.i); }
    double toDouble() const { return to<double>(); }
    float toFloat() const { return to<float>(); }
    int64_t toLong() const { return to<int64_t>(); }
    int toInt() const { return to<int>(); }
    bool toBool() const { return to<double>() != 0; }
    bool isFloatingPoint() const { return m_value.kind == KL_DOUBLE; }
    bool isIntegral(bool includeBool = false) const { return m_value.kind == KL_INT || (includeBool && isBoolean()); }
    bool isBoolean() const { return m_value.kind == KL_BOOL; }
    const kl_value& klValue() const { return m_value; }

private:
    template <class T> static constexpr kl_value of(T v) {
        kl_value value{std::is_same<T, bool>::value       ? KL_BOOL
                       : std::is_floating_point<T>::value ? KL_DOUBLE
                                                          : KL_INT,
                       0,
                       {0}};
        if constexpr (std::is_floating_point<T>::value)
            value.d = v;
        else
            value.i = (long long)v;
        return value;
    }
    kl_value m_value;
};

class TensorOptions {
public:
    constexpr TensorOptions() = default;
    constexpr TensorOptions(ScalarType t)
        : m_type(int(t)) {}
    constexpr TensorOptions(TypeMeta t)
        : m_type(int(t.toScalarType())) {}
    constexpr TensorOptions(Device d)
        : m_device(number(d)) {}
    constexpr TensorOptions(DeviceType d)
        : m_device(number(d)) {}
    TensorOptions(const std::string& device)
        : TensorOptions(Device(device)) {}
    TensorOptions(const char* device)
        : TensorOptions(Device(device)) {}
    constexpr TensorOptions(Layout)
        : m_layout(1) {}
    constexpr TensorOptions(MemoryFormat f)
        : m_format(int(f)) {}
    [[nodiscard]] constexpr TensorOptions dtype(ScalarType t) const { return with(&TensorOptions::m_type, int(t)); }
    [[nodiscard]] constexpr TensorOptions dtype(TypeMeta t) const { return dtype(t.toScalarType()); }
    template <class T> constexpr TensorOptions dtype() const { return dtype(CppTypeToScalarType<T>::value); }
    [[nodiscard]] constexpr TensorOptions device(Device d) const { return with(&TensorOptions::m_device, number(d)); }
    [[nodiscard]] constexpr TensorOptions device(DeviceType d, DeviceIndex i = -1) const {
        return device(Device(d, i));
    }
    [[nodiscard]] constexpr TensorOptions layout(Layout) const { return with(&TensorOptions::m_layout, 1); }
    [[nodiscard]] constexpr TensorOptions memory_format(MemoryFormat f) const {
        return with(&TensorOptions::m_format, int(f));
    }
    [[nodiscard]] constexpr TensorOptions requires_grad(bool r) const { return with(&TensorOptions::m_grad, r); }
    [[nodiscard]] constexpr TensorOptions pinned_memory(bool p) const { return with(&TensorOptions::m_pinned, p); }
    constexpr TypeMeta dtype() const { return m_type < 0 ? ScalarType::Float : ScalarType(m_type); }
    constexpr Device device() const { return m_device >= 0 ? Device(kCUDA, DeviceIndex(m_device)) : Device(kCPU); }
    constexpr Layout layout() const { return kStrided; }
    constexpr bool requires_grad() const { return m_grad > 0; }
    constexpr bool pinned_memory() const { return m_pinned > 0; }
    constexpr DeviceIndex device_index() const { return device().index(); }
    constexpr bool is_cuda() const { return device().is_cuda(); }
    constexpr optional<MemoryFormat> memory_format_opt() const {
        return m_format < 0 ? optional<MemoryFormat>() : optional<MemoryFormat>(MemoryFormat(m_format));
    }
    constexpr bool has_layout() const { return m_layout >= 0; }
    constexpr bool has_requires_grad() const { return m_grad >= 0; }
    constexpr bool has_pinned_memory() const { return m_pinned >= 0; }
    constexpr bool has_memory_format() const { return m_format >= 0; }
    constexpr bool has_dtype() const { return m_type >= 0; }
    constexpr bool has_device() const { return m_device != unset; }
    constexpr int klType() const { return m_type; }
    constexpr int klDevice() const { return m_device; }
    constexpr int klFormat() const { return m_format; }
    constexpr bool klPinned() const { return m_pinned > 0; }
    static constexpr int unset = -2;

private:
    static constexpr int number(Device d) { return d.is_cpu() ? -1 : d.index() < 0 ? 0 : d.index(); }
    constexpr TensorOptions with(int TensorOptions::*field, int value) const {
        TensorOptions o = *this;
        o.*field = value;
        return o;
    }
    int m_type = -1;
    int m_device = unset;
    int m_format = -1;
    int m_layout = -1;
    int m_grad = -1;
    int m_pinned = -1;
};
inline constexpr TensorOptions dtype(ScalarType t) {
    return TensorOptions(t);
}
inline constexpr TensorOptions dtype(TypeMeta t) {
    return TensorOptions(t);
}
inline constexpr TensorOptions device(Device d) {
    return TensorOptions(d);
}
inline constexpr TensorOptions layout(Layout l) {
    return TensorOptions(l);
}
inline constexpr TensorOptions requires_grad(bool r = true) {
    return TensorOptions().requires_grad(r);
}
inline constexpr TensorOptions memory_format(MemoryFormat f) {
    return TensorOptions(f);
}
} // namespace c10

namespace caffe2 {
using c10::TypeMeta;
}
