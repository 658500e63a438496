// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/schedule/MineCommand.h"

#include "app/cli/Output.h"
#include "app/cli/schedule/CubinChoice.h"
#include "core/sass/hazards/Distances.h"
#include "core/sass/instruction/Decoder.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>

namespace kernelarium::cli {

namespace {

int mine(Context& context, const std::vector<std::string>& files) {
    sass::DistanceTable table;
    std::size_t kernels = 0, instructions = 0, unknown = 0;
    for (const std::string& file : files) {
        const Result<sass::Cubin> cubin = readCubin(file);
        if (!cubin)
            return report(context, {cubin.error().code, file + ": " + cubin.error().message, cubin.error().action});
        for (const sass::KernelCode& kernel : cubin->kernels()) {
            const auto code = sass::decodeAll(sass::wordsOf(cubin->code(kernel)), cubin->computeCapability());
            for (const sass::Instruction& one : code)
                unknown += !one.isKnown();
            ++kernels;
            instructions += code.size();
            table.take(sass::distancesOf(code, cubin->computeCapability()));
        }
    }
    fmt::print(stderr, "{} kernels, {} instructions, {} of them unknown\n", kernels, instructions, unknown);
    if (context.json) {
        nlohmann::json rows = nlohmann::json::array();
        for (const auto& [key, entry] : table.entries())
            rows.push_back({{"dependence", key},
                            {"units", entry.units},
                            {"least", entry.least},
                            {"count", entry.count},
                            {"count_of_least", entry.countOfLeast}});
        printJson({{"kernels", kernels},
                   {"instructions", instructions},
                   {"unknown_operations", unknown},
                   {"distances", rows}});
    } else {
        fmt::print("{}", table.csv());
    }
    return exitSuccess;
}

} // namespace

void addMineCommand(CLI::App& group, Context& context) {
    const auto files = std::make_shared<std::vector<std::string>>();
    CLI::App* command = group.add_subcommand(
        "mine", "Collect from cubins how close the assembler lets instructions of each kind come that depend on one "
                "another: the table that the other commands have compiled in");
    command->add_option("files", *files, "Cubins as they were compiled")->required()->option_text("FILE.cubin");
    command->callback([files, &context] { context.exitCode = mine(context, *files); });
}

} // namespace kernelarium::cli
