// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/tuning/Landscapes.h"

#include "core/tuning/strategies/Random.h"
#include "tests/tuning/TuningFixture.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace kernelarium::tuning {
namespace {

using Numbers = std::vector<std::int64_t>; ///< whole numbers as they are, words by their number

struct Timed {
    double seconds = 0; ///< 0: refused
    double cheap = 0;   ///< what a rough model says
};

Numbers numbersOf(const Space& space, const Point& point) {
    Numbers numbers;
    for (std::size_t i = 0; i < point.at.size(); ++i) {
        const auto* number = std::get_if<std::int64_t>(&space.value(point, i));
        numbers.push_back(number != nullptr ? *number : std::int64_t(point.at[i]));
    }
    return numbers;
}

Landscape landscapeOf(const std::string& name, Space space, std::uint64_t variant,
                      const std::function<Timed(const Numbers&)>& time) {
    Landscape landscape{name, std::move(space), {}};
    for (std::uint64_t number = 0; number < landscape.space.size(); ++number) {
        const Point point = landscape.space.point(number);
        if (landscape.space.forbids(point) != nullptr) continue;
        ++landscape.points;
        const Timed timed = time(numbersOf(landscape.space, point));
        Random chance(variant * 7919 + 17, number);
        Judged full{{landscape.space.key(point)}, {}};
        Judged cheap = full;
        cheap.candidate.effort = 0.1;
        if (timed.seconds > 0) {
            full.outcome = valuedAs(timed.seconds * (1 + 0.04 * chance.uniform()));
            cheap.outcome = valuedAs(timed.cheap * (1 + 0.1 * chance.uniform()));
        } else {
            ++landscape.refused;
            full.outcome = cheap.outcome = {Outcome::Kind::refused, std::nullopt, "too many registers", {}};
        }
        landscape.sweep.push_back(std::move(full));
        landscape.sweep.push_back(std::move(cheap));
    }
    return landscape;
}

/// Blocks of that many threads, registers a thread and bytes of shared memory that a multiprocessor holds.
double blocksHeld(double threads, double registers, double shared) {
    const double warps = std::ceil(threads / 32);
    const double byRegisters = std::floor(65536 / (warps * 32 * std::ceil(registers / 8) * 8));
    return std::min({std::floor(64 / warps), byRegisters, shared > 0 ? std::floor(100000 / shared) : 32.0, 32.0});
}

} // namespace

Landscape matrixProduct(std::uint64_t variant) {
    Space space({powers("BM", 8, 5), powers("BN", 8, 5), powers("BK", 6, 3), powers("TM", 4, 1), powers("TN", 4, 1),
                 powers("UNROLL", 3)},
                {restrictionOf("threads",
                               [](const Numbers& p) {
                                   const std::int64_t threads = p[0] * p[1] / (p[3] * p[4]);
                                   return p[0] >= p[3] && p[1] >= p[4] && threads >= 64 && threads <= 1024 &&
                                          p[0] * p[1] >= 1024;
                               }),
                 restrictionOf("tiles", [](const Numbers& p) {
                     return p[0] >= 16 && p[1] >= 16 && p[2] >= 8 && (p[0] + p[1]) * p[2] * 4 <= 49152 && p[5] != 2 &&
                            p[3] <= 2 * p[4] && p[4] <= 2 * p[3];
                 })});
    const double size = 1024.0 * double(1 + variant % 3), multiprocessors = variant % 2 == 0 ? 132 : 108;
    return landscapeOf("matrix product", std::move(space), variant, [=](const Numbers& p) -> Timed {
        const double bm = double(p[0]), bn = double(p[1]), bk = double(p[2]), tm = double(p[3]), tn = double(p[4]);
        const double threads = bm * bn / (tm * tn), shared = (bm + bn) * bk * 4;
        const double registers = 22 + tm * tn + 2 * (tm + tn) + 3 * double(p[5]) + bk / 4;
        if (registers * threads > 43008) return {};
        const double held = blocksHeld(threads, registers, shared);
        if (held < 1) return {};
        const double warps = held * threads / 32;
        const double blocks = std::ceil(size / bm) * std::ceil(size / bn);
        const double waves = std::ceil(blocks / (held * multiprocessors));
        const double steps = size / bk;
        const double compute = bm * bn * bk / 128 * (1 + 0.9 / double(p[5]) + 0.6 * (tm + tn) / (tm * tn));
        const double load = (bm + bn) * bk / 24 * (bk < 16 ? 1.5 : 1) * (bn < 32 ? 1.6 : 1);
        const double hidden = std::min(1.0, warps / (8 + 48 / (tm * tn)));
        const double conflicts = bk >= 32 && tm < 4 ? 1.35 : 1;
        const double step = std::max(compute * conflicts, load) + 0.35 * std::min(compute, load) / hidden + 40 / hidden;
        const double cycles = waves * held * (steps * step * std::min(1.0, 1 / (0.3 + 0.7 * hidden)) + 900);
        return {cycles / 1.7e9, blocks / multiprocessors * steps * std::max(compute, load) / 1.7e9};
    });
}

