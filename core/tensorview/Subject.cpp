// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensorview/Subject.h"

#include <charconv>

namespace kernelarium::tensorview {

std::string_view name(Role role) {
    switch (role) {
    case Role::input: return "input";
    case Role::output: return "output";
    case Role::reference: return "reference";
    case Role::difference: break;
    }
    return "difference";
}

std::string toString(const Subject& subject) {
    return std::string(name(subject.role)) + ":" + std::to_string(subject.number);
}

Result<Subject> parseSubject(std::string_view text) {
    const std::size_t colon = text.find(':');
    const std::string_view word = text.substr(0, colon);
    for (const Role role : {Role::input, Role::output, Role::reference, Role::difference}) {
        if (word != name(role)) continue;
        Subject subject{role, 0};
        if (colon == std::string_view::npos) return subject;
        const std::string_view number = text.substr(colon + 1);
        const auto read = std::from_chars(number.data(), number.data() + number.size(), subject.number);
        if (!number.empty() && read.ec == std::errc() && read.ptr == number.data() + number.size()) return subject;
    }
    return Error{"bad_input", "\"" + std::string(text) + "\" is no tensor of a run.",
                 "Give output, reference, difference or input, with a number behind a colon: input:1."};
}

} // namespace kernelarium::tensorview
