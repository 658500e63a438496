// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/perf/LibraryCall.h"
#include "gpu/host/python/CallArguments.h"
#include "gpu/host/tensors/DeviceOperators.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

namespace kernelarium::host {

/// ATen as host code meets it: views, factories and copies are done here on the tensor table; what computes goes to the
/// device where one computes operators and has a kernel for it, else through core/task's operators on gathered
/// elements.
class AtenCalls {
public:
    struct Settings {
        unsigned threads = 1;
        std::uint64_t seed = 0;
        std::stop_token stop;
        /// A stop after this moment is the time limit's.
        std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
        std::uint64_t memoryLimit = 0;
        /// Where set, operators on the device are not computed: their results get memory but no elements, and this is
        /// told what each would cost.
        std::function<void(perf::LibraryCall)> onCost;
        DeviceOperators* device = nullptr; ///< null: everything is computed in this process
    };

    AtenCalls(TensorTable& table, Settings settings);

    /// Results in the schema's order; in-place operators give `self` back. Stops the run as unsupported (by
    /// name) on an operator that nobody knows, raises what PyTorch would raise.
    PyItems call(const std::string& name, PyItems arguments);

    /// Names of the operators that computed something, in order.
    [[nodiscard]] const std::vector<std::string>& computed() const { return m_computed; }
    void noteComputed(std::string name) {
        constexpr std::size_t most = 20'000; // beyond it, each name once
        const bool fresh = m_computedNames.insert(name).second;
        if (fresh || m_computed.size() < most) m_computed.push_back(std::move(name));
    }
    /// Whether operators on the device are costed instead of computed, and how other libraries say what theirs cost.
    [[nodiscard]] bool onlyCosts() const { return bool(m_settings.onCost); }
    void noteCost(perf::LibraryCall call) { m_settings.onCost(std::move(call)); }

    /// Of device tensors, but in this process.
    [[nodiscard]] const std::vector<ComputedHere>& computedHere() const { return m_here; }
    void noteComputedHere(std::string name, std::string why);
    [[nodiscard]] DeviceOperators* device() const { return onlyCosts() ? nullptr : m_settings.device; }
    /// Raises, or stops the run, as the error of an operator says.
    [[noreturn]] void failWith(const Error& error, const std::string& name) const;

    /// Evaluates on elements in this process; raises as call() does. cuBLAS's products come this way.
    std::vector<tensor::Value> evaluate(const std::string& name, std::vector<tensor::Value> arguments,
                                        bool shapesOnly = false);

private:
    std::vector<tensor::Value> evaluateCall(const CallArguments& arguments, bool onHost);
    void updateRunningStatistics(const CallArguments& arguments, const std::vector<tensor::Value>& values);
    std::vector<tensor::Value> gatherAll(const CallArguments& arguments) const;
    PyItems compute(const CallArguments& arguments);
    PyItems computeInto(const CallArguments& arguments, std::int64_t target);
    /// Empty where the device has no kernel for it, which is noted.
    std::optional<PyItems> computeOnDevice(const CallArguments& arguments, std::optional<std::int64_t> target);
    [[nodiscard]] DeviceOperand operandOf(const PyValue& value, std::string_view base);
    [[nodiscard]] static bool movesStatistics(const CallArguments& arguments);
    void storeStatistics(const CallArguments& arguments, std::vector<DeviceOperand>& results);
    void checkTarget(const tensor::Tensor& made, const TensorView& target) const;
    tensor::Value toValue(const PyValue& value, const std::string& reader) const;
    PyValue store(const tensor::Value& value, bool onHost, const std::string& name);
    [[nodiscard]] bool resultOnHost(const CallArguments& arguments) const;

    TensorTable& m_table;
    Settings m_settings;
    std::uint64_t m_randomCalls = 0;
    std::vector<std::string> m_computed;
    std::set<std::string, std::less<>> m_computedNames;
    std::vector<ComputedHere> m_here;
};

/// Views by ATen's base name ("view", "transpose", ...): new handles over the same storage. False when the
/// name is not a view. A base name with a trailing underscore changes the tensor itself.
bool callView(const CallArguments& arguments, PyItems& results);

/// empty, zeros, ones, full, their _like and new_ forms, tensor, from_blob, scalar_tensor. False for other
/// names.
bool callFactory(const CallArguments& arguments, PyItems& results);

/// to, contiguous, clone, copy_, fill_, zero_, item and the conversions by method. False for other names.
bool callCopy(const CallArguments& arguments, PyItems& results);

} // namespace kernelarium::host
