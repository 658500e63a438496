// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schedule/Subject.h"

#include "core/sass/instruction/Decoder.h"

namespace kernelarium::schedule {

std::string_view name(Mode mode) {
    return mode == Mode::measured ? "measured" : "modelled";
}

std::optional<Mode> modeOf(std::string_view text) {
    for (const Mode mode : {Mode::measured, Mode::modelled})
        if (name(mode) == text) return mode;
    return std::nullopt;
}

std::vector<sass::Word> Subject::words() const {
    return sass::wordsOf(original.code(code()));
}

sass::Cubin Subject::with(const std::vector<sass::Word>& words) const {
    sass::Cubin other = original;
    other.replace(code(), sass::bytesOf(words));
    return other;
}

} // namespace kernelarium::schedule
