// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/schedule/Measurer.h"
#include "core/schedule/StaticCost.h"

namespace kernelarium::schedule {

/// Times by StaticCost, without a GPU: what a model of one warp alone thinks, and no measurement.
class ModelledMeasurer : public Measurer {
public:
    explicit ModelledMeasurer(const Subject& subject);
    [[nodiscard]] Mode mode() const override { return Mode::modelled; }
    [[nodiscard]] Result<Measurement> measure(const sass::Cubin& candidate, const Race& race, std::uint64_t seed,
                                              const std::stop_token& stop) override;

private:
    const Subject& m_subject;
    double m_original = 0; ///< cycles
};

} // namespace kernelarium::schedule
