// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hgemm/family/Configuration.h"

#include <vector>

namespace kernelarium::hgemm {

/// What of a device the model below looks at.
struct ModelDevice {
    int multiprocessors = 132;
    double clockHertz = 1.75e9;
    double memoryBytesPerSecond = 4.0e12;
    double l2BytesPerClock = 48; ///< of a multiprocessor
};

/// The configurations that are worth a look on any shape, a few hundred of each layout.
[[nodiscard]] std::vector<Configuration> pool(Layout layout, bool halfSums);

/// A rough time of a call: waves of blocks, each with its stages at the pace of the tensor cores or of what brings the
/// operands, whichever is slower. It orders candidates before they are measured; it is no measurement.
[[nodiscard]] double modelledSeconds(const Configuration& configuration, const Shape& shape,
                                     const ModelDevice& device = {});

/// Of the pool, `most` that do not refuse the shape, those first that the model has fastest. Few are of one tile, and a
/// quarter of either engine as long as that is not hopeless: the model compares badly what is unlike.
[[nodiscard]] std::vector<Configuration> candidates(const Shape& shape, Layout layout, bool halfSums, std::size_t most,
                                                    const ModelDevice& device = {});

} // namespace kernelarium::hgemm
