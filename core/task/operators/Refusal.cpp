// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/task/operators/Refusal.h"

#include <fmt/format.h>

namespace kernelarium::task::operators {

namespace {

std::string wordsFor(std::string_view op, const tensor::LayoutError& error) {
    using Kind = tensor::LayoutError::Kind;
    const auto& n = error.numbers;
    const std::string shape = tensor::toString(error.shape);
    switch (error.kind) {
    case Kind::orderLength: return "permute: the number of dimensions does not match the tensor's.";
    case Kind::movedLength: return "movedim: source and destination need the same number of dimensions.";
    case Kind::narrowed:
    case Kind::narrowedStart:
        return fmt::format("start ({}) + length ({}) exceeds dimension size ({}).", n[0], n[1], n[2]);
    case Kind::fewerSizes: return "expand: the number of sizes must be at least the tensor's dimensions.";
    case Kind::negativeSize: return fmt::format("{}: the result would have the negative size {}.", op, shape);
    case Kind::sizeMismatch:
        return fmt::format("The expanded size of the tensor ({}) must match the existing size ({}) at non-singleton "
                           "dimension {}.",
                           n[0], n[1], n[2]);
    case Kind::invalidShape: return fmt::format("{}: invalid shape {}.", op, shape);
    case Kind::tooMany: return fmt::format("{}: no tensor has the shape {}.", op, shape);
    case Kind::countMismatch: return fmt::format("shape '{}' is invalid for input of size {}.", shape, n[0]);
    case Kind::window: return "unfold: size must be at least 0 and step at least 1.";
    case Kind::partLengths:
        return fmt::format("split_with_sizes expects split_sizes to sum exactly to {}, but they sum to {}.", n[1],
                           n[0]);
    case Kind::partLength: return "split expects split_size to be positive.";
    case Kind::broadcast:
        return fmt::format("{}: the size {} must match the size {} at dimension {} to broadcast.", op, n[0], n[1],
                           n[2]);
    case Kind::index:
    case Kind::other: break;
    }
    const std::string words = error.what();
    return words.ends_with('.') ? words : words + ".";
}

} // namespace

Error refusal(std::string_view op, const tensor::LayoutError& error) {
    return {"bad_argument", wordsFor(op, error)};
}

} // namespace kernelarium::task::operators
