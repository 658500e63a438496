// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/compile/Compiler.h"
#include "gpu/host/run/EmulatorRunner.h"

#include <QtTest>
#include <memory>
#include <string>

namespace kernelarium::test {

/// Compiles source texts and runs their `forward` in the emulator, as the product does.
class EndToEnd {
public:
    /// Empty, or why nothing can be compiled here.
    [[nodiscard]] std::string unavailable() {
        auto created = compile::Compiler::create(compile::Toolkit::find());
        if (!created) return created.error().text();
        m_compiler = std::move(*created);
        return {};
    }

    /// The compiler's messages stand in `reason` of a result that ended `crashed` where the source does not
    /// compile.
    verify::RunResult run(const std::string& body, verify::RunRequest request,
                          const host::EmulatorSettings& settings = {}) {
        compile::CompileOptions options;
        options.cubin = false;
        auto unit = m_compiler->compile("#include <torch/extension.h>\n" + body, options);
        verify::RunResult failed;
        failed.end = verify::RunEnd::crashed;
        if (!unit || !unit->ok) {
            failed.reason = unit ? "does not compile" : unit.error().text();
            if (unit)
                for (const auto& d : unit->diagnostics)
                    failed.reason += "\n" + std::to_string(d.line) + ": " + d.text;
            return failed;
        }
        host::HostProgram program;
        program.ptx = unit->ptx;
        program.definesModule = unit->usesTensorExtension;
        host::EmulatorRunner runner(std::move(program), settings);
        auto result = runner.run(request);
        if (result) return std::move(*result);
        failed.reason = result.error().code + ": " + result.error().text();
        return failed;
    }
    verify::RunResult run(const std::string& body, std::vector<tensor::Value> arguments) {
        verify::RunRequest request;
        request.arguments = std::move(arguments);
        return run(body, std::move(request));
    }

private:
    std::unique_ptr<compile::Compiler> m_compiler;
};

inline void expectEnd(const verify::RunResult& result, verify::RunEnd end) {
    if (result.end != end) QFAIL(qPrintable("ended otherwise: " + QString::fromStdString(result.reason)));
}

/// A module with `forward` bound.
inline std::string bound(const std::string& body) {
    return body + "\nPYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def(\"forward\", &forward, \"test\"); }\n";
}

inline tensor::Tensor floats(const std::vector<float>& values) {
    tensor::Tensor t(tensor::DType::Float32, {std::int64_t(values.size())});
    for (std::size_t i = 0; i < values.size(); ++i)
        t.set(std::int64_t(i), values[i]);
    return t;
}

inline std::vector<double> elements(const tensor::Value& value) {
    std::vector<double> out;
    if (const auto* t = value.as<tensor::Tensor>())
        for (std::int64_t i = 0; i < t->count(); ++i)
            out.push_back(t->at(i));
    return out;
}

} // namespace kernelarium::test
