// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/host/run/HostSession.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <map>

namespace kernelarium::host {

namespace {

constexpr const char* moduleEntry = "kl_module_entry"; // compile::moduleEntry; this room does not depend on that one

constexpr std::string_view libraryEntry = "kl_library_"; ///< what TORCH_LIBRARY's functions begin with
constexpr std::string_view staticEntry = "kl_static_";   ///< in a name, before a number: makes a static object

/// How a HostRun::call ended, for the run.
RunStopped stoppedBy(const Error& error) {
    if (error.code == "timeout") return {verify::RunEnd::timeout, "host code: " + error.message};
    if (error.code == "cancelled") return {verify::RunEnd::cancelled, "cancelled"};
    if (error.code == "unsupported") return {verify::RunEnd::unsupported, error.message};
    const bool divides = error.message.starts_with("floating point exception");
    return {verify::RunEnd::crashed, (divides ? "" : "segmentation fault: ") + error.message};
}

/// "a, b, c": each once.
std::string namesOf(const std::vector<Definition>& definitions) {
    std::vector<std::string> names;
    for (const Definition& d : definitions)
        if (std::find(names.begin(), names.end(), d.name) == names.end()) names.push_back(d.name);
    return fmt::format("{}", fmt::join(names, ", "));
}

/// Nobody said which of several functions is meant, or said one that the module does not have.
RunStopped noSuchFunction(const std::string& function, const std::string& names) {
    if (function.empty())
        return {verify::RunEnd::unsupported,
                "a module without `forward` and with several functions; choose one of " + names};
    return {verify::RunEnd::import_error,
            fmt::format("AttributeError: module has no attribute '{}'; it has {}", function, names)};
}

} // namespace

void HostSession::interpret(std::uint32_t function, const std::vector<std::uint64_t>& parameters) {
    std::vector<std::vector<std::byte>> raw;
    for (std::uint64_t p : parameters) {
        const auto* bytes = reinterpret_cast<const std::byte*>(&p);
        raw.emplace_back(bytes, bytes + sizeof(p));
    }
    const auto returned = m_interpreter->call(function, raw);
    if (returned) return;
    if (m_calls.uncaught()) throw Raised(*m_calls.uncaught());
    if (m_calls.stopped()) throw RunStopped(*m_calls.stopped());
    throw stoppedBy(returned.error());
}

/// The objects of namespaces, in the order in which the file defines them.
void HostSession::makeStatics() {
    std::map<int, std::uint32_t> makers;
    for (std::uint32_t i = 0; i < m_program.functions().size(); ++i)
        if (const std::string& name = m_program.functions()[i].name; name.find(staticEntry) != std::string::npos)
            makers[std::atoi(name.c_str() + name.find(staticEntry) + staticEntry.size())] = i;
    for (const auto& [number, function] : makers)
        interpret(function, {});
}

void HostSession::importModule() {
    makeStatics();
    for (std::uint32_t i = 0; i < m_program.functions().size(); ++i)
        if (m_program.functions()[i].name.starts_with(libraryEntry)) interpret(i, {});
    const auto entry = m_program.functionByName(moduleEntry);
    const auto missing = [](const std::string& why) {
        return RunStopped{verify::RunEnd::import_error,
                          "ImportError: dynamic module does not define module export function "
                          "(PyInit_TORCH_EXTENSION_NAME): " +
                              why};
    };
    if (!entry && !m_module.operators().empty()) return;
    if (!entry) throw missing("the file has no PYBIND11_MODULE");
    interpret(*entry, {});
    // The shim leaves the macro as its own name: any other name is a module that the loader would not find.
    if (m_module.name() != "TORCH_EXTENSION_NAME")
        throw missing("the file defines module '" + m_module.name().value_or("") + "' instead");
    if (m_module.definitions().empty())
        throw RunStopped{verify::RunEnd::import_error, "AttributeError: module has no attribute 'forward'"};
}

/// The module's `forward`; where there is no module, the operator that stands for it.
std::vector<const Definition*> HostSession::entries() {
    if (m_module.name()) {
        auto overloads = m_module.entry(m_function);
        if (overloads.empty()) throw noSuchFunction(m_function, namesOf(m_module.definitions()));
        return overloads;
    }
    const Definition* found = m_module.operatorEntry(m_function);
    if (!found) throw noSuchFunction(m_function, namesOf(m_module.operators()));
    if (found->invoke == 0)
        throw RunStopped{verify::RunEnd::host_exception, "NotImplementedError: Could not run '" + found->name +
                                                             "' with arguments from the 'CUDA' backend."};
    m_log.remark("called as the operator " + found->name + " of TORCH_LIBRARY: the file defines no Python module");
    return {found};
}

void HostSession::callForward(const std::vector<const Definition*>& overloads, const PyItems& arguments) {
    std::optional<Raised> mismatch;
    for (const Definition* overload : overloads) {
        PyItems bound;
        try {
            bound = bindArguments(*overload, m_given.argumentsFor(*overload, arguments));
        } catch (const Raised& raised) {
            mismatch = mismatch.value_or(raised);
            continue;
        }
        const auto invoke = m_program.functionByAddress(overload->invoke);
        if (!invoke) throw RunStopped{verify::RunEnd::crashed, "the module's definitions are damaged"};
        m_calls.beginCall(*overload, std::move(bound));
        try {
            interpret(*invoke, {overload->function});
            return;
        } catch (const Raised& raised) {
            if (!m_calls.argumentMismatch()) throw;
            mismatch = mismatch.value_or(raised);
        }
    }
    throw *mismatch;
}

PyItems HostSession::importArguments(const std::vector<tensor::Value>& arguments, std::vector<std::int64_t>& handles,
                                     Tiles* tiles) {
    PyItems items;
    m_calls.forgetCall();
    for (std::size_t i = 0; i < arguments.size(); ++i)
        items.push_back(
            importValue(arguments[i], fmt::format("argument {}", i + 1), m_table, handles, tiles, m_keeper));
    return items;
}

bool HostSession::overwriteArguments(const std::vector<tensor::Value>& arguments,
                                     const std::vector<std::int64_t>& handles) {
    std::vector<tensor::Tensor> tensors;
    for (const tensor::Value& argument : arguments)
        tensor::collectTensors(argument, tensors);
    if (tensors.size() != handles.size()) return false;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        const TensorView& view = m_table.at(handles[i]);
        if (view.shape != tensors[i].shape() || view.dtype != tensors[i].dtype()) return false;
    }
    for (std::size_t i = 0; i < tensors.size(); ++i)
        writeElements(m_table, m_table.at(handles[i]), tensors[i], m_keeper);
    return true;
}

