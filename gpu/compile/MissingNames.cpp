// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/compile/MissingNames.h"

#include "resources/KnownNames.h"
#include "resources/ShimHeaders.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

namespace kernelarium::compile {

namespace {

using Names = std::set<std::string_view>;

Names readNames(std::string_view file) {
    Names names;
    for (const resources::KnownNames& list : resources::knownNames()) {
        if (list.name != file) continue;
        for (std::size_t at = list.text.find_first_not_of(" \n"); at != std::string_view::npos;
             at = list.text.find_first_not_of(" \n", at)) {
            const std::size_t end = std::min(list.text.find_first_of(" \n", at), list.text.size());
            names.insert(list.text.substr(at, end - at));
            at = end;
        }
    }
    return names;
}

bool isOfC(std::string_view name) {
    static const Names names = readNames("c.txt");
    return names.contains(name) || name.starts_with("_mm") || name.starts_with("__m128") ||
           name.starts_with("__m256") || name.starts_with("__m512") || name.starts_with("__builtin_");
}

bool isOfStd(std::string_view name) {
    static const Names names = readNames("std.txt");
    return names.contains(name) || isOfC(name);
}

bool isNameOfTorch(std::string_view name) {
    static const Names names = readNames("torch.txt");
    return names.contains(name);
}

bool isWordPart(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

bool hasWord(std::string_view text, std::string_view word) {
    for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
        const bool starts = at == 0 || !isWordPart(text[at - 1]);
        if (starts && (at + word.size() == text.size() || !isWordPart(text[at + word.size()]))) return true;
    }
    return false;
}

/// Whether a header of ours has the name that <torch/extension.h> does not bring.
bool isOfOtherHeader(std::string_view name) {
    const auto shim = resources::shimHeaders();
    return std::any_of(shim.begin(), shim.end(), [&](const auto& header) {
        return std::string_view(header.name).starts_with("kernelarium/cuda_") && hasWord(header.text, name);
    });
}

/// Whether `name` looks like one of CUDA's own: cudaMalloc, CUtensorMap, cufftHandle, tex2D, NCCL_...
bool looksLikeCuda(std::string_view name) {
    for (const std::string_view start :
         {"cuda",      "CUDA_",    "cublas",      "CUBLAS_", "cudnn",   "CUDNN_", "cufft", "CUFFT_",     "cusparse",
          "CUSPARSE_", "cusolver", "CUSOLVER_",   "curand",  "CURAND_", "nccl",   "NCCL_", "nvml",       "NVML_",
          "nvtx",      "NVTX_",    "nvrtc",       "NVRTC_",  "tex1D",   "tex2D",  "tex3D", "texCubemap", "surf1D",
          "surf2D",    "surf3D",   "surfCubemap", "texture", "surface", "cupti",  "CUPTI_"})
        if (name.starts_with(start)) return true;
    return name.size() > 2 && (name.starts_with("cu") || name.starts_with("CU")) &&
           (std::isupper(static_cast<unsigned char>(name[2])) || name[2] == '_' || name.starts_with("CU"));
}

/// Whether a header that lies directly in the toolkit's folder has the word. Without that folder the look decides.
bool isOfCuda(std::string_view name, const Toolkit& toolkit) {
    if (!looksLikeCuda(name)) return false;
    if (toolkit.include.empty()) return true;
    std::error_code ignored;
    for (const std::filesystem::directory_entry& entry :
         std::filesystem::directory_iterator(toolkit.include, ignored)) {
        if (!entry.path().filename().string().ends_with(".h")) continue;
        std::ifstream file(entry.path(), std::ios::binary);
        std::ostringstream text;
        text << file.rdbuf();
        if (hasWord(text.view(), name)) return true;
    }
    return false;
}

bool includesUnder(const SourceScan& seen, std::string_view start) {
    return std::any_of(seen.includes.begin(), seen.includes.end(),
                       [&](const std::string& name) { return name.starts_with(start); });
}

/// `text` between the first `before` and the next quote.
std::string_view quotedAfter(std::string_view text, std::string_view before) {
    const std::size_t at = text.find(before);
    if (at == std::string_view::npos) return {};
    const std::size_t first = at + before.size(), last = text.find('"', first);
    return last == std::string_view::npos ? std::string_view() : text.substr(first, last - first);
}

/// `has no member "x"`, or `has no member class "X"`.
std::string_view missingMember(std::string_view text) {
    const std::size_t at = text.find("has no member ");
    return at == std::string_view::npos ? std::string_view() : quotedAfter(text.substr(at), "\"");
}

/// "std::vector" of "std::vector<int, std::allocator<int>>".
std::string_view withoutArguments(std::string_view type) {
    return type.substr(0, type.find('<'));
}

/// What host code may do and device code may not, by a part of NVRTC's message.
struct Limit {
    std::string_view message;
    std::string_view name;
};
constexpr Limit limits[] = {
    {"typeid", "typeid"},
    {"dynamic_cast", "dynamic_cast"},
    {"128-bit integer", "__int128"},
    {"128-bit floating", "__float128"},
    {"__float128", "__float128"},
    {"thread-local", "thread_local"},
    {"thread_local", "thread_local"},
    {"xception handling", "exceptions in this form"},
    {"computed goto", "goto to a computed label"},
    {"dynamic initialization is not supported", "an object of static storage whose initialisation runs code"},
    {"dynamic init", "an object of static storage whose initialisation runs code"},
    {"statement expression", "statement expressions"},
    {"variable length array", "an array of variable length"},
    {"is a C++20 feature", "C++20"},
    {"<compare> must be included", "std::strong_ordering"},
    {"virtual base class", "a virtual base class"},
    {"coroutine", "coroutines"},
    {"unsupported in device code", "host code that device code cannot hold"},
    {"not allowed in device code", "host code that device code cannot hold"},
    {"not supported in device code", "host code that device code cannot hold"},
    {"is not allowed in a __device__", "host code that device code cannot hold"},
};

/// The toolkit's header, or the library of headers, that does not compile without a host compiler; empty where the
/// error is in another file.
std::string brokenHeader(const Diagnostic& d, const SourceScan& seen, const Toolkit& toolkit) {
    const bool own = d.file == "kernel.cu";
    if (d.text.find("Do not include this file directly") != std::string::npos) return {};
    for (const std::string_view library : {"thrust/", "cub/"})
        if (includesUnder(seen, library) && (!own || d.text.find(" (in ") != std::string::npos))
            return std::string(library.substr(0, library.size() - 1));
    if (own || toolkit.include.empty()) return {};
    std::error_code ignored;
    const bool theirs = std::filesystem::exists(std::filesystem::path(toolkit.include) / d.file, ignored) ||
                        includesUnder(seen, "cuda/") || includesUnder(seen, "nvtx3/");
    return theirs ? "<" + d.file + ">" : std::string();
}

/// The name that a message misses; empty where the author made the error.
std::string missingIn(const Diagnostic& d, const SourceScan& seen, const Toolkit& toolkit) {
    const std::string_view text = d.text;
    if (const std::string header = brokenHeader(d, seen, toolkit); !header.empty()) return header;
    if (const std::string_view name = missingMember(text); !name.empty()) {
        const std::string_view owner =
            quotedAfter(text, text.find("namespace \"") < text.find("class \"") ? "namespace \"" : "class \"");
        const std::string whole = std::string(withoutArguments(owner)) + "::" + std::string(name);
        if (owner == "std" || owner.starts_with("std::")) return isOfStd(name) ? whole : std::string();
        for (const std::string_view library : {"at", "c10", "torch", "pybind11", "caffe2"})
            if ((owner == library || owner.starts_with(std::string(library) + "::")) && isNameOfTorch(name))
                // What we have, and the source does not include, a build of PyTorch lacks as well.
                return text.starts_with("namespace \"") && isOfOtherHeader(name) ? std::string() : whole;
        for (const std::string_view library : {"thrust", "cub", "cuda", "cooperative_groups", "nvcuda"})
            if ((owner == library || owner.starts_with(std::string(library) + "::")) &&
                includesUnder(seen, library == "nvcuda" ? "mma" : library))
                return whole;
    }
    if (text.find("\" is undefined") != std::string_view::npos) {
        const std::string_view name = quotedAfter(text, "identifier \"");
        const bool python =
            name.size() > 3 && (name.starts_with("Py") || name.starts_with("_Py")) &&
            (seen.includesTorch || includesUnder(seen, "Python.h")); // CPython's interface has no other names
        if (isOfC(name) || isOfCuda(name, toolkit) || python) return std::string(name);
    }
    for (const std::string_view kind :
         {"no instance of constructor \"std::", "no instance of overloaded function \"std::",
          "no instance of function template \"std::"})
        if (text.find(kind) != std::string_view::npos)
            return "std::" + std::string(withoutArguments(quotedAfter(text, kind))) + " with these arguments";
    for (const Limit& limit : limits)
        if (text.find(limit.message) != std::string_view::npos) return std::string(limit.name);
    return {};
}

} // namespace

std::optional<Diagnostic> whatIsMissing(const std::vector<Diagnostic>& found, const SourceScan& seen,
                                        const Toolkit& toolkit) {
    constexpr std::size_t most = 5;
    std::vector<std::string> names;
    Diagnostic first;
    for (const Diagnostic& d : found) {
        if (d.severity != Severity::error || names.size() == most) continue;
        const std::string name = missingIn(d, seen, toolkit);
        if (name.empty() || std::find(names.begin(), names.end(), name) != names.end()) continue;
        if (names.empty()) first = d;
        names.push_back(name);
    }
    if (names.empty()) return std::nullopt;
    first.text = "not supported here: " + names[0];
    for (std::size_t i = 1; i < names.size(); ++i)
        first.text += ", " + names[i];
    return first;
}

} // namespace kernelarium::compile
