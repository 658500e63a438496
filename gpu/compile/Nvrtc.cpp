// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/compile/Nvrtc.h"

#include "core/files/ScratchFolder.h"
#include "gpu/compile/CompilerFiles.h"
#include "gpu/compile/CompilerHeap.h"
#include "gpu/process/FileRules.h"
#include "resources/ShimHeaders.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <functional>
#include <pthread.h>

namespace kernelarium::compile {

namespace {
constexpr int statusCompilation = 6; // NVRTC_ERROR_COMPILATION

template <class Size, class Get, class Program> std::string fetchText(Size sizeOf, Get get, Program program) {
    size_t size = 0;
    if (sizeOf(program, &size) != 0 || size < 2) return {};
    std::string text(size, '\0');
    if (get(program, text.data()) != 0) return {};
    text.resize(size - 1);
    return text;
}

/// Runs it in a thread of its own, which rules that hold for good need, and the other in this one; false where there is
/// no thread to be had.
bool inOwnThread(const std::function<void()>& work, const std::function<void()>& meanwhile) {
    constexpr std::size_t stack = std::size_t(64) << 20; // a parser is deep where its text is
    const auto run = [](void* what) -> void* {
        (*static_cast<const std::function<void()>*>(what))();
        return nullptr;
    };
    pthread_attr_t attributes;
    pthread_t thread{};
    if (::pthread_attr_init(&attributes) != 0) return false;
    ::pthread_attr_setstacksize(&attributes, stack);
    const bool started = ::pthread_create(&thread, &attributes, run, const_cast<std::function<void()>*>(&work)) == 0;
    ::pthread_attr_destroy(&attributes);
    if (!started) return false;
    std::exception_ptr thrown;
    try {
        meanwhile();
    } catch (...) {
        thrown = std::current_exception();
    }
    const bool ended = ::pthread_join(thread, nullptr) == 0;
    if (thrown) std::rethrow_exception(thrown);
    return ended;
}

process::FileRules rulesFor(const FileReach& reach, bool checked) {
    process::FileRules rules(process::FileRules::Fence::all);
    for (const std::string& folder : reach.folders)
        rules.allowReading(folder);
    if (!reach.scratch.empty()) rules.allowWriting(reach.scratch);
    if (!checked) rules.allowWriting(files::ScratchFolder::parent().string()); // where it makes temporary files
    return rules;
}
} // namespace

Result<std::unique_ptr<Nvrtc>> Nvrtc::load(const std::string& path) {
    Result<process::DynamicLibrary> library = process::DynamicLibrary::open(path);
    if (!library) return library.error();
    auto nvrtc = std::make_unique<Nvrtc>();
    nvrtc->m_library = std::move(library).value();
    const process::DynamicLibrary& lib = nvrtc->m_library;
    const bool complete =
        lib.find("nvrtcGetErrorString", nvrtc->m_errorString) && lib.find("nvrtcVersion", nvrtc->m_version) &&
        lib.find("nvrtcCreateProgram", nvrtc->m_create) && lib.find("nvrtcDestroyProgram", nvrtc->m_destroy) &&
        lib.find("nvrtcCompileProgram", nvrtc->m_compile) && lib.find("nvrtcGetProgramLogSize", nvrtc->m_logSize) &&
        lib.find("nvrtcGetProgramLog", nvrtc->m_log) && lib.find("nvrtcGetPTXSize", nvrtc->m_ptxSize) &&
        lib.find("nvrtcGetPTX", nvrtc->m_ptx);
    if (!complete || nvrtc->m_version(&nvrtc->m_major, &nvrtc->m_minor) != 0)
        return Error{"missing_component", path + " is not an NVRTC library.",
                     "Install the CUDA Toolkit 12.8 or newer."};
    if (nvrtc->m_major * 100 + nvrtc->m_minor < 1208)
        return Error{"missing_component",
                     path + " is NVRTC " + std::to_string(nvrtc->m_major) + "." + std::to_string(nvrtc->m_minor) +
                         "; 12.8 or newer is needed.",
                     "Install the CUDA Toolkit 12.8 or newer, or set CUDA_PATH to its folder."};
    (void)lib.find("nvrtcSetFlowCallback", nvrtc->m_setFlow);
    nvrtc->openBuiltins(path);
    nvrtc->m_checked = checkFilesOf(lib);
    process::redirectImports(lib, heapRedirects());
    if (!nvrtc->m_checked && !process::FileRules::known())
        return Error{"missing_component", "This system cannot keep " + path + " from the files of the user.",
                     "Use a kernel with Landlock (Linux 5.13 or newer): untrusted sources are not compiled without."};
    for (const resources::ShimHeader& header : resources::shimHeaders()) {
        nvrtc->m_headerNames.push_back(header.name);
        nvrtc->m_headerTexts.push_back(header.text);
    }
    return nvrtc;
}

/// NVRTC opens its second library by name alone, which only works where the toolkit is on the loader's own path. One of
/// that name which is open already is taken, wherever it lies. While it compiles it may open no library.
void Nvrtc::openBuiltins(const std::string& path) {
    const std::string version = std::to_string(m_major) + "." + std::to_string(m_minor);
    const std::filesystem::path beside =
        std::filesystem::path(path).parent_path() / ("libnvrtc-builtins.so." + version);
    if (Result<process::DynamicLibrary> opened = process::DynamicLibrary::open(beside.string()))
        m_builtins = std::move(*opened);
}

Nvrtc::Output Nvrtc::compile(const std::string& source, const std::vector<std::string>& options,
                             const std::map<std::string, std::string>& more, const Following& following) const {
    const FileReach reach = FileReach::of(options);
    const process::FileRules rules = rulesFor(reach, m_checked);
    Output out;
    std::exception_ptr thrown;
    FrontEndMessages messages(following.early && givesEarly() ? following.way : FrontEndMessages::Way::none,
                              following.stop);
    const auto work = [&] {
        const bool fenced = rules.restrictSelf();
        if (!fenced) out.failure = std::string("the files of the user cannot be kept from it: ") + std::strerror(errno);
        try {
            const WithinReach within(reach);
            if (fenced || m_checked) out = compileWithin(source, options, more, messages);
        } catch (...) {
            thrown = std::current_exception();
        }
        messages.noMore();
    };
    const bool ran = inOwnThread(work, [&] {
        if (const std::optional<std::string> log = messages.messages()) following.early(*log);
    });
    if (thrown) std::rethrow_exception(thrown);
    if (!ran) out.failure = "there is no thread to be had";
    return out;
}

Nvrtc::Output Nvrtc::compileWithin(const std::string& source, const std::vector<std::string>& options,
                                   const std::map<std::string, std::string>& more, FrontEndMessages& messages) const {
    Output out;
    std::vector<const char*> names = m_headerNames, texts = m_headerTexts;
    for (const auto& [name, text] : more) {
        names.push_back(name.c_str());
        texts.push_back(text.c_str());
    }
    Program program = nullptr;
    int status = m_create(&program, source.c_str(), "kernel.cu", int(names.size()), texts.data(), names.data());
    if (status == 0) {
        std::vector<const char*> raw;
        for (const std::string& option : options)
            raw.push_back(option.c_str());
        messages.setLog([this, program] { return fetchText(m_logSize, m_log, program); });
        if (m_setFlow) m_setFlow(program, &FrontEndMessages::askedOn, &messages);
        status = m_compile(program, int(raw.size()), raw.data());
        out.log = fetchText(m_logSize, m_log, program);
        if (messages.isCopy()) messages.endCopy(out.log);
        if (status == 0) out.ptx = fetchText(m_ptxSize, m_ptx, program);
        m_destroy(&program);
    }
    out.ok = status == 0;
    if (status != 0 && status != statusCompilation) out.failure = m_errorString(status);
    return out;
}

} // namespace kernelarium::compile
