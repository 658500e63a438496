// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sass/cubin/Cubin.h"
#include "core/sass/instruction/Word.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kernelarium::schedule {

/// Where a search's times come from. One store has one of them.
enum class Mode {
    measured, ///< pairs with the original on a GPU
    modelled  ///< cycles of one warp by StaticCost: no GPU, and no promise about one
};
[[nodiscard]] std::string_view name(Mode mode); ///< "measured", "modelled"
[[nodiscard]] std::optional<Mode> modeOf(std::string_view name);

/// What a search is about: the native code of one kernel, as it was compiled.
struct Subject {
    sass::Cubin original;
    std::string kernel; ///< mangled
    /// How it came about and is called, for people and for going on: Call. Of it "task", "card", "function",
    /// "arguments", "size", "device" and "timing" ("cold", "hot") are part of what a search is.
    std::map<std::string, std::string> call;

    /// Never null: a subject is made with a kernel of its cubin.
    [[nodiscard]] const sass::KernelCode& code() const { return *original.find(kernel); }
    [[nodiscard]] std::vector<sass::Word> words() const;
    /// The cubin with other code in that kernel's place.
    [[nodiscard]] sass::Cubin with(const std::vector<sass::Word>& words) const;
};

/// How a search anneals. Energies and temperatures are percent of the original's time.
struct Settings {
    Mode mode = Mode::modelled;
    std::uint64_t seed = 1;
    std::uint64_t steps = 1000;    ///< schedules that are looked at; the temperature falls from start to stop over them
    double startTemperature = 1;   ///< of SIP (2024); in 1,000 steps down to
    double stopTemperature = 0.05; ///< is its factor of 0.997 a step
    std::uint64_t controlEvery = 50; ///< steps between two controls, the original against itself; measured only
    int worsen = 0;                  ///< legal moves that make the start worse than the original; mostWorsening at most
    static constexpr int mostWorsening = 100'000;
    bool operator==(const Settings&) const = default;
};

} // namespace kernelarium::schedule
