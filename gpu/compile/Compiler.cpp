// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/compile/Compiler.h"

#include "core/text/Shortened.h"
#include "gpu/compile/AbsentHeaders.h"
#include "gpu/compile/Diagnostics.h"
#include "gpu/compile/ExceptionRewrite.h"
#include "gpu/compile/FeatureArchitecture.h"
#include "gpu/compile/IncludedFiles.h"
#include "gpu/compile/KeptCubins.h"
#include "gpu/compile/KernelExtract.h"
#include "gpu/compile/MissingNames.h"
#include "gpu/compile/NamedParts.h"
#include "gpu/compile/NvJitLink.h"
#include "gpu/compile/Nvrtc.h"
#include "gpu/compile/PreludeCache.h"
#include "gpu/compile/ProgramEntry.h"
#include "gpu/compile/Ptxas.h"
#include "gpu/compile/RefusedNames.h"
#include "gpu/compile/ResourceReport.h"
#include "gpu/compile/SourceScan.h"
#include "gpu/compile/SourceTokens.h"
#include "gpu/compile/StaticObjects.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <utility>

namespace kernelarium::compile {

namespace {

constexpr std::size_t largestSource = 64u << 20;
constexpr const char* syntaxOnly = "--fdevice-syntax-only";

class Stopwatch {
public:
    /// Seconds since the last lap.
    double lap() {
        const auto now = std::chrono::steady_clock::now();
        const double seconds = std::chrono::duration<double>(now - m_last).count();
        m_last = now;
        return seconds;
    }

private:
    std::chrono::steady_clock::time_point m_last = std::chrono::steady_clock::now();
};

bool isArchitecture(const std::string& arch) {
    if (!arch.starts_with("sm_") || arch.size() < 5 || arch.size() > 7) return false;
    const std::size_t digits = arch.find_first_not_of("0123456789", 3);
    return digits == std::string::npos ||
           (digits >= 5 && digits == arch.size() - 1 && (arch.back() == 'a' || arch.back() == 'f'));
}

Result<void> checkFolders(const text::CompilerSettings& settings) {
    for (const std::string& folder : settings.folders) {
        std::error_code problem;
        if (!std::filesystem::is_directory(folder, problem))
            return Error{"bad_input", "There is no folder " + folder + " to search for headers.",
                         "Give -I a folder of this machine."};
    }
    return {};
}

Result<void> checkInput(std::string_view source, const CompileOptions& options) {
    if (const std::size_t at = source.find('\0'); at != std::string_view::npos)
        return Error{"bad_input", "The source is not text: it has a null byte at offset " + std::to_string(at) + ".",
                     ""};
    // NVRTC takes this byte, which no UTF-8 text has, for the end of the file.
    if (const std::size_t at = source.find('\xff'); at != std::string_view::npos)
        return Error{"bad_input", "The source is not text: it has a byte 0xFF at offset " + std::to_string(at) + ".",
                     ""};
    if (source.size() > largestSource)
        return Error{"bad_input", "The source has " + std::to_string(source.size() >> 20) + " MB; 64 MB is the most.",
                     ""};
    if (!isArchitecture(options.arch))
        return Error{"bad_input", "\"" + options.arch + "\" is not an architecture.", "Give one like sm_90."};
    return checkFolders(options.settings);
}

const char* torchName(tensor::DType type) {
    switch (type) {
    case tensor::DType::UInt8: return "Byte";
    case tensor::DType::Int8: return "Char";
    case tensor::DType::Int16: return "Short";
    case tensor::DType::Int32: return "Int";
    case tensor::DType::Int64: return "Long";
    case tensor::DType::Float16: return "Half";
    case tensor::DType::Float32: return "Float";
    case tensor::DType::Float64: return "Double";
    case tensor::DType::Bool: return "Bool";
    case tensor::DType::BFloat16: return "BFloat16";
    case tensor::DType::Float8E5m2: return "Float8_e5m2";
    case tensor::DType::Float8E4m3fn: return "Float8_e4m3fn";
    }
    return "Float";
}

std::vector<std::string> compilerOptions(const CompileOptions& options, const Toolkit& toolkit, bool toolkitHeaders,
                                         bool program) {
    // A virtual architecture: NVRTC would run ptxas on host code otherwise.
    std::vector<std::string> out{"-arch=compute_" + options.arch.substr(3), "-std=c++17", "-default-device",
                                 "-rdc=true", "-lineinfo"};
    if (!program) // as PyTorch's builds do
        for (const char* name : {"HALF_OPERATORS", "HALF_CONVERSIONS", "BFLOAT16_CONVERSIONS", "HALF2_OPERATORS"})
            out.push_back(std::string("-D__CUDA_NO_") + name + "__");
    if (options.fastMath) out.emplace_back("--use_fast_math");
    if (!options.allDispatchTypes) {
        out.emplace_back("-DKL_ONLY_TYPES");
        for (const tensor::DType type : options.dispatchTypes)
            out.push_back(std::string("-DKL_WANT_") + torchName(type) + "=1");
    }
    for (const std::string& macro : options.settings.macros) {
        std::erase(out, "-D" + macro.substr(2, macro.find_first_of("=(") - 2)); // what PyTorch's builds define
        out.push_back(macro);
    }
    for (const std::string& folder : options.settings.folders)
        out.push_back("-I" + folder);
    // What lies in the user's folders is not looked at, and may want any header.
    toolkitHeaders |= !options.settings.folders.empty();
    if (toolkitHeaders && !toolkit.include.empty()) {
        out.push_back("-I" + toolkit.include);
        out.push_back("-I" + toolkit.include + "/cccl");
    }
    return out;
}

/// Adds the options that GCC does without, where an error asks for them. True when there is one more.
bool widenLanguage(std::vector<std::string>& flags, const std::vector<Diagnostic>& found, const SourceScan& seen) {
    struct Option {
        std::string_view message;
        const char* flag;
    };
    bool added = false;
    for (const Option& option : {Option{"--device-int128", "--device-int128"}, Option{"C++20", "-std=c++20"}})
        for (const Diagnostic& d : found) {
            if (d.severity != Severity::error ||
                (d.text.find(option.message) == std::string::npos &&
                 !(seen.writesCxx20 && option.message == "C++20")) ||
                std::find(flags.begin(), flags.end(), option.flag) != flags.end())
                continue;
            if (option.message == "C++20")
                flags.erase(std::remove(flags.begin(), flags.end(), "-std=c++17"), flags.end());
            flags.emplace_back(option.flag);
            added = true;
        }
    return added;
}

std::vector<std::string> assemblerOptions(const CompileOptions& options) {
    std::vector<std::string> out{"-arch=" + options.arch, "-lineinfo", "-v", "-O3"};
    if (const int cap = options.settings.maxRegisters; cap > 0) out.push_back("-maxrregcount=" + std::to_string(cap));
    return out;
}

bool hasError(const std::vector<Diagnostic>& list) {
    return std::any_of(list.begin(), list.end(), [](const Diagnostic& d) { return d.severity == Severity::error; });
}

} // namespace

struct Compiler::Impl {
    /// A source, and what was found out about it.
    struct Parts {
        std::string_view source;
        const SourceTokens& tokens;
        const RewrittenSource& rewritten;
        const SourceScan& seen;
        const ProgramEntry& entry;
        std::map<std::string, std::string> included = {};
        std::vector<std::string> absent = {}; ///< of what the included ones want
    };

