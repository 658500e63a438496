// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernelgen/convolution/ConvolutionLevels.h"

#include "core/kernelgen/convolution/LevelsWriter.h"

namespace kernelarium::kernelgen::convolution {

Result<Levels> levelsOf(const Description& d, const Tiles& tiles, const task::Card& card, const std::string& size) {
    const Result<task::Symbols> symbols = card.size(size);
    if (!symbols) return symbols.error();
    const auto shapes = task::tensorShapes(card, *symbols);
    if (!shapes) return shapes.error();
    Levels levels;
    levels.size = size;
    std::string norms;
    if (d.norm) {
        const Description of = statisticsOf(d);
        Tiles ofTiles = tilesFor(of);
        ofTiles.mostWeights = tiles.mostWeights;
        ofTiles.constantWeights = tiles.constantWeights;
        ConvolutionLevels statistics(of, ofTiles, card, *shapes);
        statistics.add(levels, "statistics::", "sums");
        statistics.means(levels, *d.norm);
        norms = statistics.norms();
    }
    ConvolutionLevels own(d, tiles, card, *shapes);
    own.setNorms(norms);
    own.add(levels, "", "output");
    return levels;
}

} // namespace kernelarium::kernelgen::convolution
