// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernelgen/file/KernelFile.h"
#include "core/mugraph/graph/MuGraph.h"
#include "core/mugraph/graph/Tiling.h"

#include <string>
#include <vector>

namespace kernelarium::kernelgen::graphs {

/// An axis of the problem, as the file writes it.
struct Axis {
    enum class Kind {
        grid,   ///< each block has a tile of it
        loop,   ///< each block walks along it, a tile in each step
        split,  ///< blocks share it out, a tile each
        walked, ///< blocks share it out, and each walks along its part
        whole,  ///< each block has all of it
    };
    std::string name;  ///< "M": size.M, tileM, at.firstM, at.countM
    std::string index; ///< within the tile: "m"
    Kind kind = Kind::whole;
    Values extents;        ///< at each size
    std::int64_t tile = 1; ///< indices in a tile; of a whole axis the most that there may be
    [[nodiscard]] std::string tileName() const { return "tile" + name; }
    [[nodiscard]] std::string extent() const { return "size." + name; }
    [[nodiscard]] bool isPlaced() const { return kind != Kind::whole; }
    [[nodiscard]] std::string count() const { return isPlaced() ? "at.count" + name : extent(); }
    /// The index in the whole axis of one within the tile.
    [[nodiscard]] std::string position(const std::string& own) const {
        return isPlaced() ? "at.first" + name + " + " + own : own;
    }
};

/// What is chosen for a graph before its text is written.
struct Sizes {
    std::vector<std::int64_t> tile; ///< of each axis
    std::int64_t stepsEach = 1;     ///< of the loop in a part, where its axis is split
    int threads = 128;
    int stages = 2; ///< buffers of what a step of the loop loads
};

/// A graph, the card that it is for, and what is chosen for it.
struct Subject {
    const mugraph::Problem& problem;
    const mugraph::MuGraph& graph;
    std::vector<mugraph::Tile> tiles; ///< of its tensors
    std::vector<Axis> axes;
    Sizes sizes;

    [[nodiscard]] std::size_t inputs() const { return problem.inputs.size(); }
    [[nodiscard]] const mugraph::Step& step(std::size_t tensor) const { return graph.steps[tensor - inputs()]; }
    [[nodiscard]] bool isInput(std::size_t tensor) const { return tensor < inputs(); }
    /// In the order in which its elements lie: an input's dimensions, of others by their numbers.
    [[nodiscard]] std::vector<int> axesOf(std::size_t tensor) const;
    [[nodiscard]] bool hasSplit() const { return graph.roles.split >= 0; }
    [[nodiscard]] bool hasLoop() const { return graph.roles.loop >= 0; }
    [[nodiscard]] const Axis* loopAxis() const;   ///< null where there is none
    [[nodiscard]] const Axis* splitAxis() const;  ///< likewise
    [[nodiscard]] const Axis* walkedAxis() const; ///< the loop's, where it is split
    /// Whether products go through tensor cores: all inputs have 16 bits.
    [[nodiscard]] bool usesTensorCores() const;
    [[nodiscard]] std::int64_t elements(std::size_t tensor) const; ///< of a tile
};

[[nodiscard]] Axis::Kind kindOf(const mugraph::Problem& problem, const mugraph::Roles& roles, int axis);
[[nodiscard]] std::vector<int> listed(mugraph::AxisSet set);

} // namespace kernelarium::kernelgen::graphs
