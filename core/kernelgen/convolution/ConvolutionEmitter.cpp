// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernelgen/convolution/ConvolutionEmitter.h"

#include "core/kernelgen/convolution/ConvolutionLevels.h"
#include "core/kernelgen/convolution/Match.h"
#include "core/kernelgen/convolution/Text.h"
#include "core/kernelgen/text/Layout.h"

namespace kernelarium::kernelgen::convolution {

Result<Emitted> emitFile(const task::Card& card, const EmitOptions& options) {
    const Result<Description> d = describe(card);
    if (!d) return d.error();
    Result<std::string> text = kernelText(*d, tilesFor(*d), card);
    if (!text) return text.error();
    std::string why = "what follows the convolution happens in registers";
    for (const std::string& r : d->rewrites)
        why += "; " + r;
    Result<Levels> levels = levelsOf(*d, tilesFor(*d), card, options.size);
    if (!levels) return levels.error();
    return Emitted{laidOut(*text), "convolution", std::move(why), *std::move(levels)};
}

} // namespace kernelarium::kernelgen::convolution
