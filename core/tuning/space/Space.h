// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tuning/space/Value.h"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace kernelarium::tuning {

/// One thing that a sweep may set.
struct Parameter {
    std::string name;
    std::vector<Value> values; ///< at least one, all different, in the order of their declaration
    std::size_t start = 0;     ///< which of them the text has as it stands
};

/// One of the values of each parameter, by its number, in the order of the parameters.
struct Point {
    std::vector<std::uint32_t> at;
    auto operator<=>(const Point&) const = default;
};

/// Parameters, and which of their combinations are meant. A value: nothing of a kernel's text, task or device.
class Space {
public:
    using Values = std::vector<const Value*>; ///< in the order of the parameters
    struct Restriction {
        std::string text;                          ///< as it was written: "TILE * TILE <= 1024"
        std::function<bool(const Values&)> allows; ///< may be called from several threads at once
        /// The parameters that it looks at, where that is known: it may then be asked as soon as these are set, the
        /// others being null. Empty optional: all of them.
        std::optional<std::vector<std::size_t>> reads = std::nullopt;
    };

    Space() = default;
    Space(std::vector<Parameter> parameters, std::vector<Restriction> restrictions);

    [[nodiscard]] const std::vector<Parameter>& parameters() const { return m_parameters; }
    [[nodiscard]] const std::vector<Restriction>& restrictions() const { return m_restrictions; }

    /// Points with and without the restrictions' blessing; the largest number where it does not fit.
    [[nodiscard]] std::uint64_t size() const;
    /// The first restriction that forbids the point, or null.
    [[nodiscard]] const Restriction* forbids(const Point& point) const;
    /// Points that no restriction forbids, the largest number where they do not fit; empty where that takes more than
    /// `most` looks (a value tried for a parameter is one), or is stopped. A restriction is asked as soon as what it
    /// reads is set, and what follows from the same values of the parameters still to be asked about is counted once:
    /// a space of 1e12 points may take some hundred looks.
    [[nodiscard]] std::optional<std::uint64_t> countAllowed(std::uint64_t most, std::stop_token stop = {}) const;

    [[nodiscard]] const Value& value(const Point& point, std::size_t parameter) const {
        return m_parameters[parameter].values[point.at[parameter]];
    }
    [[nodiscard]] Point start() const;
    /// From 0 to size() - 1, the last parameter's value changing fastest. The space must fit into 64 bits.
    [[nodiscard]] Point point(std::uint64_t number) const;
    [[nodiscard]] std::uint64_t number(const Point& point) const;

    /// "TILE=16 UNROLL=4": the canonical name of a point, one line. Texts with blanks are in quotes.
    [[nodiscard]] std::string key(const Point& point) const;
    /// The point of that name, its parameters in any order; empty where it has no such parameter or value, or lacks
    /// one.
    [[nodiscard]] std::optional<Point> pointOf(std::string_view key) const;

private:
    std::vector<Parameter> m_parameters;
    std::vector<Restriction> m_restrictions;
};

} // namespace kernelarium::tuning
