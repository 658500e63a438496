// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/compile/SourceScan.h"

#include "gpu/compile/SourceTokens.h"

#include <string>

namespace kernelarium::compile {

namespace {

std::string squeezed(std::string_view text) {
    std::string out;
    for (const char c : text)
        if (c != ' ' && c != '\t' && c != '\r') out += c;
    return out;
}

/// Of what stands in quotes or angle brackets; else the macro that stands for it.
std::string includedName(std::string_view rest) {
    const std::string text = squeezed(rest);
    if (!text.starts_with('"') && !text.starts_with('<')) return text;
    const std::size_t end = text.find_first_of(">\"", 1);
    return text.size() > 2 && end != std::string::npos ? text.substr(1, end - 1) : std::string();
}

bool bringsTorch(const std::string& name) {
    return name == "torch/extension.h" || name == "torch/torch.h" || name == "torch/all.h" || name == "torch/python.h";
}

bool isToolkitHeader(const std::string& name) {
    return name.starts_with("cuda_fp") || name.starts_with("cuda_bf16") || name.starts_with("cooperative_groups") ||
           name.starts_with("curand") || name == "mma.h" || name.starts_with("cuda/") || name.starts_with("cub/") ||
           name.starts_with("thrust/") || name.starts_with("cuda_pipeline") || name.starts_with("cuda_awbarrier");
}

/// Which branch of a conditional is for the host's compilation only.
enum class HostBranch { none, first, second };

HostBranch hostBranchOf(const Directive& d) {
    const std::string condition = squeezed(d.rest.substr(0, d.rest.find("//")));
    if (d.name == "ifndef" && condition == "__CUDA_ARCH__") return HostBranch::first;
    if (d.name == "ifdef" && condition == "__CUDA_ARCH__") return HostBranch::second;
    if (d.name == "if" && (condition == "!defined(__CUDA_ARCH__)" || condition == "!defined__CUDA_ARCH__"))
        return HostBranch::first;
    if (d.name == "if" && (condition == "defined(__CUDA_ARCH__)" || condition == "defined__CUDA_ARCH__"))
        return HostBranch::second;
    return HostBranch::none;
}

class ArchWatch {
public:
    void see(const Directive& d, std::vector<Diagnostic>& warnings) {
        if (d.name.starts_with("if")) {
            m_open.push_back(hostBranchOf(d));
            if (m_open.back() == HostBranch::first) warn(d.line, warnings);
        } else if (d.name == "else" && !m_open.empty() && m_open.back() == HostBranch::second) {
            warn(d.line, warnings);
        } else if (d.name == "endif" && !m_open.empty()) {
            m_open.pop_back();
        }
    }

private:
    static void warn(int line, std::vector<Diagnostic>& warnings) {
        warnings.push_back(
            {"kernel.cu", line, 1, Severity::warning,
             "code for the host's own compilation (__CUDA_ARCH__ not defined) is left out here: host code is "
             "compiled together with the device code"});
    }
    std::vector<HostBranch> m_open;
};

} // namespace

SourceScan scan(const SourceTokens& source) {
    SourceScan found;
    ArchWatch watch;
    for (const Directive& d : source.directives) {
        if (d.name == "include") {
            const std::string name = includedName(d.rest);
            found.includesTorch |= bringsTorch(name);
            found.includesToolkit |= isToolkitHeader(name);
            found.includes.push_back(name);
        }
        watch.see(d, found.warnings);
    }
    for (std::size_t i = 0; i < source.tokens.size(); ++i) {
        const Token& token = source.tokens[i];
        const auto next = [&](std::size_t n) { return i + n < source.tokens.size() ? source.tokens[i + n].text : ""; };
        const bool designator = (token.text == "{" || token.text == ",") && next(1) == "." && next(2) != "." &&
                                (next(3) == "=" || next(3) == "{");
        found.writesCxx20 |= designator || token.text == "requires" || token.text == "concept" ||
                             token.text == "consteval" || token.text == "constinit" || token.text == "co_await" ||
                             token.text == "co_yield" || token.text == "<=>" ||
                             ((token.text == "<" || token.text == "<=") && next(1) == (token.text == "<" ? "=" : ">") &&
                              (token.text == "<=" || next(2) == ">"));
        found.definesModule |= token.text == "PYBIND11_MODULE";
        found.definesLibrary |= token.text.starts_with("TORCH_LIBRARY");
    }
    return found;
}

} // namespace kernelarium::compile
