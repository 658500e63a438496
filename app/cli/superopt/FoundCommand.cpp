// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/superopt/FoundCommand.h"

#include "app/cli/Context.h"
#include "app/cli/NumberChecks.h"
#include "app/cli/Output.h"
#include "app/cli/StopOnSignal.h"
#include "app/cli/Workers.h"
#include "app/cli/superopt/SearchReport.h"
#include "core/superopt/search/GraphFile.h"
#include "core/superopt/search/SearchStore.h"
#include "gpu/protocol/candidates/CandidateVerification.h"

#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kernelarium::cli {

namespace {

using superopt::FoundTable;
using superopt::GraphSearch;
namespace fs = std::filesystem;

struct FoundOptions {
    fs::path store;
    std::string candidate;
    std::size_t rows = 20;
    std::size_t verify = 0;
    double timeLimit = 60; ///< seconds
    bool graphs = false;
};

/// Writes the kernel files of the best graphs and verifies them; what came of it is kept as a rung.
Result<void> verifyFiles(const FoundOptions& options, const superopt::SearchSaid& said, const GraphSearch& search,
                         const std::stop_token& stop) {
    const Result<FoundTable> table = FoundTable::read(options.store);
    if (!table) return table.error();
    Result<tuning::Store> store = tuning::Store::open(options.store, said.header);
    if (!store) return store.error();
    protocol::KernelClient compiler = makeCompiler(), runner = makeRunner();
    protocol::CandidateVerification how;
    how.run.timeLimit = std::chrono::milliseconds(std::int64_t(options.timeLimit * 1000));
    const auto card = std::make_shared<const task::Card>(search.card);
    protocol::CallOptions call;
    call.stop = stop;
    std::size_t number = 0;
    for (const superopt::FoundCandidate& found : table->all()) {
        if (number++ == options.verify) break;
        superopt::RungVerdict rung;
        if (const Result<kernelgen::Emitted> file = superopt::fileOf(search, found); !file) {
            rung.evidence = file.error().text();
        } else {
            const auto verified = protocol::verifyFile(compiler, runner, card, file->text, how, call);
            if (!verified) return verified.error();
            rung = protocol::fileVerdict(*verified);
        }
        fmt::print(stderr, "{}  {}\n", found.hash, printable(rung.evidence));
        if (Result<void> kept = store->keep(superopt::withFileRung(found, std::move(rung))); !kept) return kept;
    }
    return {};
}

/// How many units the search has; 0 of a generator that knows it no more.
std::uint64_t unitCount(const GraphSearch& search) {
    auto source = superopt::makeGraphSource(search);
    if (!source) return 0;
    const Result<std::vector<std::string>> units = (*source)->units({});
    return units ? units->size() : 0;
}

int showFound(Context& context, const FoundOptions& options) {
    Result<superopt::SearchSaid> said = superopt::readSearchStore(options.store);
    if (!said) return report(context, said.error());
    Result<GraphSearch> search = superopt::graphSearchFrom(said->subject);
    if (!search) return report(context, search.error());
    if (options.verify > 0) {
        const StopOnSignal signals;
        if (const Result<void> done = verifyFiles(options, *said, *search, signals.token()); !done) {
            const int code = report(context, done.error());
            return done.error().code == "cancelled" ? int(exitInterrupted) : code;
        }
    }
    Result<FoundTable> table = FoundTable::read(options.store);
    if (!table) return report(context, table.error());
    if (!options.candidate.empty()) {
        const auto found = superopt::foundGraph(*table, options.candidate);
        if (!found) return report(context, found.error());
        if (context.json)
            printJson(superopt::toJson(*found));
        else
            fmt::print("{}", foundCandidateText(*found));
        return found->verdict == superopt::FoundCandidate::Verdict::refused ? exitCheckFailed : exitSuccess;
    }
    const std::uint64_t all = unitCount(*search);
    if (context.json)
        printJson(foundJson(*search, *table, all, options.graphs));
    else
        fmt::print("{}", foundText(*search, *table, all, options.rows));
    return table->best() ? exitSuccess : exitCheckFailed;
}

} // namespace

void addFoundCommand(CLI::App& group, Context& context) {
    const auto shown = std::make_shared<FoundOptions>();
    CLI::App* found =
        group.add_subcommand("found", "What a search for graphs has found, also while it runs: exit code 1 when no "
                                      "graph is right");
    found->add_option("store", shown->store, "The search's store")->required()->option_text("STORE");
    found->add_option("--candidate", shown->candidate, "This graph alone, with what each rung showed")
        ->option_text("HASH|N");
    found
        ->add_option("--verify", shown->verify,
                     "Write the kernel files of the first N, verify them in the emulator at the small and the odd "
                     "size, and keep what came of it as a rung")
        ->option_text("N");
    found->add_option("--time-limit", shown->timeLimit, "Seconds that one run of --verify may take")
        ->check(positiveNumber())
        ->capture_default_str();
    found->add_flag("--graphs", shown->graphs, "With --json: the graphs and the evidence of all");
    found->add_option("--rows", shown->rows, "Rows of the table; 0: all")->capture_default_str();
    found->callback([shown, &context] { context.exitCode = showFound(context, *shown); });
}

} // namespace kernelarium::cli