Landscape rowReduction(std::uint64_t variant) {
    Space space({powers("THREADS", 6, 2), powers("ITEMS", 5), powers("ROWS", 4), powers("VECTOR", 3),
                 wordsNamed("EXCHANGE", {"shuffle", "shared", "atomic"})},
                {restrictionOf("row", [](const Numbers& p) { return p[0] * p[2] <= 32 && p[3] <= p[1] * 2; })});
    const double columns = 1000.0 * double(3 + variant % 5);
    return landscapeOf("row reduction", std::move(space), variant, [=](const Numbers& p) -> Timed {
        const double threads = 32 * double(p[0]), items = double(p[1]), rows = double(p[2]), vector = double(p[3]);
        const double registers = 16 + items * vector + 4 * rows;
        if (registers > 76 || (p[4] == 2 && p[2] >= 8)) return {};
        const double held = blocksHeld(threads * rows, registers, p[4] == 1 ? threads * rows * 4 : 128);
        if (held < 1) return {};
        const double trips = std::ceil(columns / (threads * items * vector));
        const double idle = trips * threads * items * vector / columns;
        const double inFlight = held * threads * rows * items * vector;
        const double bandwidth = std::min(1.0, inFlight / 26000) * (vector == 1 ? 0.8 : vector == 2 ? 0.95 : 1);
        const double exchange = p[4] == 0   ? 60 + 30 * std::log2(threads / 32 + 1)
                                : p[4] == 1 ? 35 * std::log2(threads)
                                            : 24 * threads / 32 * rows;
        const double perRow = columns / 40 / bandwidth * (0.7 + 0.3 * idle) + exchange / (held * rows) * 8 / rows;
        return {65536 * perRow / 132 / 1.7e9, 65536 * columns / 40 * idle / bandwidth / 132 / 1.7e9};
    });
}

Landscape stencil(std::uint64_t variant) {
    Space space({powers("BX", 6, 4), powers("BY", 6, 2), powers("BZ", 3), powers("TX", 3), powers("TY", 4),
                 powers("UNROLL", 3), wordsNamed("PLACE", {"global", "shared", "registers"}),
                 wordsNamed("CACHE", {"ca", "cg"})},
                {restrictionOf("block",
                               [](const Numbers& p) {
                                   const std::int64_t threads = p[0] * p[1] * p[2] * 8;
                                   return threads >= 64 && threads <= 1024;
                               }),
                 restrictionOf("tile", [](const Numbers& p) { return p[3] * p[4] <= 8 && p[5] <= p[4] * 2; })});
    return landscapeOf("stencil", std::move(space), variant, [=](const Numbers& p) -> Timed {
        const double bx = 8 * double(p[0]), by = double(p[1]), bz = double(p[2]), tx = double(p[3]), ty = double(p[4]);
        const double x = bx * tx, y = by * ty, threads = bx * by * bz;
        const double shared = p[6] == 1 ? (x + 2) * (y + 2) * (bz + 2) * 4 : 0;
        const double registers = 20 + 5 * tx * ty + 2 * double(p[5]) + (p[6] == 2 ? 14 * tx * ty : 0);
        if (shared > 49152 || registers * threads > 65536 || registers > 128) return {};
        const double held = blocksHeld(threads, registers, shared);
        if (held < 1) return {};
        const double halo = (x + 2) * (y + 2) * (bz + 2) / (x * y * bz);
        const double reuse = p[6] == 0 ? (p[7] == 0 ? 1.5 : 2.6) : p[6] == 1 ? 1.05 : 1.25;
        const double sectors = std::ceil(x * 4 / 32) * 32 / (x * 4) * (bx < 32 ? 1.4 : 1);
        const double warps = held * threads / 32;
        const double hidden = std::min(1.0, warps * std::sqrt(tx * ty * double(std::min<std::int64_t>(p[5], 2))) /
                                                (28 + double(variant % 4) * 6));
        const double blocks = std::ceil(512 / x) * std::ceil(512 / y) * std::ceil(256 / bz);
        const double waves = std::ceil(blocks / (held * 132)) * held * 132 / blocks;
        const double bytes = 512.0 * 512 * 256 * 4 * (1 + halo * reuse * sectors);
        const double barrier = p[6] == 1 ? 1 + 6 / (warps + 6) : 1;
        return {bytes / 3.3e12 / hidden * waves * barrier, bytes / 3.3e12};
    });
}

} // namespace kernelarium::tuning
