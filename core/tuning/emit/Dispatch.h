// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kernelarium::tuning {

/// A whole kernel file, and what is said of it in a comment.
struct DispatchVersion {
    std::string text;
    std::string said; ///< "TILE=16 UNROLL=4"
    /// A condition in C++ on the function's parameters: without it the version does not serve a call. Empty: it serves
    /// all.
    std::string takes = {};
};

/// A shape that one of the versions serves.
struct DispatchShape {
    std::string name;        ///< "N=512"
    std::size_t version = 0; ///< its number among the versions
    /// The extents of each argument of the function, in order; empty for what is no tensor.
    std::vector<std::vector<std::int64_t>> extents;
};

/// What becomes of calls of other shapes.
struct DispatchRest {
    std::optional<std::size_t> otherwise; ///< the version for calls that none of the shapes' versions serves
    bool nearest = true;                  ///< a shape's version serves near shapes; else its own alone
};

/// One ordinary kernel file of several versions of one: its function takes the version of the shape that it is called
/// with and, for others, that of the nearest one: with the least product, over the extents in which the shapes differ,
/// of the larger by the smaller of the two; the first of equals. `rest` says if other shapes are served otherwise.
///
/// Each version lies in a namespace of its own, with its #includes before all of them, its #defines taken back behind
/// it, and marks removed. A #define before the last #include that is the same in all stands with the includes. The
/// module is the first version's, and gives Python the function that chooses. With one version it is that version's
/// text as it is.
///
/// Error "not_mergeable" names what stands in the way, and its line: an #include under #if, more than one function in
/// the module or none that is plain, overloads of it, parameters without a name, names of the file in its signature or
/// module, versions of different signatures, blocks of extern "C" or of namespaces that are not the file's, names
/// spelled ::name, TORCH_LIBRARY, a main; shapes that no tensor's extents tell apart.
[[nodiscard]] Result<std::string> dispatchingText(const std::vector<DispatchVersion>& versions,
                                                  const std::vector<DispatchShape>& shapes,
                                                  std::string_view function = {}, const DispatchRest& rest = {});

} // namespace kernelarium::tuning
