// SPDX-License-Identifier: GPL-3.0-or-later
// How many legal moves of a schedule one core makes in a second, how many it weighs by the model of one warp, and how
// many it proves: of every kernel of each cubin.
//
//   benchmark_schedule_moves FILE.cubin...      (`schedule vary FILE.cu --count 1 --moves 1 --output FOLDER` makes one)
#include "core/sass/instruction/Decoder.h"
#include "core/sass/proof/ScheduleProof.h"
#include "core/schedule/MoveDraw.h"

#include <cstddef>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <fstream>
#include <iterator>

#include <fmt/format.h>

using namespace kernelarium;
using namespace kernelarium::sass;

namespace {

double processorSeconds() {
    return double(std::clock()) / CLOCKS_PER_SEC; // other work may run beside
}

/// Moves until there are enough; each is weighed where that is asked for.
double movesPerSecond(Rescheduler& walk, const schedule::StaticCost& cost, const schedule::MoveDraw& draw, bool weigh) {
    constexpr int wanted = 20000, most = 2000000;
    tuning::Random random(1);
    double sum = 0;
    int done = 0;
    const double begin = processorSeconds();
    for (int tries = 0; done < wanted && tries < most; ++tries) {
        const auto move = draw.slide(walk, random, 8);
        if (!move || !walk.apply(*move)) continue;
        ++done;
        if (weigh) sum += cost.of(walk).cost();
    }
    const double seconds = processorSeconds() - begin;
    return seconds > 0 && sum >= 0 ? done / seconds : 0;
}

} // namespace

int main(int argc, char** argv) {
    if (argc < 2) {
        std::fputs("usage: benchmark_schedule_moves FILE.cubin...\n", stderr);
        return 2;
    }
    for (int i = 1; i < argc; ++i) {
        std::ifstream file(argv[i], std::ios::binary);
        const std::string text(std::istreambuf_iterator<char>(file), {});
        std::vector<std::byte> bytes(text.size());
        std::memcpy(bytes.data(), text.data(), text.size());
        const auto cubin = Cubin::read(std::move(bytes));
        if (!cubin) {
            fmt::print(stderr, "{}: {}\n", argv[i], cubin.error().text());
            return 2;
        }
        for (const KernelCode& kernel : cubin->kernels()) {
            const std::vector<Word> words = wordsOf(cubin->code(kernel));
            Rescheduler walk(words, kernel.listed, cubin->computeCapability(), minedDistances(), StallRule::tighten);
            const schedule::StaticCost cost(walk.code(), walk.blocks(), cubin->computeCapability());
            const schedule::MoveDraw draw(walk, cost);
            if (draw.isEmpty()) continue;
            const double plain = movesPerSecond(walk, cost, draw, false);
            walk.reset();
            const double weighed = movesPerSecond(walk, cost, draw, true);
            constexpr int proofs = 20;
            const double begin = processorSeconds();
            int proved = 0;
            for (int p = 0; p < proofs; ++p)
                proved += proveCode(words, walk.words(), kernel.listed, cubin->computeCapability(), minedDistances())
                              .isProved();
            fmt::print("{}: {} instructions; a second: {:.0f} legal moves, {:.0f} weighed, {:.0f} proofs ({} of {} "
                       "proved)\n",
                       kernel.name, words.size(), plain, weighed, proofs / (processorSeconds() - begin), proved,
                       proofs);
        }
    }
    return 0;
}
