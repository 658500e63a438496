// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/recording/Recording.h"

#include <map>
#include <memory>
#include <tuple>

namespace kernelarium::recording {

/// Walks over a recording: the state of registers and shared memory after any of its steps. Going a step forth or back
/// costs what the step changed.
class Cursor {
public:
    explicit Cursor(std::shared_ptr<const Recording> recording);

    struct Values {
        std::uint32_t written = 0;         ///< lanes that were ever written in this call
        std::vector<std::uint64_t> values; ///< words of all 32 lanes
    };

    [[nodiscard]] const Recording& recording() const { return *m_recording; }
    /// How many steps have been taken: 0 is before the first.
    [[nodiscard]] std::size_t taken() const { return m_taken; }
    void goTo(std::size_t taken);

    /// Null where it was never written.
    [[nodiscard]] const Values* valuesOf(std::uint32_t warp, std::uint64_t frame, std::uint32_t reg) const;
    /// Registers that were written in this call of the function, in the order of Recording::registers.
    [[nodiscard]] std::vector<std::uint32_t> registersOf(std::uint32_t warp, std::uint64_t frame) const;
    [[nodiscard]] const std::vector<std::uint32_t>& shared() const { return m_shared; }
    [[nodiscard]] const std::vector<std::uint8_t>& sharedWritten() const { return m_sharedWritten; }

private:
    void forth(const Step& step);
    void back(const Step& step);

    using Key = std::tuple<std::uint32_t, std::uint64_t, std::uint32_t>; ///< warp, frame, register
    std::shared_ptr<const Recording> m_recording;
    std::size_t m_taken = 0;
    std::map<Key, Values> m_values;
    std::vector<std::uint32_t> m_shared;
    std::vector<std::uint8_t> m_sharedWritten;
};

// Where to go next. All answer with the number of a step, from 0; empty: there is none. `from` is the step that stands
// now (it may be the number of steps or more, looking back). `warp` empty: any.

using Found = std::optional<std::size_t>;
[[nodiscard]] Found stepAfter(const Recording& r, Found from, std::optional<std::uint32_t> warp);
[[nodiscard]] Found stepBefore(const Recording& r, Found from, std::optional<std::uint32_t> warp);
/// The next step of the warp at another line than that of `from`.
[[nodiscard]] Found nextLine(const Recording& r, Found from, std::optional<std::uint32_t> warp);
/// The step where the warp came to the line that it was at before.
[[nodiscard]] Found previousLine(const Recording& r, Found from, std::optional<std::uint32_t> warp);
[[nodiscard]] Found nextBarrier(const Recording& r, Found from, std::optional<std::uint32_t> warp);
/// The next time that the line is come to: a step at it whose step before is at another.
[[nodiscard]] Found nextAtLine(const Recording& r, Found from, std::optional<std::uint32_t> warp, int line);

} // namespace kernelarium::recording