void HostSession::keepOutputs(const std::vector<std::int64_t>& arguments) {
    m_cuda.copies.settleAll();
    m_device.settle();
    if (m_calls.returned() && m_cuda.stickyError == cudaSuccess) m_kept.keep(*m_calls.returned(), arguments);
}

PyItems HostSession::makeEarlierCalls(const verify::RunRequest& request, const std::vector<const Definition*>& forward,
                                      std::vector<std::int64_t>& handles) {
    std::optional<PyItems> first;
    for (const std::vector<tensor::Value>& earlier : request.earlierCalls) {
        if (first && overwriteArguments(earlier, handles)) {
            callForward(forward, *first);
            keepOutputs(handles);
            continue;
        }
        std::vector<std::int64_t> fresh;
        PyItems items = importArguments(earlier, fresh);
        callForward(forward, items);
        keepOutputs(fresh);
        if (!request.sameAddresses) continue;
        first = std::move(items);
        handles = std::move(fresh);
    }
    if (first && overwriteArguments(request.arguments, handles)) {
        m_calls.forgetCall();
        return std::move(*first);
    }
    handles.clear();
    std::optional<Tiles> tiles;
    if (request.profile) tiles.emplace(request.profile->tiles);
    return importArguments(request.arguments, handles, tiles ? &*tiles : nullptr);
}

} // namespace kernelarium::host
