// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/device/timing/TimingRun.h"

#include "core/verify/Comparison.h"

#include <chrono>
#include <fmt/format.h>

namespace kernelarium::device {

namespace {

bool isDense(const verify::OutputPlace& place) {
    std::int64_t stride = 1;
    for (std::size_t d = place.sizes.size(); d-- > 0;) {
        if (place.sizes[d] != 1 && place.strides[d] != stride) return false;
        stride *= place.sizes[d];
    }
    return place.elementBytes > 0;
}

/// Whether PTX declares variables that a module keeps from launch to launch.
bool hasVariables(std::string_view ptx) {
    constexpr std::string_view white = " \t", linkages[] = {".visible", ".extern", ".weak", ".common"};
    while (!ptx.empty()) {
        const std::size_t end = std::min(ptx.find('\n'), ptx.size());
        std::string_view line = ptx.substr(0, end);
        ptx.remove_prefix(std::min(end + 1, ptx.size()));
        const auto skip = [&] { line.remove_prefix(std::min(line.find_first_not_of(white), line.size())); };
        skip();
        for (const std::string_view linkage : linkages)
            if (line.starts_with(linkage)) {
                line.remove_prefix(linkage.size());
                skip();
            }
        if (line.starts_with(".global ") || line.starts_with(".const ")) return true;
    }
    return false;
}

std::vector<tensor::Tensor> tensorsIn(const std::vector<tensor::Value>& arguments) {
    std::vector<tensor::Tensor> all;
    for (const tensor::Value& argument : arguments)
        for (tensor::Tensor& t : verify::flatten(argument))
            all.push_back(std::move(t));
    return all;
}

/// Of the arguments, those that lie on the device: flatten() has numbers as tensors, too.
std::vector<tensor::Tensor> placed(const std::vector<tensor::Value>& arguments, const TimedTrace& trace) {
    std::vector<tensor::Tensor> all = tensorsIn(arguments);
    std::erase_if(all, [](const tensor::Tensor& t) { return !t.defined() || t.byteCount() == 0; });
    if (all.size() == trace.before.size()) return all;
    std::erase_if(all, [](const tensor::Tensor& t) { return t.dim() == 0; });
    return all;
}

} // namespace

TimingRun::~TimingRun() = default;

Result<std::unique_ptr<TimingRun>> TimingRun::execute(std::shared_ptr<DeviceContext> context,
                                                      std::shared_ptr<DevicePool> pool, const CudaProgram& program,
                                                      const CudaSettings& settings, const verify::RunRequest& request) {
    std::unique_ptr<TimingRun> run(new TimingRun);
    run->m_context = std::move(context);
    run->m_pool = std::move(pool);
    if (run->m_context->isLost()) return run->m_context->lostError();
    if (Result<void> current = run->m_context->makeCurrent(); !current) return current.error();
    if (!program.host.definesModule) {
        run->m_result.end = verify::RunEnd::import_error;
        run->m_result.reason = host::noModuleReason;
        return run;
    }
    if (Result<void> loaded = run->load(program, settings, request); !loaded) {
        if (loaded.error().code != "unsupported") return loaded.error();
        run->m_result.end = verify::RunEnd::unsupported;
        run->m_result.reason = loaded.error().message;
        return run;
    }
    run->callForward(request);
    return run;
}

Result<void> TimingRun::load(const CudaProgram& program, const CudaSettings& settings,
                             const verify::RunRequest& request) {
    m_hostMemory = std::make_unique<emulator::DeviceMemory>(settings.hostCapacity);
    auto loaded = emulator::Program::load(program.host.ptx, *m_hostMemory);
    if (!loaded) return loaded.error();
    m_program = std::move(*loaded);
    auto module = DeviceModule::load(m_context, program.cubin, program.kernelPtx);
    if (!module) return module.error();
    m_module = std::move(*module);
    m_hasVariables = hasVariables(program.kernelPtx);
    host::HostSession::Settings session;
    session.function = program.host.function;
    session.memoryLimit = settings.hostCapacity;
    constexpr std::size_t faultsPerKind = 8;
    m_options = host::runOptions(request, m_context->info().limits, settings.jobs, faultsPerKind);
    CudaBackend::Settings backend;
    backend.memory = {request.guardBytes, request.poison, request.addressSalt, settings.deviceCapacity};
    backend.deadline = m_options.deadline;
    backend.stop = request.stop;
    backend.print = [this](std::string_view text) { m_log.print(text); };
    m_backend = std::make_unique<CudaBackend>(m_context, m_pool, *m_module, *m_program, std::move(backend));
    m_tracing = std::make_unique<TracingBackend>(*m_backend);
    if (settings.operators.machine && settings.operators.library) {
        m_operators = std::make_unique<RunOperators>(
            settings.operators, *m_tracing, [this](TimedAction action) { m_tracing->note(std::move(action)); },
            request.stop);
        session.operators = m_operators.get();
    }
    m_session = std::make_unique<host::HostSession>(*m_program, *m_tracing, m_log, m_options, session, request);
    return {};
}

void TimingRun::callForward(const verify::RunRequest& request) {
    using Clock = std::chrono::steady_clock;
    Clock::time_point begin;
    host::HostSession::Moments moments;
    moments.beforeForward = [&] {
        (void)m_backend->synchronize();
        m_tracing->enter(TracingBackend::Phase::forward);
        begin = Clock::now();
    };
    moments.forwardReturned = [&] {
        (void)m_backend->synchronize();
        m_callSeconds = std::chrono::duration<double>(Clock::now() - begin).count();
        m_tracing->enter(TracingBackend::Phase::after);
    };
    m_result = m_session->execute(request, moments);
}

std::string TimingRun::whyNotReplayed() const {
    if (trace().readBack > TimedTrace::mostReadBack)
        return fmt::format("its host code reads {} bytes back from the device, and may compute with them",
                           trace().readBack);
    return {};
}

Result<std::unique_ptr<TimedReplay>> TimingRun::replay() const {
    return TimedReplay::create(m_context, *m_module, *m_backend, trace());
}

Result<std::unique_ptr<TimedReplay>> TimingRun::replayWith(const DeviceModule& module) const {
    return TimedReplay::create(m_context, module, *m_backend, trace());
}

std::optional<std::vector<TimingRun::Piece>> TimingRun::outputPieces() const {
    const std::vector<tensor::Tensor> outputs = verify::flatten(m_result.output);
    if (outputs.size() != m_result.outputPlaces.size()) return {};
    std::vector<Piece> pieces;
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        const verify::OutputPlace& place = m_result.outputPlaces[i];
        if (!outputs[i].defined() || !isDense(place) || !m_backend->holds(place.address)) return {};
        pieces.push_back({place.address, outputs[i].byteCount()});
    }
    return pieces;
}

