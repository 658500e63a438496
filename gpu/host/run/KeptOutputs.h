// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/verify/Runner.h"
#include "gpu/host/tensors/TensorKeeper.h"
#include "gpu/host/tensors/TensorTable.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace kernelarium::host {

/// What the earlier calls of a run returned, as their caller still holds it.
class KeptOutputs {
public:
    /// Table and keeper (null: there is none) outlive it. Of the first `most` calls the elements are remembered, too.
    KeptOutputs(const TensorTable& table, TensorKeeper* keeper, std::size_t most)
        : m_table(table)
        , m_keeper(keeper)
        , m_most(most) {}

    /// What a call returned, as it is now. What lies in one of the call's arguments is the argument's owner's.
    void keep(const PyValue& returned, const std::vector<std::int64_t>& arguments);
    /// After the last call, which returned this: earlier outputs that are changed, or that a later call returned again.
    [[nodiscard]] std::vector<verify::ReusedOutput> reused(const PyValue& returned) const;

private:
    struct Output {
        std::size_t call = 0;
        std::size_t number = 0;
        TensorView view;
        std::optional<std::uint64_t> hash;
        std::optional<tensor::Tensor> copy; ///< on the device, instead of the hash
    };
    [[nodiscard]] bool isChanged(const Output& output) const;

    const TensorTable& m_table;
    TensorKeeper* m_keeper;
    std::size_t m_most;
    std::size_t m_calls = 0;
    std::vector<Output> m_outputs; ///< in the order of their calls
};

} // namespace kernelarium::host
