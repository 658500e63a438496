// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schedule/ModelledMeasurer.h"

#include "core/sass/instruction/Decoder.h"

namespace kernelarium::schedule {

namespace {

double costOf(const std::vector<sass::Word>& words, int computeCapability) {
    const std::vector<sass::Instruction> code = sass::decodeAll(words, computeCapability);
    return StaticCost(code, sass::blocksOf(code), computeCapability).original().cost();
}

} // namespace

ModelledMeasurer::ModelledMeasurer(const Subject& subject)
    : m_subject(subject)
    , m_original(costOf(subject.words(), subject.original.computeCapability())) {}

Result<Measurement> ModelledMeasurer::measure(const sass::Cubin& candidate, const Race&, std::uint64_t,
                                              const std::stop_token& stop) {
    if (stop.stop_requested()) return Error{"cancelled", "The search was stopped."};
    const sass::KernelCode* kernel = candidate.find(m_subject.kernel);
    if (!kernel) return Error{"internal_error", "The candidate has lost its kernel."};
    const double cost = costOf(sass::wordsOf(candidate.code(*kernel)), candidate.computeCapability());
    Measurement out;
    out.energy = out.low = out.high = m_original > 0 ? 100 * cost / m_original : 100;
    return out;
}

} // namespace kernelarium::schedule