std::string TimingRun::whyNotExchanged() const {
    if (m_hasVariables) return "its kernels have variables of their own";
    if (trace().gaveBack) return "it gives large memory back before it returns";
    using Kind = TimedAction::Kind;
    for (const TimedAction& action : trace().actions) {
        if (action.kind == Kind::library) return "library operators do part of it";
        if (action.kind == Kind::read) return "its host code reads from the device";
        if (action.kind != Kind::launch && !m_backend->holds(action.address))
            return "it writes to memory that is not the run's";
        if (action.kind == Kind::copy && !m_backend->holds(action.from)) return "it reads memory that is not the run's";
    }
    return {};
}

Result<bool> TimingRun::writeArguments(const std::vector<tensor::Value>& arguments) {
    const std::vector<tensor::Tensor> tensors = placed(arguments, trace());
    const std::vector<TimedTrace::Place>& places = trace().before;
    if (tensors.size() != places.size()) return false;
    for (std::size_t i = 0; i < tensors.size(); ++i)
        if (tensors[i].byteCount() != places[i].bytes || !m_backend->holds(places[i].address)) return false;
    for (std::size_t i = 0; i < tensors.size(); ++i)
        if (Result<void> written = m_backend->write(places[i].address, tensors[i].bytes()); !written)
            return written.error();
    return true;
}

Result<std::vector<tensor::Tensor>> TimingRun::readOutputs() const {
    std::vector<tensor::Tensor> outputs = verify::flatten(m_result.output);
    if (outputs.size() != m_result.outputPlaces.size()) return std::vector<tensor::Tensor>();
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        const verify::OutputPlace& place = m_result.outputPlaces[i];
        if (!outputs[i].defined()) continue;
        if (!isDense(place) || !m_backend->holds(place.address)) {
            outputs[i] = {};
            continue;
        }
        tensor::Tensor now(outputs[i].dtype(), outputs[i].shape());
        if (Result<void> read = m_backend->read(place.address, now.bytes()); !read) return read.error();
        outputs[i] = std::move(now);
    }
    return outputs;
}

} // namespace kernelarium::device
