// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sass/proof/ProofText.h"

#include "core/quantities/Quantities.h"
#include "core/text/KernelName.h"

#include <fmt/format.h>

namespace kernelarium::sass {

std::string proofLine(const ScheduleProof& proof) {
    if (proof.refusal) {
        const Refusal& no = *proof.refusal;
        return fmt::format("NOT PROVED, {}{}{}\n  {}", name(no.rule),
                           no.kernel.empty() ? std::string() : ": " + text::kernelTitle(no.kernel),
                           no.place < 0 ? std::string() : fmt::format(" at {:#06x}", no.place), no.text);
    }
    return fmt::format("PROVED: {} with changed code, {} of {} moved, {} lowered, {} raised; {} looked at",
                       quantities::counted(proof.counts.kernels, "kernel"), proof.counts.moved,
                       quantities::counted(proof.counts.instructions, "instruction"),
                       quantities::counted(proof.counts.stallsLowered, "stall"), proof.counts.stallsRaised,
                       quantities::counted(double(proof.counts.dependences), "dependence"));
}

std::string proofText(const ScheduleProof& proof) {
    std::string out = proofLine(proof) + "\n";
    if (proof.refusal) return out;
    out += fmt::format("Taken for granted (least distances mined from {}):\n", minedFrom());
    for (const std::string& one : proofAssumptions())
        out += "  " + one + "\n";
    return out;
}

} // namespace kernelarium::sass
