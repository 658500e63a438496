// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"

#include <cstddef>
#include <string>

namespace kernelarium::tensorview {

/// What a tensor is to a run.
enum class Role {
    input,      ///< of the call, parameters of the task's module included
    output,     ///< what the kernel gave
    reference,  ///< what it should have given
    difference, ///< output - reference
};

/// One tensor of a run: the inputs as they are drawn, outputs depth first.
struct Subject {
    Role role = Role::output;
    std::size_t number = 0;

    bool operator==(const Subject&) const = default;
};

[[nodiscard]] std::string_view name(Role role);             ///< "input", "output", "reference", "difference"
[[nodiscard]] std::string toString(const Subject& subject); ///< "output:0"
/// "output", "input:2". Error "bad_input".
Result<Subject> parseSubject(std::string_view text);

} // namespace kernelarium::tensorview
