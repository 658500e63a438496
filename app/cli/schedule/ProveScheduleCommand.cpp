// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/schedule/ProveScheduleCommand.h"

#include "app/cli/Output.h"
#include "app/cli/schedule/CubinChoice.h"
#include "core/sass/proof/ProofText.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>

namespace kernelarium::cli {

namespace {

nlohmann::json proofJson(const sass::ScheduleProof& proof) {
    nlohmann::json j = {{"proved", proof.isProved()},
                        {"kernels_changed", proof.counts.kernels},
                        {"instructions", proof.counts.instructions},
                        {"moved", proof.counts.moved},
                        {"stalls_lowered", proof.counts.stallsLowered},
                        {"stalls_raised", proof.counts.stallsRaised},
                        {"dependences", proof.counts.dependences},
                        {"distances_from", sass::minedFrom()},
                        {"assumptions", sass::proofAssumptions()}};
    if (proof.refusal)
        j["refusal"] = {{"rule", sass::name(proof.refusal->rule)},
                        {"kernel", proof.refusal->kernel},
                        {"place", proof.refusal->place < 0 ? nlohmann::json() : nlohmann::json(proof.refusal->place)},
                        {"text", proof.refusal->text}};
    return j;
}

int prove(Context& context, const std::string& original, const std::string& variant) {
    const Result<sass::Cubin> before = readCubin(original);
    if (!before) return report(context, before.error());
    const Result<sass::Cubin> after = readCubin(variant);
    if (!after) return report(context, after.error());
    const sass::ScheduleProof proof = sass::proveSchedule(*before, *after, sass::minedDistances());
    if (context.json)
        printJson(proofJson(proof));
    else
        fmt::print("{}", printable(sass::proofText(proof)));
    return proof.isProved() ? exitSuccess : exitCheckFailed;
}

} // namespace

void addProveScheduleCommand(CLI::App& group, Context& context) {
    struct Files {
        std::string original, variant;
    };
    const auto files = std::make_shared<Files>();
    CLI::App* command = group.add_subcommand(
        "prove", "Hold a cubin with another order of instructions or other stalls against the one that it was made "
                 "from: is every dependence kept? From the bytes of the two files alone");
    command->add_option("original", files->original, "The cubin as it was compiled")
        ->required()
        ->option_text("ORIGINAL.cubin");
    command->add_option("variant", files->variant, "The cubin that was made from it")
        ->required()
        ->option_text("VARIANT.cubin");
    command->callback([files, &context] { context.exitCode = prove(context, files->original, files->variant); });
}

} // namespace kernelarium::cli
