// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tuning/search/Candidate.h"
#include "core/tuning/strategies/Ground.h"

#include <optional>

namespace kernelarium::tuning {

/// A point to look at, and how closely: see Candidate::effort.
struct Draw {
    Point point;
    double effort = 1;
    bool operator==(const Draw&) const = default;
};

/// What became of a point.
struct Heard {
    Draw draw;
    Outcome::Kind kind = Outcome::Kind::failed;
    std::optional<double> value; ///< only of a valued one

    /// It is refused or wrong: a bad place. Of a failed one nothing is known, and nobody learns from it.
    [[nodiscard]] bool bad() const { return kind == Outcome::Kind::refused || kind == Outcome::Kind::wrong; }
};

/// Chooses the points of a search, from what is free on the ground and from what it has heard. All its chance comes
/// from Ground::random. It is told of points in any order (several jobs), and of points that it did not draw (a search
/// that is resumed, or goes on with another strategy).
class Strategy {
public:
    virtual ~Strategy() = default;
    /// A point that serves (Ground::serves), or one of its own at another effort. Nothing: it waits for an outcome, or
    /// there is no more.
    [[nodiscard]] virtual std::optional<Draw> draw(Ground& ground) = 0;
    virtual void hear(const Heard& heard, Ground& ground) = 0;
    /// Whether what it draws follows from what it has heard, in its order, so that a resumed search need not draw all
    /// that it drew before to be where it was.
    [[nodiscard]] virtual bool followsFromHistory() const { return false; }
    /// Whether shards divide its points. Those of others search on their own, each with chance of its own.
    [[nodiscard]] virtual bool dividesPoints() const { return false; }
};

} // namespace kernelarium::tuning
