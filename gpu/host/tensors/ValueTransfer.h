// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensor/Value.h"
#include "core/verify/Runner.h"
#include "gpu/host/tensors/TensorKeeper.h"
#include "gpu/host/tensors/TensorTable.h"

#include <optional>
#include <vector>

namespace kernelarium::host {

/// What fills tensors without elements (Tensor::shapeOnly): one tile for each tensor in turn, repeated.
class Tiles {
public:
    explicit Tiles(const std::vector<tensor::Tensor>& tiles)
        : m_tiles(tiles) {}
    [[nodiscard]] const tensor::Tensor* next() { return m_next < m_tiles.size() ? &m_tiles[m_next++] : nullptr; }

private:
    const std::vector<tensor::Tensor>& m_tiles;
    std::size_t m_next = 0;
};

/// Ends the run: moving tensors between it and the device failed, which is not the kernel's fault. Memory is told from
/// the rest.
[[noreturn]] void stopForKeeping(const Error& error);

/// Writes a tensor's elements over a view of its shape and type, wherever they are: `keeper` has those that lie on the
/// device already. Stops the run where there is no keeper for them.
void writeElements(TensorTable& table, const TensorView& view, const tensor::Tensor& t, TensorKeeper* keeper);

/// A truth value, a number, a text or an element type; None of anything else.
[[nodiscard]] PyValue scalarOf(const tensor::Value& value);

/// Copies the tensors of a value onto the device; `handles` gets theirs, depth first. `label` names the
/// argument.
[[nodiscard]] PyValue importValue(const tensor::Value& value, const std::string& label, TensorTable& table,
                                  std::vector<std::int64_t>& handles, Tiles* tiles = nullptr,
                                  TensorKeeper* keeper = nullptr);

/// Reads the tensors of a value back, or keeps those of the device there where a keeper is given; `firstUnwritten` gets
/// an entry for each, depth first. Raises TypeError on what is not data (a bound method, a pointer).
[[nodiscard]] tensor::Value exportValue(const PyValue& value, const TensorTable& table,
                                        std::vector<std::optional<std::int64_t>>& firstUnwritten,
                                        TensorKeeper* keeper = nullptr);

/// Where the elements of the tensors of a value lie: an entry for each element of verify::flatten().
[[nodiscard]] std::vector<verify::OutputPlace> outputPlaces(const PyValue& value, const TensorTable& table);

} // namespace kernelarium::host