    Toolkit toolkit;
    std::unique_ptr<Nvrtc> nvrtc;
    std::unique_ptr<NvJitLink> linker;
    PreludeCache preludes;
    KeptCubins kept;
    std::optional<Ptxas> waiting; ///< for the next text; started with the last one's options

    /// What a run of NVRTC begins with; the next one begins with what this one found out.
    struct Pass {
        std::vector<TryGuard> guards;
        StaticObjects statics;
        AbsentHeaders headers;
        std::vector<std::string> flags;
    };
    using Told = std::function<void(std::vector<Diagnostic> diagnostics)>;

    static PreludeCache::Prelude preludeOf(const Parts& parts, const text::CompilerSettings& settings,
                                           bool readsOthers);
    void runCompiler(CompiledUnit& unit, const Parts& parts, const CompileOptions& options, Ptxas& ptxas);
    std::string runPass(CompiledUnit& unit, const Parts& parts, PreludeCache::Prelude prelude, Pass& pass,
                        const Told& early, const std::stop_token& stop);
    static std::vector<Diagnostic> ofAuthor(std::vector<Diagnostic> found, const Parts& parts,
                                            const std::vector<TryGuard>& guards);
    void runAssembler(CompiledUnit& unit, const CompileOptions& options, Ptxas& ptxas);
    std::optional<NvJitLink::Output> assemble(const std::string& ptx, const std::stop_token& stop, Ptxas& ptxas);
    Ptxas ptxasFor(const std::vector<std::string>& options);
};

/// The one that waits, where it was started with these options.
Ptxas Compiler::Impl::ptxasFor(const std::vector<std::string>& options) {
    std::optional<Ptxas> ready = std::exchange(waiting, std::nullopt);
    return ready && ready->options() == options ? std::move(*ready) : Ptxas(toolkit.ptxas, options);
}

/// Of what NVRTC says, that which is about the author's text: flow from a rewritten try block to the end of a function
/// is not what the author wrote.
std::vector<Diagnostic> Compiler::Impl::ofAuthor(std::vector<Diagnostic> found, const Parts& parts,
                                                 const std::vector<TryGuard>& guards) {
    std::vector<Diagnostic> out;
    for (Diagnostic& d : found) {
        const bool flow =
            parts.rewritten.changed && d.text.find("missing return statement at end of non-void") != std::string::npos;
        if (!flow && !isAboutGuard(guards, d) && !parts.entry.causes(d)) out.push_back(std::move(d));
    }
    for (Diagnostic& d : unguarded(guards))
        out.push_back(std::move(d));
    return out;
}

/// One run of NVRTC: adds its messages to the unit's and gives the PTX. The guards that the compiler does not take are
/// left out, and the static objects that it refuses taken in, so that a second run need not find them again. `early`
/// hears what the front end says where there is no error in it.
std::string Compiler::Impl::runPass(CompiledUnit& unit, const Parts& parts, PreludeCache::Prelude prelude, Pass& pass,
                                    const Told& early, const std::stop_token& stop) {
    auto& [guards, statics, headers, flags] = pass;
    Nvrtc::Following following{stop, {}, {}};
    if (early)
        following.early = [&](const std::string& log) {
            std::vector<Diagnostic> said = parseCompilerLog(log, parts.source);
            statics.restore(said);
            if (!hasError(said)) early(ofAuthor(std::move(said), parts, guards));
        };
    Nvrtc::Output out;
    std::vector<Diagnostic> found, first;
    for (bool again = true; again;) {
        const std::string text = statics.definitions() + guardDefinitions(guards) + parts.entry.before() +
                                 statics.rewritten(parts.rewritten.text) + parts.entry.behind();
        std::map<std::string, std::string> included =
            parts.included; // what the user has goes before what stands for it
        included.insert(headers.texts().begin(), headers.texts().end());
        out = preludes.compile(*nvrtc, text, flags, prelude, included, following);
        found = parseCompilerLog(out.log, parts.source);
        statics.restore(found);
        if (first.empty()) first = found;
        if (out.ok || stop.stop_requested()) break;
        const bool guarded = leaveOutMistaken(guards, found), made = statics.take(found);
        const bool named = std::find(flags.begin(), flags.end(), refusedNamesFlag) == flags.end();
        const bool refused = named && missesRefusedName(found);
        if (refused) flags.emplace_back(refusedNamesFlag);
        const bool wider = !refused && widenLanguage(flags, found, parts.seen);
        again = guarded || made || refused || wider || headers.take(found);
    }
    if (!out.ok && StaticObjects::blames(found)) found = first;
    unit.log = out.log;
    for (Diagnostic& d : ofAuthor(std::move(found), parts, guards))
        unit.diagnostics.push_back(std::move(d));
    if (!out.ok) {
        unit.failedStage = "nvrtc";
        if (std::optional<Diagnostic> missing = whatIsMissing(unit.diagnostics, parts.seen, toolkit)) {
            unit.failedStage = unsupportedStage;
            unit.diagnostics.insert(unit.diagnostics.begin(), std::move(*missing));
        }
        if (!hasError(unit.diagnostics))
            unit.diagnostics.push_back(
                {"kernel.cu", 0, 0, Severity::error, "NVRTC failed: " + (out.failure.empty() ? out.log : out.failure)});
    }
    return std::move(out.ptx);
}

/// `readsOthers`: headers that are neither the source's nor the shim's, which nobody looks through for names.
PreludeCache::Prelude Compiler::Impl::preludeOf(const Parts& parts, const text::CompilerSettings& settings,
                                                bool readsOthers) {
    using Prelude = PreludeCache::Prelude;
    const bool torch = parts.seen.includesTorch;
    if (!torch && parts.entry.found()) return Prelude::program;
    const bool whole =
        readsOthers || !parts.included.empty() || namesParts(parts.source) ||
        std::any_of(settings.macros.begin(), settings.macros.end(), namesParts) ||
        includesParts(parts.seen.includes, PreludeCache::headerOf(torch ? Prelude::torch : Prelude::plain));
    if (torch) return whole ? Prelude::torch : Prelude::shortTorch;
    return whole ? Prelude::plain : Prelude::shortPlain;
}

/// From source to PTX and diagnostics. Where somebody waits for the diagnostics, and this NVRTC gives them only when it
/// is done, its front end runs by itself first, for a third of the time.
void Compiler::Impl::runCompiler(CompiledUnit& unit, const Parts& parts, const CompileOptions& options, Ptxas& ptxas) {
    AbsentHeaders headers(toolkit);
    bool toolkitHeaders = parts.seen.includesToolkit;
    for (const std::string& name : parts.seen.includes) {
        if (parts.included.count(name)) continue;
        toolkitHeaders |= headers.isOfToolkit(name);
        headers.take(name);
    }
    for (const std::string& name : parts.absent)
        headers.take(name);
    unit.readsToolkit = toolkitHeaders || !options.settings.folders.empty();
    const PreludeCache::Prelude prelude = preludeOf(parts, options.settings, unit.readsToolkit);
    Pass pass{parts.rewritten.guards, StaticObjects(parts.source, parts.tokens), std::move(headers),
              compilerOptions(options, toolkit, toolkitHeaders, parts.entry.found())};
    for (const std::size_t brace : parts.entry.open())
        pass.statics.insert(brace, std::string(ProgramEntry::addedReturn));
    const std::vector<Diagnostic> before = unit.diagnostics;
    bool told = !options.diagnosed;
    const auto tell = [&](std::vector<Diagnostic> all) {
        if (std::exchange(told, true)) return;
        std::size_t leftOut = 0;
        const bool ok = !hasError(all);
        options.diagnosed(passedOn(std::move(all), leftOut), ok);
    };
    if (!told && !nvrtc->givesEarly()) {
        pass.flags.emplace_back(syntaxOnly);
        (void)runPass(unit, parts, prelude, pass, {}, options.stop);
        std::erase(pass.flags, syntaxOnly);
        tell(unit.diagnostics);
        if (!unit.failedStage.empty() || options.stop.stop_requested()) return;
        unit.diagnostics = before;
    }
    const auto early = [&](std::vector<Diagnostic> said) {
        said.insert(said.begin(), before.begin(), before.end());
        tell(std::move(said));
        if (options.cubin) ptxas.startAhead();
    };
    std::string ptx = runPass(unit, parts, prelude, pass, told ? Told() : early, options.stop);
    if (!options.stop.stop_requested()) tell(unit.diagnostics);
    if (unit.failedStage.empty()) unit.ptx = std::move(ptx);
}

std::optional<NvJitLink::Output> Compiler::Impl::assemble(const std::string& ptx, const std::stop_token& stop,
                                                          Ptxas& ptxas) {
    std::optional<NvJitLink::Output> known = kept.find(ptx, ptxas.options());
    if (known) return known;
    known = ptxas.assemble(ptx, stop);
    if (known) kept.keep(ptx, ptxas.options(), *known);
    return known;
}

/// From PTX to cubin and resources.
void Compiler::Impl::runAssembler(CompiledUnit& unit, const CompileOptions& options, Ptxas& ptxas) {
    if (unit.kernelPtx.find(".entry") == std::string::npos) return; // host code only: nothing for a GPU
    std::vector<std::string> flags{"-arch=" + options.arch, "-lineinfo", "-verbose", "-O3"};
    if (const int cap = options.settings.maxRegisters; cap > 0) flags.push_back("-maxrregcount=" + std::to_string(cap));
    // Kernels that launch kernels call the device runtime.
    const bool launches = unit.kernelPtx.find("__cudaCDP2") != std::string::npos;
    if (launches && toolkit.deviceRuntime.empty()) {
        unit.failedStage = "ptxas";
        unit.diagnostics.push_back(
            {"kernel.cu", 0, 0, Severity::error,
             "A kernel launches kernels: that needs libcudadevrt.a of the CUDA Toolkit, which was not found."});
        return;
    }
    std::optional<NvJitLink::Output> whole;
    if (!launches) whole = assemble(unit.kernelPtx, options.stop, ptxas);
    unit.assembler = whole ? "ptxas" : "nvJitLink";
    const NvJitLink::Output out =
        whole ? std::move(*whole)
              : linker->link(unit.kernelPtx, flags, launches ? toolkit.deviceRuntime : std::string());
    unit.log += out.errors;
    unit.log += out.info;
    if (!out.ok) {
        unit.failedStage = "ptxas";
        std::vector<Diagnostic> found = parseAssemblerLog(out.errors, unit.kernelPtx);
        if (found.empty()) found.push_back({"kernel.cu", 0, 0, Severity::error, "ptxas: " + out.errors});
        unit.diagnostics.insert(unit.diagnostics.end(), found.begin(), found.end());
        return;
    }
    const std::vector<Diagnostic> notes = parseAssemblerNotes(out.info, unit.kernelPtx);
    unit.diagnostics.insert(unit.diagnostics.end(), notes.begin(), notes.end());
    unit.cubin = out.cubin;
    unit.kernels = readResources(out.info, unit.kernelPtx, unit.cubin, std::atoi(options.arch.c_str() + 3));
}

Compiler::Compiler()
    : m_impl(std::make_unique<Impl>()) {}
Compiler::~Compiler() = default;

Result<std::unique_ptr<Compiler>> Compiler::create(const Toolkit& toolkit) {
    if (Result<void> complete = toolkit.check(); !complete) return complete.error();
    Result<std::unique_ptr<Nvrtc>> nvrtc = Nvrtc::load(toolkit.nvrtc);
    if (!nvrtc) return nvrtc.error();
    Result<std::unique_ptr<NvJitLink>> linker = NvJitLink::load(toolkit.nvJitLink);
    if (!linker) return linker.error();
    std::unique_ptr<Compiler> compiler(new Compiler);
    compiler->m_impl->toolkit = toolkit;
    compiler->m_impl->nvrtc = std::move(nvrtc).value();
    compiler->m_impl->linker = std::move(linker).value();
    return compiler;
}

std::string Compiler::version() const {
    return "NVRTC " + std::to_string(m_impl->nvrtc->major()) + "." + std::to_string(m_impl->nvrtc->minor());
}

Result<CompiledUnit> Compiler::compile(std::string_view source, const CompileOptions& asked) {
    if (Result<void> good = checkInput(source, asked); !good) return good.error();
    CompileOptions options = asked;
    options.arch = featureArchitecture(asked.arch, source);
    const auto cancelled = [&] { return options.stop.stop_requested(); };
    const Error stopped{"cancelled", "Compiling was cancelled.", ""};
    CompiledUnit unit;
    unit.fastMath = options.fastMath;
    unit.settings = options.settings;
    unit.compilerVersion = version();
    Stopwatch total, stage;

    const SourceTokens tokens = tokenize(source);
    SourceScan seen = scan(tokens);
    const bool module = seen.definesModule || seen.definesLibrary;
    const ProgramEntry entry = module ? ProgramEntry({}, {}) : ProgramEntry(source, tokens);
    RewrittenSource rewritten = rewriteExceptions(source, tokens);
    if (entry.found()) plainLambdas(rewritten.text, tokens);
    unit.usesTensorExtension = module;
    unit.isProgram = entry.found();
    unit.diagnostics = seen.warnings;
    unit.diagnostics.insert(unit.diagnostics.end(), rewritten.refused.begin(), rewritten.refused.end());
    unit.diagnostics.insert(unit.diagnostics.end(), rewritten.warnings.begin(), rewritten.warnings.end());
    unit.seconds.rewrite = stage.lap();
    if (cancelled()) return stopped;

    Result<IncludedFiles> included = includedFiles(tokens, options.settings, entry.found());
    if (!included) return included.error();
    seen.includesTorch |= included->includesTorch;
    seen.includesToolkit |= included->includesToolkit;
    for (const auto& [name, text] : included->texts)
        options.arch = featureArchitecture(options.arch, text);
    unit.arch = options.arch;
    Ptxas ptxas = m_impl->ptxasFor(assemblerOptions(options));
    m_impl->runCompiler(
        unit, {source, tokens, rewritten, seen, entry, std::move(included->texts), std::move(included->absent)},
        options, ptxas);
    if (!options.settings.folders.empty() && unit.ptx.find(moduleEntry) != std::string::npos)
        unit.usesTensorExtension = true; // of an included file
    unit.seconds.nvrtc = stage.lap();
    if (unit.failedStage.empty() && !rewritten.refused.empty()) unit.failedStage = "nvrtc";
    if (cancelled()) return stopped;
    if (unit.failedStage.empty()) {
        unit.kernelPtx = extractKernels(unit.ptx);
        unit.seconds.extract = stage.lap();
        if (options.cubin) m_impl->runAssembler(unit, options, ptxas);
        unit.seconds.link = stage.lap();
    }
    if (cancelled()) return stopped;
    constexpr std::size_t longestLog = 1u << 20;
    unit.diagnostics = passedOn(std::move(unit.diagnostics), unit.diagnosticsLeftOut);
    unit.log = text::shortened(std::move(unit.log), longestLog);
    unit.ok = unit.failedStage.empty();
    unit.seconds.total = total.lap();
    if (options.cubin || ptxas.isAhead()) m_impl->waiting.emplace(std::move(ptxas)); // else prepareNext() starts it
    return unit;
}

void Compiler::expectMany() {
    m_impl->preludes.expectMany();
}

void Compiler::prepareNext() {
    if (m_impl->preludes.prepareNext() && m_impl->waiting) m_impl->waiting->startAhead();
}

} // namespace kernelarium::compile
