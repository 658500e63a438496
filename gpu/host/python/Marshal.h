// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/host/backend/Memory.h"
#include "gpu/host/python/ShimAbi.h"
#include "gpu/host/tensors/PyValue.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace kernelarium::host {

/// Carries values across the border: kl_value in the interpreted program's memory on one side, PyValue on
/// ours. Payloads of what goes in (characters, list elements) are allocated in the interpreted program's
/// heap; objects that have no kind of their own there (dicts, methods) stay here and go by handle.
class Marshal {
public:
    explicit Marshal(Memory& host)
        : m_host(host) {}

    [[nodiscard]] PyValue decode(const kl_value& value) const;
    [[nodiscard]] PyItems decodeAll(std::uint64_t address, int count) const;
    /// As they are. RunStopped where host code says that there are fewer than none, or too many.
    [[nodiscard]] std::vector<kl_value> values(std::uint64_t address, int count) const;

    /// In the closest kind: lists of one element type as KL_INT_LIST and the like, mixed ones as KL_LIST.
    [[nodiscard]] kl_value encode(const PyValue& value);
    /// Always a KL_OBJECT, whatever the value is.
    [[nodiscard]] kl_value encodeObject(const PyValue& value);
    /// As Python code holds it: lists and tuples stay the objects that they are.
    [[nodiscard]] kl_value encodePython(const PyValue& value);
    /// Numbers as a list of one element type; the items must convert.
    [[nodiscard]] kl_value encodeDoubles(const PyItems& items);
    /// Always a KL_LIST, each item in its own kind.
    [[nodiscard]] kl_value encodeValues(const PyItems& items);

    [[nodiscard]] std::string text(std::uint64_t address) const; ///< NUL-terminated
    [[nodiscard]] std::uint64_t place(std::span<const std::byte> bytes, std::string label);
    [[nodiscard]] std::uint64_t placeText(const std::string& text); ///< with a NUL at its end

    void readBytes(std::uint64_t address, std::span<std::byte> out) const;
    void writeBytes(std::uint64_t address, std::span<const std::byte> bytes);
    template <class T> [[nodiscard]] T read(std::uint64_t address) const {
        T value{};
        readBytes(address, std::as_writable_bytes(std::span(&value, 1)));
        return value;
    }
    template <class T> void write(std::uint64_t address, const T& value) {
        writeBytes(address, std::as_bytes(std::span(&value, 1)));
    }
    template <class T> [[nodiscard]] std::vector<T> readArray(std::uint64_t address, std::size_t count) const {
        std::vector<T> values(count);
        if (count > 0) readBytes(address, std::as_writable_bytes(std::span(values)));
        return values;
    }

    [[nodiscard]] Memory& memory() const { return m_host; }

private:
    [[nodiscard]] kl_value encodeList(const PyItems& items);
    template <class T> kl_value list(int kind, const std::vector<T>& values);

    Memory& m_host;
    std::vector<PyValue> m_objects; ///< handle - 1
};

} // namespace kernelarium::host
