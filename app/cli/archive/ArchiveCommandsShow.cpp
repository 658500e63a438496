// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/archive/ArchiveCommands.h"
#include "app/cli/archive/ProfileReport.h"
#include "app/cli/archive/StoredVerdicts.h"
#include "core/text/UntrustedJson.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <memory>

namespace kernelarium::cli {
namespace {

using archive::TextKind;

struct ShowOptions {
    std::filesystem::path path;
    std::filesystem::path verdicts;
    std::string id;
    bool code = false, module = false, functional = false, error = false;
    std::string profile;
    bool raw = false;

    /// The one text that was asked for; nothing: the summary.
    [[nodiscard]] std::optional<TextKind> wanted() const {
        if (code) return TextKind::cudaCode;
        if (module) return TextKind::moduleCode;
        if (functional) return TextKind::functionalCode;
        if (error) return TextKind::error;
        return raw ? archive::textKindFromWord(profile) : std::nullopt;
    }
};

void printSummary(const archive::KernelSummary& kernel, const std::string& extra, const std::string& verdict) {
    const auto line = [](std::string_view name, std::string_view value) {
        fmt::print("{:<16} {}\n", name, printable(value));
    };
    const auto yes = [](bool value) { return value ? "yes" : "no"; };
    line("kernel", kernel.label());
    line("number", std::to_string(kernel.id));
    line("operator", kernel.opName);
    line("code", fmt::format("{} bytes, sha256 {}", kernel.codeBytes, files::toHex(kernel.codeHash)));
    line("archived as", !kernel.correct ? "not known" : *kernel.correct ? "correct" : "incorrect");
    line("verified", verdict);
    line("error kind", archive::errorKindWord(kernel.errorKind));
    line("max diff", kernel.maxDiff ? fmt::format("{:g}", *kernel.maxDiff) : "-");
    line("runtime", fmt::format("{} ms (native {}, compile {})", cell(kernel.runtime, 4), cell(kernel.nativeRuntime, 4),
                                cell(kernel.compileRuntime, 4)));
    line("speed-up",
         fmt::format("{} x native, {} x compile", cell(kernel.speedupNative, 3), cell(kernel.speedupCompile, 3)));
    line("origin",
         kernel.originalIndex ? fmt::format("{}, index {}", kernel.origin, *kernel.originalIndex) : kernel.origin);
    line("module code", yes(kernel.hasModule));
    line("functional code", yes(kernel.hasFunctional));
    line("error text", yes(kernel.hasError));
    line("profiles",
         fmt::format("ncu {}, torch {}, clang-tidy {}", yes(kernel.hasNcu), yes(kernel.hasTorch), yes(kernel.hasTidy)));
    if (!extra.empty()) line("other columns", extra);
}

int showText(Context& context, archive::Archive& opened, const archive::KernelSummary& kernel, TextKind kind) {
    auto text = opened.text(kernel.id, kind);
    if (!text) return report(context, text.error());
    if (!*text) return report(context, noSuchText(kernel, kind));
    if (!context.json) {
        fwrite((*text)->data(), 1, (*text)->size(), stdout); // exactly as archived, so that its hash holds
        return exitSuccess;
    }
    auto document = toJson(kernel);
    document[std::string(archive::textKinds[archive::indexOf(kind)].published)] = **text;
    printJson(document);
    return exitSuccess;
}

int runShow(Context& context, const ShowOptions& options) {
    auto opened = archive::Archive::open(options.path);
    if (!opened) return report(context, opened.error());
    auto kernel = opened->find(options.id);
    if (!kernel) return report(context, kernel.error());
    if (const auto kind = options.wanted()) return showText(context, *opened, *kernel, *kind);
    if (const auto kind = archive::textKindFromWord(options.profile))
        return showProfile(context, *opened, *kernel, *kind);
    auto extra = opened->extraJson(kernel->id);
    if (!extra) return report(context, extra.error());
    StoredVerdicts verdicts(options.path, options.verdicts);
    if (context.json) {
        auto document = toJson(*kernel);
        document["our_verdict"] = verdicts.jsonOf(*kernel);
        if (auto others = text::untrustedJson(*extra); others.is_object())
            document["other_columns"] = std::move(others);
        printJson(document);
    } else {
        printSummary(*kernel, *extra, verdicts.wordOf(*kernel));
    }
    return exitSuccess;
}

} // namespace

void addArchiveShow(CLI::App& archive, Context& context) {
    auto options = std::make_shared<ShowOptions>();
    auto* command = archive.add_subcommand("show", "Show one kernel, or one of its texts exactly as archived");
    addArchiveOption(*command, options->path);
    addVerdictsOption(*command, options->verdicts);
    command->add_option("ID", options->id, "Number, label (L1/T1/name@hash) or a unique prefix of it")->required();
    auto* texts = command->add_option_group("text");
    texts->add_flag("--code", options->code, "The CUDA source");
    texts->add_flag("--module", options->module, "The PyTorch module's code");
    texts->add_flag("--functional", options->functional, "The functional PyTorch code");
    texts->add_flag("--error", options->error, "The error text");
    texts->add_option("--profile", options->profile, "A profile in readable form")
        ->check(CLI::IsMember(std::vector<std::string>{"ncu", "torch", "clang-tidy"}));
    texts->require_option(0, 1);
    command->add_flag("--raw", options->raw, "The profile's cell exactly as archived");
    command->callback([options, &context] { context.exitCode = runShow(context, *options); });
}

} // namespace kernelarium::cli
