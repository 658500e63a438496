// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensor/Tensor.h"

#include <cstddef>
#include <vector>

namespace kernelarium::verify {

/// Tensors that a call writes instead of returning them. What they hold afterwards is the run's output, in the order of
/// the parameters.
///
/// Fresh ones are given to a function that wants as many arguments more than there are: at `places`, whatever it
/// returns; where nobody said, if it returns nothing and is not called `forward`, whose result is what it returns. They
/// are then for the parameters that are `Tensor&`, if these are as many, else for the last tensors.
///
/// Without fresh ones, a function that returns no data has as its output the arguments at `updated`, or at `places`;
/// where nobody said and it is not called `forward`, those that it changed.
struct OutputArguments {
    std::vector<tensor::Tensor> fresh; ///< without elements (Tensor::shapeOnly): memory that nobody wrote yet
    std::vector<std::size_t> places;   ///< of these among the function's parameters, rising; empty: nobody said
    std::vector<std::size_t> updated;  ///< parameters that are given with elements and are outputs all the same
};

} // namespace kernelarium::verify
