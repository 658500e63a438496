// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/device/Gpu.h"

#include "gpu/host/run/EmulatorRunner.h"

namespace kernelarium::test {

namespace {

verify::RunResult failed(const std::string& why) {
    verify::RunResult result;
    result.end = verify::RunEnd::crashed;
    result.reason = why;
    return result;
}

} // namespace

Gpu& Gpu::instance() {
    static Gpu gpu;
    return gpu;
}

Gpu::Gpu() {
    if (Result<void> opened = open(); !opened)
        m_missing = QByteArray::fromStdString("no GPU tests: " + opened.error().text());
}

Result<void> Gpu::open() {
    auto compiler = compile::Compiler::create(compile::Toolkit::find());
    if (!compiler) return compiler.error();
    m_compiler = std::move(*compiler);
    auto driver = device::Driver::load();
    if (!driver) return driver.error();
    auto context = device::DeviceContext::open(std::move(*driver));
    if (!context) return context.error();
    m_context = std::move(*context);
    m_pool = std::make_shared<device::DevicePool>(m_context);
    return {};
}

const device::OperatorParts& Gpu::operatorParts() {
    if (m_parts.machine) return m_parts;
    auto library = operators::KernelLibrary::create(compile::Toolkit::find());
    if (!library) {
        m_parts.missing = library.error().text();
        return m_parts;
    }
    m_library = std::move(*library);
    m_machine = std::make_unique<device::CudaMachine>(m_context, m_pool);
    m_parts.machine = m_machine.get();
    m_parts.library = m_library.get();
    m_parts.vendors = device::VendorOperators::on(m_context, m_pool);
    return m_parts;
}

compile::CompiledUnit Gpu::compiled(const std::string& body) {
    compile::CompileOptions options;
    if (m_context) options.arch = m_context->info().arch();
    auto unit = m_compiler->compile("#include <torch/extension.h>\n" + body, options);
    if (unit) return std::move(*unit);
    compile::CompiledUnit failed;
    failed.log = unit.error().text();
    return failed;
}

verify::RunResult Gpu::run(const compile::CompiledUnit& unit, const verify::RunRequest& request) {
    if (!unit.ok) return failed("does not compile: " + unit.log);
    device::CudaProgram program;
    program.host.ptx = unit.ptx;
    program.cubin = unit.cubin;
    program.kernelPtx = unit.kernelPtx;
    device::CudaSettings settings;
    settings.operators = operatorParts();
    device::CudaRunner runner(m_context, m_pool, std::move(program), settings);
    auto result = runner.run(request);
    return result ? std::move(*result) : failed(result.error().code + ": " + result.error().text());
}

verify::RunResult Gpu::run(const std::string& body, std::vector<tensor::Value> arguments) {
    verify::RunRequest request;
    request.arguments = std::move(arguments);
    return run(compiled(body), request);
}

verify::RunResult Gpu::emulate(const std::string& body, std::vector<tensor::Value> arguments) {
    const compile::CompiledUnit unit = compiled(body);
    if (!unit.ok) return failed("does not compile: " + unit.log);
    host::HostProgram program;
    program.ptx = unit.ptx;
    for (const auto& kernel : unit.kernels)
        program.kernels[kernel.mangled] = {std::uint32_t(kernel.registers), std::uint32_t(kernel.globalLoads)};
    host::EmulatorSettings settings;
    if (m_context) settings.limits = m_context->info().limits;
    verify::RunRequest request;
    request.arguments = std::move(arguments);
    auto result = host::EmulatorRunner(std::move(program), settings).run(request);
    return result ? std::move(*result) : failed(result.error().code + ": " + result.error().text());
}

std::string bound(const std::string& body) {
    return body + "\nPYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def(\"forward\", &forward, \"test\"); }\n";
}

tensor::Tensor floats(const std::vector<float>& values) {
    tensor::Tensor t(tensor::DType::Float32, {std::int64_t(values.size())});
    for (std::size_t i = 0; i < values.size(); ++i)
        t.set(std::int64_t(i), values[i]);
    return t;
}

std::vector<double> elements(const tensor::Value& value) {
    std::vector<double> out;
    if (const auto* t = value.as<tensor::Tensor>())
        for (std::int64_t i = 0; i < t->count(); ++i)
            out.push_back(t->at(i));
    return out;
}

QString cliProgram() {
    return qEnvironmentVariable("KERNELARIUM_TEST_CLI", KERNELARIUM_BIN_DIR "/kernelarium-cli");
}

QString starterFolder() {
    return qEnvironmentVariable("KERNELARIUM_TEST_STARTER", KERNELARIUM_STARTER_FOLDER);
}

} // namespace kernelarium::test
