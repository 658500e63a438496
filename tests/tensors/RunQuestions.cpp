// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/tensors/RunQuestions.h"

#include "gpu/compile/Compiler.h"

#include <QtTest>
#include <algorithm>

namespace kernelarium::test {

namespace {
std::string moduleOf(const std::string& body) {
    return "#include <torch/extension.h>\n" + body +
           "\nPYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def(\"forward\", &forward, \"test\"); }\n";
}
} // namespace

RunQuestions::RunQuestions(const std::string& body, const std::vector<std::string>& arguments,
                           const std::string& reference)
    : m_source(moduleOf(body)) {
    m_parameters.arguments = arguments;
    m_parameters.unit = compiled(m_source);
    if (!reference.empty()) m_parameters.referenceUnit = compiled(moduleOf(reference));
    m_parameters.referenceName = "reference.cu";
}

std::shared_ptr<const compile::CompiledUnit> RunQuestions::compiled(const std::string& source) {
    static Result<std::unique_ptr<compile::Compiler>> compiler = compile::Compiler::create(compile::Toolkit::find());
    if (!compiler) {
        m_why = compiler.error().text();
        return nullptr;
    }
    compile::CompileOptions options;
    options.cubin = false;
    auto unit = (*compiler)->compile(source, options);
    if (!unit || !unit->ok) {
        m_why = unit ? "does not compile: " + unit->log : unit.error().text();
        QTest::qFail(m_why.c_str(), __FILE__, __LINE__);
        return nullptr;
    }
    return std::make_shared<const compile::CompiledUnit>(std::move(*unit));
}

int RunQuestions::lineOf(const std::string& text) const {
    const std::size_t at = m_source.find(text);
    return at == std::string::npos ? -1
                                   : 1 + int(std::count(m_source.begin(), m_source.begin() + std::ptrdiff_t(at), '\n'));
}

Result<tensorview::Answer> RunQuestions::ask(const tensorview::Query& query, std::stop_token stop) {
    protocol::Request request;
    request.method = "tensors";
    request.params = toJson(m_parameters);
    request.params["query"] = toJson(query);
    const auto stage = [this](const std::string& name) { m_runs += name == "run" || name == "writers"; };
    Result<nlohmann::json> answer = m_service.handle(request, {stage, {}}, stop);
    if (!answer) return answer.error();
    return tensorview::answerFromJson(nlohmann::json::parse(answer->dump()));
}

tensorview::Answer RunQuestions::answered(const tensorview::Query& query) {
    Result<tensorview::Answer> answer = ask(query);
    if (answer) return std::move(*answer);
    QTest::qFail(answer.error().text().c_str(), __FILE__, __LINE__);
    return {};
}

Result<nlohmann::json> RunQuestions::call(const std::string& method) {
    protocol::Request request;
    request.method = method;
    request.params = toJson(m_parameters);
    return m_service.handle(request, {[](const std::string&) {}, {}}, {});
}

} // namespace kernelarium::test
