// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "core/schedule/Race.h"
#include "core/schedule/Subject.h"

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace kernelarium::schedule {

/// What a schedule was found to take.
struct Measurement {
    /// What went wrong with proved code: it ended otherwise than the original, or an output differs in a bit; with the
    /// inputs' seed. Empty: it ran, and every bit agrees.
    std::string fault;
    /// Nothing is known: the GPU was gone, the original did not run either. Empty otherwise.
    std::string failure;
    double energy = 100;          ///< its time in percent of the original's
    double low = 100, high = 100; ///< where that lies (perf::ratioInterval); of a model both are the energy
    std::size_t pairs = 0;        ///< 0: modelled
    std::vector<double> samples;  ///< seconds: candidate and original of each pair, in turn
};

/// Takes the time of schedules beside the original. Used from one thread.
class Measurer {
public:
    virtual ~Measurer() = default;
    [[nodiscard]] virtual Mode mode() const = 0;
    /// `seed` draws the inputs. An error ends the search: "cancelled", or what makes every measurement fail, such as an
    /// original that does not run.
    [[nodiscard]] virtual Result<Measurement> measure(const sass::Cubin& candidate, const Race& race,
                                                      std::uint64_t seed, const std::stop_token& stop) = 0;
};

} // namespace kernelarium::schedule
