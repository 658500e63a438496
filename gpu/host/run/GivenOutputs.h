// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/verify/Runner.h"
#include "gpu/host/python/HostModule.h"
#include "gpu/host/tensors/TensorTable.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace kernelarium::host {

/// The tensors that calls of a run write instead of returning them (verify::OutputArguments).
class GivenOutputs {
public:
    /// The table outlives it. `sameAddresses`: every call is given the same fresh ones.
    GivenOutputs(TensorTable& table, verify::OutputArguments asked, bool sameAddresses)
        : m_table(table)
        , m_asked(std::move(asked))
        , m_sameAddresses(sameAddresses) {}

    /// What that function is called with: these arguments, and fresh tensors among them where it wants some.
    [[nodiscard]] PyItems argumentsFor(const Definition& definition, const PyItems& arguments);

    /// Whether the last call that was prepared has what it returned as its result.
    [[nodiscard]] bool isReturned(const std::optional<PyValue>& returned) const;
    /// Whether the call's result is to be sought in what it changed: it gave nothing, and nobody said where it is.
    [[nodiscard]] bool asksForChanged(const std::optional<PyValue>& returned) const;
    /// The result of the last call that was prepared; `changed`: arguments' tensors that it changed.
    [[nodiscard]] std::optional<PyValue> resultOf(const std::optional<PyValue>& returned,
                                                  const std::vector<std::int64_t>& changed) const;
    /// Of that call: parameters that fresh tensors were given for.
    [[nodiscard]] const std::vector<std::size_t>& freshPlaces() const { return m_freshPlaces; }
    /// Of that call: parameters that these tensors were given for.
    [[nodiscard]] std::vector<std::size_t> placesOf(const std::vector<std::int64_t>& handles) const;
    /// Arguments' tensors that are part of a result: their handles.
    [[nodiscard]] static std::vector<std::int64_t> handlesIn(const PyValue& result);
    /// A sentence on what counts as the result, where that is not what the function returned.
    [[nodiscard]] std::string describe(const std::optional<PyValue>& returned,
                                       const std::vector<std::size_t>& changed) const;

private:
    [[nodiscard]] PyItems fitting(const Definition& definition, const PyItems& arguments);
    [[nodiscard]] std::vector<std::size_t> placesIn(const Definition& definition) const;
    [[nodiscard]] PyValue freshTensor(std::size_t number, std::size_t place);

    TensorTable& m_table;
    verify::OutputArguments m_asked;
    bool m_sameAddresses;
    std::vector<PyValue> m_fresh; ///< of an earlier call
    std::vector<std::size_t> m_freshPlaces;
    PyItems m_arguments;
    PyItems m_written; ///< fresh and updated ones, in the order of the parameters
    std::string m_function;
    bool m_leftNumbersOut = false; ///< of the arguments
    bool m_mayGuess = false;       ///< where nobody said, what the function changes is its result
};

} // namespace kernelarium::host
