// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/host/python/Marshal.h"

#include "gpu/host/backend/Raised.h"

#include <algorithm>
#include <fmt/format.h>

namespace kernelarium::host {

namespace {

constexpr int largestList = 1 << 24; ///< a longer one is a stray count, not a list

std::uint64_t addressOf(const kl_value& value) {
    return reinterpret_cast<std::uint64_t>(value.p);
}

kl_value make(int kind, long long i) {
    kl_value value{};
    value.kind = kind;
    value.i = i;
    return value;
}

template <class T> bool all(const PyItems& items) {
    return std::all_of(items.begin(), items.end(), [](const PyValue& v) { return v.as<T>() != nullptr; });
}

[[noreturn]] void crash(const std::string& what) {
    throw RunStopped{verify::RunEnd::crashed, "segmentation fault: " + what};
}

PyValue dtypeOf(long long number) {
    switch (number) {
    case 0:
    case 1:
    case 2:
    case 3:
    case 4:
    case 5:
    case 6:
    case 7:
    case 11:
    case 15: return tensor::DType(number);
    case 26: return {}; // ScalarType::Undefined
    default: refuse(fmt::format("ScalarType {} (complex or quantised)", number));
    }
}

} // namespace

void Marshal::readBytes(std::uint64_t address, std::span<std::byte> out) const {
    if (out.empty()) return;
    if (auto done = m_host.read(address, out); !done) crash("host code passed a bad pointer: " + done.error().text());
}

void Marshal::writeBytes(std::uint64_t address, std::span<const std::byte> bytes) {
    if (bytes.empty()) return;
    if (auto done = m_host.write(address, bytes); !done)
        crash("host code passed a bad pointer for a result: " + done.error().text());
}

std::string Marshal::text(std::uint64_t address) const {
    std::string out;
    constexpr std::size_t limit = 1 << 20;
    while (out.size() < limit) {
        const char c = read<char>(address + out.size());
        if (c == 0) break;
        out.push_back(c);
    }
    return out;
}

std::uint64_t Marshal::place(std::span<const std::byte> bytes, std::string label) {
    auto address = m_host.allocate(std::max<std::size_t>(bytes.size(), 1), std::move(label));
    if (!address) throw RunStopped{verify::RunEnd::crashed, "std::bad_alloc: " + address.error().text()};
    writeBytes(*address, bytes);
    return *address;
}

std::uint64_t Marshal::placeText(const std::string& text) {
    return place(std::as_bytes(std::span(text.c_str(), text.size() + 1)), "a string");
}

std::vector<kl_value> Marshal::values(std::uint64_t address, int count) const {
    if (count < 0 || count > largestList) crash(fmt::format("host code passed a list of {} values", count));
    return readArray<kl_value>(address, std::size_t(count));
}

PyItems Marshal::decodeAll(std::uint64_t address, int count) const {
    PyItems items;
    for (const kl_value& value : values(address, count))
        items.push_back(decode(value));
    return items;
}

PyValue Marshal::decode(const kl_value& value) const {
    if (value.count < 0 || value.count > largestList) crash(fmt::format("host code passed a list of {}", value.count));
    const std::uint64_t address = addressOf(value);
    const auto count = std::size_t(value.count);
    PyItems items;
    switch (value.kind) {
    case KL_NONE: return {};
    case KL_BOOL: return value.i != 0;
    case KL_INT: return std::int64_t(value.i);
    case KL_DOUBLE: return value.d;
    case KL_TENSOR: return TensorRef{value.i};
    case KL_DTYPE: return dtypeOf(value.i);
    case KL_DEVICE: return DeviceRef{int(value.i)};
    case KL_POINTER: return PointerRef{address};
    case KL_STRING: {
        const auto raw = readArray<char>(address, count);
        return std::string(raw.begin(), raw.end());
    }
    case KL_OBJECT:
        if (value.i <= 0 || value.i > (long long)m_objects.size())
            crash("host code used an object that does not exist");
        return m_objects[std::size_t(value.i - 1)];
    case KL_LIST: return PyValue::list(decodeAll(address, value.count));
    case KL_INT_LIST:
        for (long long i : readArray<long long>(address, count))
            items.emplace_back(std::int64_t(i));
        return PyValue::list(std::move(items));
    case KL_DOUBLE_LIST:
        for (double d : readArray<double>(address, count))
            items.emplace_back(d);
        return PyValue::list(std::move(items));
    case KL_TENSOR_LIST:
        for (kl_handle h : readArray<kl_handle>(address, count))
            items.emplace_back(TensorRef{h});
        return PyValue::list(std::move(items));
    case KL_BOOL_LIST:
        for (unsigned char b : readArray<unsigned char>(address, count))
            items.emplace_back(b != 0);
        return PyValue::list(std::move(items));
    default: crash(fmt::format("host code passed a value of unknown kind {}", value.kind));
    }
}

template <class T> kl_value Marshal::list(int kind, const std::vector<T>& values) {
    kl_value out{};
    out.kind = kind;
    out.count = int(values.size());
    if (!values.empty()) out.p = reinterpret_cast<const void*>(place(std::as_bytes(std::span(values)), "a list"));
    return out;
}

kl_value Marshal::encodeDoubles(const PyItems& items) {
    std::vector<double> values;
    for (const PyValue& item : items) {
        if (const auto* d = item.as<double>())
            values.push_back(*d);
        else if (const auto* i = item.as<std::int64_t>())
            values.push_back(double(*i));
        else if (const auto* b = item.as<bool>())
            values.push_back(*b);
        else
            raiseTypeError("must be real number, not " + typeName(item));
    }
    return list(KL_DOUBLE_LIST, values);
}

kl_value Marshal::encodeList(const PyItems& items) {
    if (!items.empty() && all<TensorRef>(items)) {
        std::vector<kl_handle> values;
        for (const PyValue& item : items)
            values.push_back(item.as<TensorRef>()->handle);
        return list(KL_TENSOR_LIST, values);
    }
    if (!items.empty() && all<std::int64_t>(items)) {
        std::vector<long long> values;
        for (const PyValue& item : items)
            values.push_back(*item.as<std::int64_t>());
        return list(KL_INT_LIST, values);
    }
    if (!items.empty() && all<bool>(items)) {
        std::vector<unsigned char> values;
        for (const PyValue& item : items)
            values.push_back(*item.as<bool>());
        return list(KL_BOOL_LIST, values);
    }
    if (!items.empty() && all<double>(items)) return encodeDoubles(items);
    return encodeValues(items);
}

kl_value Marshal::encodeValues(const PyItems& items) {
    std::vector<kl_value> values;
    for (const PyValue& item : items)
        values.push_back(encode(item));
    return list(KL_LIST, values);
}

kl_value Marshal::encodeObject(const PyValue& value) {
    m_objects.push_back(value);
    return make(KL_OBJECT, (long long)m_objects.size());
}

kl_value Marshal::encodePython(const PyValue& value) {
    return value.as<ListRef>() ? encodeObject(value) : encode(value);
}

kl_value Marshal::encode(const PyValue& value) {
    if (value.isNone()) return make(KL_NONE, 0);
    if (const auto* b = value.as<bool>()) return make(KL_BOOL, *b);
    if (const auto* i = value.as<std::int64_t>()) return make(KL_INT, *i);
    if (const auto* t = value.as<TensorRef>()) return make(KL_TENSOR, t->handle);
    if (const auto* t = value.as<tensor::DType>()) return make(KL_DTYPE, (long long)*t);
    if (const auto* d = value.as<DeviceRef>()) return make(KL_DEVICE, d->index);
    if (const auto* p = value.as<PointerRef>()) return make(KL_POINTER, (long long)p->address);
    if (const auto* l = value.as<ListRef>()) return encodeList(*l->items);
    if (const auto* d = value.as<double>()) {
        kl_value out = make(KL_DOUBLE, 0);
        out.d = *d;
        return out;
    }
    if (const auto* s = value.as<std::string>()) {
        kl_value out = make(KL_STRING, (long long)placeText(*s));
        out.count = int(s->size());
        return out;
    }
    return encodeObject(value);
}

} // namespace kernelarium::host
