// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "core/task/operators/OperatorContext.h"
#include "core/tensor/Value.h"

#include <span>
#include <string_view>
#include <vector>

namespace kernelarium::task {

/// Evaluates one operator by the name it has in exported PyTorch graphs: "aten.conv2d.default",
/// "aten.add.Tensor", "aten.sum.dim_IntList", "aten.max.dim", "<built-in function getitem>".
///
/// Arguments stand in the order of the ATen schema, trailing defaults may be missing, keyword arguments carry
/// the schema's names; unknown keywords of placement (device, layout, pin_memory, memory_format, ...) are
/// ignored. Results are new contiguous tensors, in the schema's order; an operator with one result gives one
/// value, and one that returns a list of tensors (chunk, split, broadcast_tensors) gives one value that holds
/// a List. Views (view, transpose, slice, ...) give copies or share the elements: never write into an
/// argument afterwards. In-place operators ("aten.relu_.default", "aten.add_.Tensor", "aten.copy_.default")
/// change nothing: they return the new value of `self`, of its shape and type, for the caller to store.
/// batch_norm and instance_norm in training normalise with the statistics of the batch and leave the running
/// statistics alone; "aten.batch_norm_update.running" of the same arguments gives {mean, variance} after the
/// update, "aten.batch_norm_training.running" {result, mean, variance}; "aten.instance_norm_update.running" likewise.
///
/// float32 and float64 are computed in their own type with sums in float64; float16 and bfloat16 are computed
/// in float32 and rounded once at the end; integers and bools where PyTorch allows them. Types promote as in
/// PyTorch (scalars and tensors without dimensions do not widen within their kind).
///
/// Errors: "unsupported" (no such operator, or an option of it, by name), "bad_argument" (what PyTorch would
/// raise for: shapes that do not match, a dimension out of range), "out_of_memory" (with the bytes needed),
/// "cancelled".
Result<std::vector<tensor::Value>> evaluateOperator(std::string_view op, std::span<const tensor::Value> arguments,
                                                    const tensor::Dict& keywords, const OperatorContext& context);

[[nodiscard]] bool knowsOperator(std::string_view op);

/// Every name that has its own entry, sorted. In-place forms ("aten.relu_.default") are known wherever the
/// plain form is and are not listed.
[[nodiscard]] std::vector<std::string_view> operatorNames();

} // namespace kernelarium::task
