// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/schedule/Measurer.h"
#include "core/schedule/ScheduleHistory.h"
#include "core/schedule/ScheduleSearch.h"

#include <functional>
#include <optional>

namespace kernelarium::schedule {

/// A starter kernel, compiled once; empty without a toolkit, and then `why` says so.
std::optional<Subject> subjectOf(const std::string& file, std::string& why);

/// A small product in float32: slides, reuse flags, shared memory.
inline const std::string productFile = "archive_data/kernels/level_1/003/register_tiles.cu";

/// Times that follow from the code alone, as a GPU's would: MODELLED cycles, and a part that depends on the hash and is
/// as wide as the noise that it says.
class FakeGpu : public Measurer {
public:
    explicit FakeGpu(const Subject& subject, double noise = 0.2);
    [[nodiscard]] Mode mode() const override { return Mode::measured; }
    [[nodiscard]] Result<Measurement> measure(const sass::Cubin& candidate, const Race& race, std::uint64_t seed,
                                              const std::stop_token& stop) override;
    int calls = 0;
    std::function<std::string(int call)> fault = {}, failure = {}; ///< of the call of that number, from 1
private:
    const Subject& m_subject;
    double m_noise;
    double m_original = 0;
};

/// What of a search must not depend on when and in how many runs it was done.
std::vector<std::string> accountOf(const std::filesystem::path& store);

} // namespace kernelarium::schedule
