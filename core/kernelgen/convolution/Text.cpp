// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernelgen/convolution/Text.h"

#include "core/algebra/lowering/Lowering.h"
#include "core/kernelgen/convolution/Host.h"
#include "core/kernelgen/convolution/Pieces.h"
#include "core/kernelgen/text/FormulasComment.h"
#include "core/kernelgen/text/Wrapped.h"

#include <fmt/format.h>

namespace kernelarium::kernelgen::convolution {

namespace {

std::string headerText(const Description& d, const task::Card& card, const algebra::Graph& full) {
    std::string idea = d.axes[0].transposed
                           ? "A transposed convolution divides its outputs into cells that read the same inputs. "
                           : "Outputs side by side share their inputs. ";
    idea += "A thread makes a column of cells for a group of filters, all in registers: a weight is read once for the "
            "column, an input once for the group. ";
    idea += d.late.kind == Late::Kind::none
                ? "What follows the convolution happens before anything is stored."
                : "What needs more than a thread has is done with the stored values, which costs less than to make "
                  "them twice.";
    std::string out = fmt::format(
        "// SPDX-License-Identifier: GPL-3.0-or-later\n//\n// Task:    {} {}\n// Name:    columns\n// Parent:  none\n",
        card.key(), card.name);
    out += kernelgen::filled("// Idea:    ", "//          ", idea);
    for (const std::string& r : d.rewrites)
        out += kernelgen::filled("// Rewrite: ", "//          ", r);
    return out + formulasComment(full) + "#include <torch/extension.h>\n\n";
}

std::optional<std::string> refusal(const Description& d, const Tiles& tiles) {
    const std::int64_t kept = d.pool == Pool::none ? d.cellOutputs() : 1;
    if (tiles.across == Across::rows && 4 * tiles.column * kept * d.filters * tiles.threads > 49152)
        return fmt::format("The values of {} filters do not fit into shared memory together.", d.filters);
    const bool notLast = d.before.combinesFilters() && (d.pool != Pool::none || d.space != Space::kept);
    const bool one = d.before.combinesFilters() && d.before.steps.back().each == Each::one;
    if (tiles.across == Across::rows && (notLast || d.space != Space::kept || d.repeats() > 1))
        return fmt::format("{} filters together are too many for registers.", d.filters);
    if (d.space == Space::line && tiles.across == Across::registers && !one)
        return "There is no kernel for lines of what combines filters and keeps them.";
    if (d.repeats() > 1 && d.after.combinesFilters() && tiles.across != Across::stream)
        return "There is no kernel for what combines filters behind windows of many cells.";
    return std::nullopt;
}

} // namespace

Result<std::string> kernelText(const Description& d, const Tiles& tiles, const task::Card& card) {
    if (const auto what = refusal(d, tiles)) return Error{"unsupported", *what};
    Result<std::string> forward = forwardText(d, tiles, card);
    if (!forward) return forward.error();
    const auto symbols = card.size("full");
    if (!symbols) return symbols.error();
    const auto full = algebra::lower(card, *symbols);
    if (!full) return full.error();
    std::string statistics;
    if (d.norm) {
        const Description of = statisticsOf(d);
        Tiles ofTiles = tilesFor(of);
        ofTiles.mostWeights = tiles.mostWeights;
        ofTiles.constantWeights = tiles.constantWeights;
        statistics = "/// The sums that the norm needs: the convolution is done for them and stored nowhere.\n"
                     "namespace statistics {\n\n" +
                     constantsText(of, ofTiles, false) + shapeText(of) + packText(of, ofTiles) +
                     convolveText(of, ofTiles) + chainsText(of, ofTiles) + kernelText(of, ofTiles) +
                     normText(of, *d.norm) + normHostText(of, *d.norm, ofTiles) + "} // namespace statistics\n\n";
    }
    return headerText(d, card, *full) + statistics + constantsText(d, tiles) + shapeText(d) + packText(d, tiles) +
           convolveText(d, tiles) + chainsText(d, tiles) + kernelText(d, tiles) + summaryText(d) + lateText(d) +
           *forward;
}

} // namespace kernelarium::kernelgen::convolution
