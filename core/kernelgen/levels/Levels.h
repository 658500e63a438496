// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "core/perf/Counters.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

/// What an emitted file does, as data for a picture in levels: the tensors in device memory, the launches in their
/// order, and within each launch its grid and block, its loops, its tiles and its operators, with what flows between
/// them. Every node has an id, unique in the whole; a label of a few words; and a detail, a sentence or more.
namespace kernelarium::kernelgen {

/// A whole number of the file: as its text writes it, and what that is at the size that the levels are for.
struct Amount {
    std::string formula; ///< of names of the host function or of the file's constants: "blocks(B * N, threads)"
    std::int64_t value = 1;
    bool operator==(const Amount&) const = default;
};

/// Where values lie.
enum class Place {
    device,    ///< in device memory
    constant,  ///< in constant memory
    shared,    ///< of a block
    registers, ///< of a thread
};
[[nodiscard]] std::string_view name(Place place); ///< "device memory", "constant memory", "shared memory", "registers"

/// Values that are kept together: a whole tensor in device memory, or a part of one nearer to the arithmetic.
struct Tile {
    std::string id, label, detail;
    Place place = Place::device;
    std::string tensor; ///< the name of the tensor whose values these are, as formulas have it; of a part too
    std::string type;   ///< "float32"
    std::vector<Amount> extents;
    bool operator==(const Tile&) const = default;
};

/// What is walked through one after another by each thread (or block).
struct Loop {
    std::string id, label, detail;
    std::string parent; ///< id of the loop around it; empty directly within the launch
    Amount count;       ///< how often its inside is done
    bool operator==(const Loop&) const = default;
};

/// A step of arithmetic on tiles.
struct Operator {
    std::string id, label, detail;
    std::string loop;    ///< id of the innermost loop that it stands in; empty where it stands in none
    std::string formula; ///< "y[o0, o1] = sum over r0 < 64 of x[o0, r0] * w[o1, r0]"
    bool operator==(const Operator&) const = default;
};

/// What flows from a tile or operator to another.
struct Edge {
    std::string from, to; ///< ids
    std::string map;      ///< which element of `from` is meant at a point of the reader: "[o0, r0 + 1]"; may be empty
    std::string detail;   ///< how it is loaded or stored, where that is known
    bool operator==(const Edge&) const = default;
};

/// One launch of a kernel, or several of the same kernel in a loop of the host function.
struct Launch {
    std::string id, label, detail;
    std::string kernel;          ///< its name in the text, with its namespace
    Amount times;                ///< how often the host function launches it
    std::string gridText;        ///< as the text's <<<>>> has it
    std::string blockText;       ///< likewise
    std::array<Amount, 3> grid;  ///< blocks along x, y, z
    std::array<Amount, 3> block; ///< threads along x, y, z
    std::string blockDoes;       ///< in words: what one block makes
    std::string threadDoes;      ///< what one thread makes
    std::vector<Loop> loops;     ///< outer ones first
    std::vector<Tile> tiles;     ///< in constant or shared memory and in registers
    std::vector<Operator> operators;
    std::vector<Edge> edges; ///< between this launch's tiles and operators and the tensors of Levels
    /// What one launch counts at this size, from formulas and not from a run (core/kernelgen/levels/AnalyticCounters.h
    /// says how): for perf::modelLaunch.
    perf::LaunchCounters counters;
};

struct Levels {
    /// What the amounts are for: a size of the card by its name, or, where its formulas have another form there, the
    /// symbols of one near it.
    std::string size;
    std::vector<Tile> tensors; ///< in device memory: inputs, what launches leave for one another, outputs
    std::vector<Launch> launches;

    [[nodiscard]] const Tile* tensor(std::string_view id) const; ///< null if there is none
};

/// What is not sound: an id that stands twice, an edge or loop of a node that is not there, a grid of no blocks. Empty
/// where all is.
[[nodiscard]] std::string flawOf(const Levels& levels);

/// As indented text: a line or a few for each node.
[[nodiscard]] std::string toText(const Levels& levels);

[[nodiscard]] nlohmann::json toJson(const Levels& levels);
/// Error "bad_input".
[[nodiscard]] Result<Levels> levelsFromJson(const nlohmann::json& json);

} // namespace kernelarium::kernelgen
