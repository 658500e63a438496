// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/host/run/GivenOutputs.h"

#include <algorithm>
#include <fmt/format.h>

namespace kernelarium::host {

namespace {

/// A function of this name returns its result: what KernelBench's kernels promise.
constexpr std::string_view returning = "forward";

bool isData(const std::optional<PyValue>& returned) {
    if (!returned) return false;
    if (const auto* tensor = returned->as<TensorRef>()) return tensor->handle != 0;
    return returned->as<ListRef>() || returned->as<DictRef>();
}

} // namespace

std::vector<std::size_t> GivenOutputs::placesIn(const Definition& d) const {
    const std::size_t count = m_asked.fresh.size();
    if (!m_asked.places.empty()) return m_asked.places;
    if (d.tensorReferences.size() == count) return d.tensorReferences;
    if (d.tensors.size() < count) return {};
    return {d.tensors.end() - std::ptrdiff_t(count), d.tensors.end()};
}

PyValue GivenOutputs::freshTensor(std::size_t number, std::size_t place) {
    if (number < m_fresh.size()) return m_fresh[number];
    const tensor::Tensor& shape = m_asked.fresh[number];
    TensorView view = m_table.allocate(shape.dtype(), shape.shape(), false, fmt::format("output argument {}", place));
    return TensorRef{m_table.add(std::move(view))};
}

/// A function with a name of its own may have the task's numbers in its text: one that takes tensors alone gets these.
PyItems GivenOutputs::fitting(const Definition& d, const PyItems& arguments) {
    m_leftNumbersOut = false;
    if (d.name == returning || d.tensors.size() != std::size_t(std::max(d.arity, 0))) return arguments;
    PyItems tensors;
    for (const PyValue& argument : arguments)
        if (argument.as<TensorRef>()) tensors.push_back(argument);
    if (!takes(d, tensors.size()) && !takes(d, tensors.size() + m_asked.fresh.size())) return arguments;
    m_leftNumbersOut = tensors.size() < arguments.size();
    return tensors;
}

PyItems GivenOutputs::argumentsFor(const Definition& d, const PyItems& given) {
    m_arguments = fitting(d, given);
    const PyItems& arguments = m_arguments;
    m_written.clear();
    m_freshPlaces.clear();
    m_function = d.name;
    const std::size_t count = m_asked.fresh.size(), all = arguments.size() + count;
    const bool named = !m_asked.places.empty();
    m_mayGuess = !named && m_asked.updated.empty() && d.name != returning && d.returnsNothing;
    std::vector<std::size_t> places = placesIn(d);
    const bool wants =
        count > 0 && takes(d, all) && (named || m_mayGuess) && places.size() == count && places.back() < all;
    if (!wants) {
        std::vector<std::size_t> updated = m_asked.updated;
        if (d.returnsNothing && takes(d, arguments.size()))
            updated.insert(updated.end(), m_asked.places.begin(), m_asked.places.end());
        std::sort(updated.begin(), updated.end());
        for (const std::size_t place : updated)
            if (place < arguments.size() && arguments[place].as<TensorRef>()) m_written.push_back(arguments[place]);
        return arguments;
    }
    m_freshPlaces = std::move(places);
    PyItems items;
    std::vector<PyValue> fresh;
    for (std::size_t place = 0, next = 0; place < all; ++place) {
        const bool isFresh = fresh.size() < count && m_freshPlaces[fresh.size()] == place;
        if (isFresh) fresh.push_back(freshTensor(fresh.size(), place));
        items.push_back(isFresh ? fresh.back() : arguments[next++]);
        const bool updated = std::find(m_asked.updated.begin(), m_asked.updated.end(), place) != m_asked.updated.end();
        if (isFresh || updated) m_written.push_back(items.back());
    }
    if (m_sameAddresses) m_fresh = std::move(fresh);
    return items;
}

bool GivenOutputs::isReturned(const std::optional<PyValue>& returned) const {
    return m_freshPlaces.empty() && isData(returned);
}

bool GivenOutputs::asksForChanged(const std::optional<PyValue>& returned) const {
    return m_mayGuess && m_written.empty() && !isData(returned);
}

std::optional<PyValue> GivenOutputs::resultOf(const std::optional<PyValue>& returned,
                                              const std::vector<std::int64_t>& changed) const {
    PyItems result = m_written;
    if (isReturned(returned)) return returned;
    if (asksForChanged(returned))
        for (const std::int64_t handle : changed)
            result.emplace_back(TensorRef{handle});
    if (result.empty()) return returned;
    return result.size() == 1 ? result.front() : PyValue::tuple(std::move(result));
}

std::vector<std::size_t> GivenOutputs::placesOf(const std::vector<std::int64_t>& handles) const {
    std::vector<std::size_t> places;
    for (std::size_t place = 0; place < m_arguments.size(); ++place)
        if (const auto* tensor = m_arguments[place].as<TensorRef>();
            tensor && std::find(handles.begin(), handles.end(), tensor->handle) != handles.end())
            places.push_back(place);
    return places;
}

std::vector<std::int64_t> GivenOutputs::handlesIn(const PyValue& result) {
    std::vector<std::int64_t> handles;
    if (const auto* tensor = result.as<TensorRef>()) handles.push_back(tensor->handle);
    if (const auto* list = result.as<ListRef>())
        for (const PyValue& item : *list->items)
            if (const auto* tensor = item.as<TensorRef>()) handles.push_back(tensor->handle);
    return handles;
}

std::string GivenOutputs::describe(const std::optional<PyValue>& returned,
                                   const std::vector<std::size_t>& changed) const {
    const char* numbers = m_leftNumbersOut ? " It takes tensors alone: the call's numbers were left out." : "";
    if (!m_freshPlaces.empty())
        return fmt::format(
            "{}() was given fresh memory for its parameter{} {}, and what it writes there is its output.{}", m_function,
            m_freshPlaces.size() == 1 ? "" : "s", fmt::join(m_freshPlaces, ", "), numbers);
    if (!asksForChanged(returned) || changed.empty()) return m_leftNumbersOut ? m_function + "():" + numbers : "";
    return fmt::format(
        "{}() returns nothing: what it wrote into tensor{} {} of its arguments is taken for its output.{}", m_function,
        changed.size() == 1 ? "" : "s", fmt::join(changed, ", "), numbers);
}

} // namespace kernelarium::host
