// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/task/TaskExport.h"

#include "app/cli/ArchiveChoice.h"
#include "app/cli/Output.h"
#include "app/cli/StopOnSignal.h"
#include "app/cli/kernel/KernelSource.h"
#include "app/cli/task/TaskReport.h"
#include "gpu/tools/PythonExport.h"

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <memory>

namespace kernelarium::cli {

namespace {

struct ExportCommand {
    std::string file;
    std::string kernelId;
    std::filesystem::path archive;
    std::string out;
    int level = -1;
    int task = -1;
    double timeLimit = 120;
    tools::ExportOptions options;
};

Result<audit::RowTask> rowOf(const ExportCommand& command) {
    if (command.file.empty() == command.kernelId.empty())
        return Error{"bad_usage", "There is no PyTorch code to export from.", "Give FILE.py or --kernel ID."};
    audit::RowTask row;
    if (!command.kernelId.empty()) {
        Result<KernelSource> kernel = readArchivedKernel(command.archive, command.kernelId);
        if (!kernel) return kernel.error();
        row = std::move(*kernel->row);
    } else {
        Result<KernelSource> text = readKernelFile(command.file);
        if (!text) return Error{text.error().code, text.error().message, "Give the path of a .py file."};
        row.functional = std::move(text->text);
        row.opName = std::filesystem::path(command.file).stem().string();
    }
    if (command.level >= 0) row.level = command.level;
    if (command.task >= 0) row.task = command.task;
    return row;
}

Result<void> writeCardFile(const std::string& path, const task::Card& card) {
    std::ofstream stream(path, std::ios::binary);
    stream << task::writeCard(card) << '\n';
    stream.close();
    if (stream) return {};
    return Error{"bad_input", fmt::format("Cannot write {}: {}.", path, std::strerror(errno))};
}

int exportTask(const ExportCommand& command, Context& context) {
    const Result<audit::RowTask> row = rowOf(command);
    if (!row) return report(context, row.error());
    tools::ExportOptions options = command.options;
    options.timeLimit = std::chrono::milliseconds(std::int64_t(command.timeLimit * 1000));
    options.progress = [](const std::string& what) { fmt::print(stderr, "{} ...\n", what); };
    const StopOnSignal stop;
    const Result<task::Card> card = tools::exportCard(*row, options, stop.token());
    if (!card) return report(context, card.error());
    if (!command.out.empty()) {
        if (const Result<void> written = writeCardFile(command.out, *card); !written)
            return report(context, written.error());
    } else if (!command.kernelId.empty()) {
        const auto folder = audit::userCardFolder();
        if (const Result<void> kept = audit::keepCard(*card, *row, folder); !kept) return report(context, kept.error());
        fmt::print(stderr, "Kept as {}\n", audit::cardFile(*row, folder).string());
    }
    if (context.json)
        fmt::print("{}\n", task::writeCard(*card));
    else if (command.out.empty() && command.kernelId.empty())
        fmt::print("{}\n", task::writeCard(*card)); // a card for a pipe: nothing else was asked for
    else
        fmt::print("{}", showText(*card));
    return exitSuccess;
}

} // namespace

void addTaskExport(CLI::App& tasks, Context& context) {
    const auto command = std::make_shared<ExportCommand>();
    CLI::App* sub =
        tasks.add_subcommand("export", "Export a card from a task's PyTorch code, with a Python that has PyTorch");
    auto* file = sub->add_option("file", command->file,
                                 "PyTorch code in KernelBench's form: Model, get_inputs, get_init_inputs");
    file->option_text("FILE.py");
    auto* kernel = sub->add_option("--kernel", command->kernelId, "A kernel of the archive whose row has PyTorch code");
    kernel->option_text("ID")->excludes(file);
    command->archive = defaultArchivePath();
    sub->add_option("--db", command->archive, "The archive file")->option_text("FILE");
    sub->add_option("--python", command->options.python, "A path, or a name on PATH; by default one is searched for")
        ->option_text("PATH");
    sub->add_option("--level", command->level, "The card's level")->check(CLI::Range(0, 9999));
    sub->add_option("--task", command->task, "The card's task number")->check(CLI::Range(0, 999999));
    sub->add_option("--out", command->out,
                    "Where to write it; by default a kernel's card is kept for its row and a file's is printed")
        ->option_text("CARD.json");
    sub->add_option("--time-limit", command->timeLimit, "Seconds")
        ->check(CLI::Range(0.1, 86400.0))
        ->capture_default_str();
    sub->callback([command, &context] { context.exitCode = exportTask(*command, context); });
}

} // namespace kernelarium::cli
