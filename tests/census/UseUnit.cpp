// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/census/UseUnit.h"

#include "gpu/host/run/EmulatorRunner.h"

#include <cmath>
#include <sstream>

namespace kernelarium::test {

namespace {

using Lines = std::vector<std::string>;

/// Every use gives whatever is handy; these turn it into a tensor of doubles on the host.
constexpr const char* results = R"(
static torch::Tensor gives(const torch::Tensor& t) { return t.to(torch::kDouble).cpu().reshape({-1}); }
static torch::Tensor gives(const std::vector<torch::Tensor>& list) { return gives(torch::cat(list)); }
static torch::Tensor gives(const std::vector<int64_t>& list) { return gives(torch::tensor(list)); }
static torch::Tensor gives(double v) { return torch::tensor({v}, torch::kDouble); }
)";

/// As an archived file would be, apart from the number at the end of each function's name.
std::string sourceOf(const std::vector<Use>& uses) {
    std::string source;
    for (const Use& use : uses)
        for (const std::string& include : use.includes)
            source += "#include " + include + "\n";
    source += std::string("#include <torch/extension.h>\n") + results;
    std::string all;
    for (std::size_t i = 0; i < uses.size(); ++i) {
        const std::string name = "use" + std::to_string(i), scope = "space" + std::to_string(i);
        source += "namespace " + scope + " {\n" + uses[i].before + "static auto " + name +
                  "(torch::Tensor x, py::dict d) {\n" + uses[i].body + "}\n}\n";
        all += "    out.push_back(gives(" + scope + "::" + name + "(x.clone(), d)));\n";
    }
    source +=
        "std::vector<torch::Tensor> forward(torch::Tensor x, py::dict d) {\n    std::vector<torch::Tensor> out;\n" +
        all + "    return out;\n}\n";
    if (uses.size() == 1 && !uses[0].module.empty()) return source + uses[0].module;
    return source + "PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def(\"forward\", &forward, \"uses\"); }\n";
}

tensor::Tensor line(const std::vector<double>& values) {
    tensor::Tensor t(tensor::DType::Float32, {std::int64_t(values.size())});
    for (std::size_t i = 0; i < values.size(); ++i)
        t.set(std::int64_t(i), values[i]);
    return t;
}

verify::RunRequest request(const Use& use) {
    const tensor::Dict d{{"weight", line({10, 20, 30, 40})},
                         {"none", tensor::Value()},
                         {"count", 3},
                         {"scale", 0.5},
                         {"flag", true},
                         {"name", std::string("layer")},
                         {"sizes", tensor::List{1, 2, 3}},
                         {"pair", tensor::List{line({1}), line({2})}}};
    verify::RunRequest request;
    request.arguments = {line({1, 2, 3, 4})};
    if (!use.onlyTensor) request.arguments.push_back(d);
    return request;
}

std::string firstErrors(const compile::CompiledUnit& unit) {
    std::string text;
    int shown = 0;
    for (const auto& d : unit.diagnostics)
        if (d.severity == compile::Severity::error && ++shown <= 3)
            text += "\n    " + std::to_string(d.line) + ": " + d.text;
    return text;
}

std::string difference(const Use& use, const tensor::Value& value) {
    const auto* t = value.as<tensor::Tensor>();
    if (!t) return "gave no tensor";
    bool same = std::size_t(t->count()) == use.gives.size();
    for (std::int64_t i = 0; same && i < t->count(); ++i) {
        const double wanted = use.gives[std::size_t(i)];
        same = std::abs(t->at(i) - wanted) <= 2e-5 * std::max(1.0, std::abs(wanted));
    }
    if (same) return {};
    std::ostringstream text;
    text << "gave";
    for (std::int64_t i = 0; i < t->count(); ++i)
        text << ' ' << t->at(i);
    text << " instead of";
    for (const double wanted : use.gives)
        text << ' ' << wanted;
    return text.str();
}

} // namespace

std::string UseRunner::unavailable() {
    auto created = compile::Compiler::create(compile::Toolkit::find());
    if (!created) return created.error().text();
    m_compiler = std::move(*created);
    return {};
}

std::string UseRunner::errorsOf(const std::string& source) {
    compile::CompileOptions options;
    options.cubin = false;
    const auto unit = m_compiler->compile(source, options);
    if (!unit) return unit.error().text();
    return unit->ok ? std::string() : firstErrors(*unit);
}

std::vector<std::string> UseRunner::complaints(const std::vector<Use>& uses) {
    std::vector<Use> together;
    Lines wrong;
    for (const Use& use : uses) {
        if (!use.alone()) {
            together.push_back(use);
            continue;
        }
        const Lines more = complaintsOfOne(use);
        wrong.insert(wrong.end(), more.begin(), more.end());
    }
    const Lines more = together.empty() ? Lines{} : complaintsOfUnit(together);
    wrong.insert(wrong.end(), more.begin(), more.end());
    return wrong;
}

std::vector<std::string> UseRunner::complaintsOfUnit(const std::vector<Use>& uses) {
    compile::CompileOptions options;
    options.cubin = false;
    const auto unit = m_compiler->compile(sourceOf(uses), options);
    if (unit && unit->ok) {
        const Lines wrong = run(uses, *unit);
        if (wrong.empty() || uses.size() == 1) return wrong;
    } else if (uses.size() == 1) {
        const std::string why = unit ? firstErrors(*unit) : unit.error().text();
        const bool meant = !uses[0].refuses.empty() && why.find(uses[0].refuses) != std::string::npos;
        return meant ? Lines{} : Lines{uses[0].title() + ": does not compile" + why};
    }
    Lines wrong;
    for (const Use& use : uses) {
        const Lines more = complaintsOfUnit({use});
        wrong.insert(wrong.end(), more.begin(), more.end());
    }
    if (wrong.empty()) wrong.push_back("the uses work one by one but not together, first " + uses[0].title());
    return wrong;
}

std::vector<std::string> UseRunner::complaintsOfOne(const Use& use) {
    return complaintsOfUnit({use});
}

std::vector<std::string> UseRunner::run(const std::vector<Use>& uses, const compile::CompiledUnit& unit) {
    if (!uses[0].refuses.empty()) return {uses[0].title() + ": compiles, though it must not"};
    host::HostProgram program;
    program.ptx = unit.ptx;
    program.definesModule = unit.usesTensorExtension;
    const auto result = host::EmulatorRunner(std::move(program), {}).run(request(uses[0]));
    if (!result) return {uses[0].title() + ": " + result.error().text()};
    if (!uses[0].raises.empty()) {
        const bool raised =
            result->end != verify::RunEnd::finished && result->reason.find(uses[0].raises) != std::string::npos;
        return raised ? Lines{} : Lines{uses[0].title() + ": ended with \"" + result->reason + "\""};
    }
    if (result->end != verify::RunEnd::finished) return {uses[0].title() + ": ended with \"" + result->reason + "\""};
    Lines wrong;
    for (const verify::Fault& fault : result->faults)
        wrong.push_back(uses[0].title() + ": " + fault.kind + ": " + fault.message);
    const auto* list = result->output.as<tensor::List>();
    for (std::size_t i = 0; i < uses.size(); ++i) {
        std::string why = list && i < list->size() ? difference(uses[i], (*list)[i]) : "gave nothing";
        if (why.empty() && result->printed.find(uses[i].prints) == std::string::npos)
            why = "printed \"" + result->printed + "\"";
        if (!why.empty()) wrong.push_back(uses[i].title() + ": " + why);
    }
    return wrong;
}

} // namespace kernelarium::test
