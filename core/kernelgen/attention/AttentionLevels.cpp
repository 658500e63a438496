// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernelgen/attention/AttentionLevels.h"

#include "core/kernelgen/attention/AttentionKernel.h"
#include "core/kernelgen/products/ProductLevels.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace kernelarium::kernelgen::attention {

void describeAttention(KernelFile& file, const AttentionUnit& unit, std::size_t first) {
    products::ProductWork work = products::workOf(file, unit.output);
    products::ProductWork scores = products::workOf(file, unit.logits);
    products::ProductWork::Factor& q = scores.factors.front();
    products::ProductWork::Factor& v = work.factors.front();
    const AttentionTiles tiles = attentionTilesFor(std::int64_t(q.sums), std::int64_t(v.columns));
    const double rowTile = 16.0 * tiles.rowWarps, keyTile = double(tiles.keyTile) * tiles.keyWarps;
    const double downs = std::ceil(q.rows / rowTile);
    const Launch& launch = file.levels().launches[first];
    work.parts = std::max(1.0, std::round(double(launch.grid[0].value) / std::max(1.0, downs * q.batch)));
    q.leftTimes = work.parts;
    q.rightTimes = v.rightTimes = downs;
    v.isStored = false;
    work.factors.insert(work.factors.begin(), q);
    work.tileRows = std::int64_t(rowTile), work.tileColumns = std::int64_t(keyTile);
    work.tileSums = std::int64_t(keyTile);
    work.steps = std::ceil(q.columns / keyTile / work.parts);
    work.byTensorCores = true;
    work.detail = "Scores, their maximum and sum so far, and the values weighted by them: no score is stored.";
    products::describeProduct(file, work, first);
}

} // namespace kernelarium::kernelgen::attention
