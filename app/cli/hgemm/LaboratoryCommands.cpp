// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/hgemm/LaboratoryCommands.h"

#include "app/cli/NumberChecks.h"
#include "app/cli/archive/ArchiveCommands.h"
#include "app/cli/hgemm/LaboratoryOptions.h"
#include "app/cli/kernel/CompilerOptions.h"

#include <CLI/CLI.hpp>
#include <memory>

namespace kernelarium::cli {

namespace {

constexpr std::size_t mostRequests = 100'000;
const CLI::Validator named([](std::string& text) { return text.empty() ? "it is empty" : std::string(); }, "");

void addShapes(CLI::App& command, LaboratoryOptions& options,
               const std::string& timeLimit = "Seconds after which no further shape is begun; 0: none") {
    command.add_option("SHAPE", options.shapes, "MxNxK of C[m,n] = A[m,k] B[k,n]; one number is a cube");
    command.add_option("--shapes", options.shapesFile, "Shapes from a file: CSV with a column mnk, or a shape a line")
        ->option_text("FILE.csv");
    command.add_option("--time-limit", options.timeLimit, timeLimit)->check(numberFromZero());
    addPlaceOptions(command, options.place);
}

void addTable(CLI::App& command, LaboratoryOptions& options, const std::string& devices) {
    command.add_option("--table", options.table, "The table to choose from; the shipped one by default")
        ->option_text("FILE.csv");
    command
        .add_option("--device", options.device, "Whose rows of the table count, by name or a part of it: " + devices)
        ->option_text("NAME")
        ->check(named);
}

void addLayouts(CLI::App& command, LaboratoryOptions& options) {
    command.add_option("--layout", options.layouts, "How B lies: tn [n, k], nn [k, n]")
        ->delimiter(',')
        ->check(CLI::IsMember({"tn", "nn"}))
        ->capture_default_str();
}

void addModes(CLI::App& command, LaboratoryOptions& options, const std::vector<std::string>& modes) {
    command
        .add_option("--mode", options.modes,
                    "hot and cold are device time (L2 as the last call left it, or without the operands); offline and "
                    "server are wall time (one call and a wait, or requests at random times)")
        ->delimiter(',')
        ->check(CLI::IsMember(modes))
        ->capture_default_str();
    command.add_option("--seconds", options.seconds, "Of samples, for each shape and mode")
        ->check(positiveNumber())
        ->capture_default_str();
}

void addRecorded(CLI::App& hgemm, Context& context) {
    auto recorded = std::make_shared<LaboratoryOptions>();
    auto* command = hgemm.add_subcommand(
        "recorded",
        "What was measured of the shipped table in a process of its own after the search, with its noise: ours "
        "beside cuBLAS, cuBLASLt's first choice and its fastest algorithm. It takes no GPU");
    command->add_option("SHAPE", recorded->shapes, "These alone: MxNxK; one number is a cube");
    command
        ->add_option("--shapes", recorded->shapesFile, "Shapes from a file: CSV with a column mnk, or a shape a line")
        ->option_text("FILE.csv");
    command->add_option("--device", recorded->device, "Measured on which, by name or a part of it; the H200 by default")
        ->option_text("NAME")
        ->check(named);
    command
        ->add_option("--mode", recorded->modes,
                     "hot and cold are device time, offline and server wall time, as of `hgemm bench`")
        ->delimiter(',')
        ->check(CLI::IsMember({"hot", "cold", "offline", "server"}))
        ->capture_default_str();
    command->callback([recorded, &context] { context.exitCode = recordedProducts(context, *recorded); });
}

void addEmit(CLI::App& hgemm, Context& context) {
    auto emitted = std::make_shared<LaboratoryOptions>();
    emitted->layouts = {"tn"};
    auto* command = hgemm.add_subcommand(
        "emit",
        "Write one kernel file that takes, for the shape that it is called with, the best table's kernel; where "
        "the table falls back, has no such shape, or its kernel does not take it, the file calls cuBLASLt's "
        "fastest algorithm. Or the file of one configuration");
    addTable(*command, *emitted, "by default the first that it has");
    command->add_option("--mode", emitted->modes, "Chosen for which mode")
        ->check(CLI::IsMember({"hot", "cold"}))
        ->expected(1)
        ->capture_default_str();
    command->add_option("--layout", emitted->layouts, "How B lies: tn [n, k], nn [k, n]")
        ->check(CLI::IsMember({"tn", "nn"}))
        ->expected(1)
        ->capture_default_str();
    command->add_flag("--half-sums", emitted->halfSums,
                      "Kernels that accumulate in float16, which the table has if `tune --half-sums` found them");
    command->add_flag("--nearest", emitted->nearest,
                      "A shape that the table does not have gets the nearest one's kernel, faster or not");
    auto* one = command
                    ->add_option("--configuration", emitted->configuration,
                                 "This one alone, by its key as tables "
                                 "have it")
                    ->option_text("KEY")
                    ->check(named);
    for (const char* other : {"--table", "--device", "--mode", "--layout", "--half-sums", "--nearest"})
        one->excludes(command->get_option(other));
    command->add_option("--out", emitted->out, "Where the file goes; standard output by default")
        ->option_text("FILE.cu");
    command->callback([emitted, &context] { context.exitCode = emitProducts(context, *emitted); });
}

} // namespace

void addLaboratoryCommands(CLI::App& hgemm, Context& context) {
    for (const bool many : {false, true}) {
        auto options = std::make_shared<LaboratoryOptions>();
        if (!many) options->modes = {"hot", "cold", "offline", "server"};
        auto* command = hgemm.add_subcommand(
            many ? "compare" : "bench",
            many ? "Our kernels beside cuBLAS, cuBLASLt's first choice and its fastest algorithm, over many shapes: "
                   "what the best table chose, measured again in this process; where it falls back to cuBLASLt, that "
                   "counts as 1.00"
                 : "One product in all modes: ours, cuBLAS and cuBLASLt, checked against float64, timed in turn");
        addShapes(*command, *options);
        addModes(*command, *options, {"hot", "cold", "offline", "server"});
        addTable(*command, *options, "by default those of the GPU, or of the nearest by name");
        addLayouts(*command, *options);
        command->add_flag("--half-sums", options->halfSums,
                          "Our kernel accumulates in float16; the libraries stay with float32");
        command->add_flag("--energy", options->energy,
                          "Joules of a call, by NVML's counter: a second for each, in hot");
        command->add_option("--rate", options->rate, "Requests a second, of server")
            ->check(positiveNumber())
            ->capture_default_str();
        command->add_option("--requests", options->requests, "Requests, of server")
            ->check(positiveNumber())
            ->check(CLI::Range(std::size_t(1), mostRequests))
            ->capture_default_str();
        command->callback([options, &context] { context.exitCode = compareProducts(context, *options); });
    }
    auto tuned = std::make_shared<LaboratoryOptions>();
    tuned->seconds = 0.02;
    auto* tuning = hgemm.add_subcommand(
        "tune", "Find the fastest of our kernels for each shape by successive halving, beside cuBLASLt's fastest "
                "algorithm; the table's lines are device,mnk,mode,seconds,autotuned,configuration");
    addShapes(*tuning, *tuned,
              "Seconds for everything, shared out so that each shape and mode has some; 0: all looks are taken");
    addModes(*tuning, *tuned, {"hot", "cold"});
    addLayouts(*tuning, *tuned);
    tuning->add_flag("--half-sums", tuned->halfSums, "Accumulate in float16");
    tuning->add_option("--looks", tuned->looks, "Kernels looked at for each shape and layout")
        ->check(positiveNumber())
        ->capture_default_str();
    tuning->add_option("--full-looks", tuned->fullLooks, "Of these, looked at closely")
        ->check(positiveNumber())
        ->capture_default_str();
    tuning->add_option("--store", tuned->store, "A folder that keeps each search: the same command goes on there")
        ->option_text("FOLDER");
    tuning->add_option("--out", tuned->out, "Where the table of the best goes; standard output by default")
        ->option_text("FILE.csv");
    tuning->callback([tuned, &context] { context.exitCode = tuneProducts(context, *tuned); });

    auto checked = std::make_shared<LaboratoryOptions>();
    auto* checking = hgemm.add_subcommand("check", "Hold every kernel of the family to float64 on these shapes");
    addShapes(*checking, *checked);
    addLayouts(*checking, *checked);
    checking->add_flag("--half-sums", checked->halfSums, "Those that accumulate in float16");
    checking->add_option("--every", checked->every, "Of the kernels, one in so many")->check(positiveNumber());
    checking->add_option("--with", checked->with, "Those whose key, as tables have it, contains this text")
        ->option_text("TEXT");
    checking->callback([checked, &context] { context.exitCode = checkProducts(context, *checked); });

    auto published = std::make_shared<LaboratoryOptions>();
    published->claims = defaultArchivePath().parent_path() / "hgemm.sqlite";
    published->seconds = 1;
    auto* publishing = hgemm.add_subcommand(
        "run-published",
        "Kernels of a published set from your own checkout, files M_N_K.cu whose function takes (a, b, "
        "b_col_major, c): each is verified against float64 and, on a GPU, timed in a process of its own "
        "beside cuBLASLt's fastest algorithm, our own kernel and the published claim (`hgemm import`)");
    publishing->add_option("FOLDER", published->folder, "Where the files are")->required()->option_text("FOLDER");
    addShapes(*publishing, *published);
    publishing
        ->add_option("--backend", published->backend,
                     "cuda: verified and timed on the GPU; emulator: verified here, which suits small shapes")
        ->check(CLI::IsMember({"cuda", "emulator"}))
        ->capture_default_str();
    publishing->add_option("--mode", published->modes, "Of the device time")
        ->check(CLI::IsMember({"hot", "cold"}))
        ->expected(1)
        ->capture_default_str();
    publishing->add_option("--seconds", published->seconds, "Of samples, for each kernel")
        ->check(positiveNumber())
        ->capture_default_str();
    publishing
        ->add_option("--kernel-limit", published->kernelLimit, "Seconds that a kernel may take to compile and run")
        ->check(positiveNumber())
        ->capture_default_str();
    addTable(*publishing, *published, "by default those of the GPU, or of the nearest by name");
    publishing->add_option("--jobs", published->jobs,
                           "Compilations at the same time, all before the first kernel runs; 0: one per core");
    publishing->add_option("--db", published->claims, "The file of imported tables, for the claims")
        ->default_str(published->claims.string())
        ->option_text("FILE");
    publishing->add_option("--claimed-device", published->claimedDevice, "Whose table holds the claims")
        ->capture_default_str();
    addCompilerOptions(*publishing, published->compilerWords);
    publishing->callback([published, &context] { context.exitCode = runPublished(context, *published); });

    addRecorded(hgemm, context);
    addEmit(hgemm, context);
}

} // namespace kernelarium::cli
