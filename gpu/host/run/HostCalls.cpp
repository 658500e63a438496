// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/host/run/HostCalls.h"

#include "gpu/host/run/HostArrival.h"

#include <fmt/format.h>

namespace kernelarium::host {

HostCalls::HostCalls(CudaContext& cuda, TensorTable& table, AtenCalls& aten, HostModule& module)
    : m_cuda(cuda)
    , m_marshal(cuda.host)
    , m_table(table)
    , m_aten(aten)
    , m_module(module)
    , m_python(table)
    , m_cublas(cuda, table, aten)
    , m_cublasLt(cuda, m_cublas) {}

const std::map<std::string_view, HostCalls::Handler>& HostCalls::handlers() {
    static const std::map<std::string_view, Handler> table{
        {"kl_call", &HostCalls::operation},
        {"kl_cuda", &HostCalls::cudaCall},
        {"kl_tensor_info", &HostCalls::tensorInfo},
        {"kl_define", &HostCalls::define},
        {"kl_module", &HostCalls::moduleName},
        {"kl_arguments", &HostCalls::arguments},
        {"kl_return", &HostCalls::giveBack},
        {"kl_try", &HostCalls::enterTry},
        {"kl_try_end", &HostCalls::leaveTry},
        {"kl_touch", &HostCalls::touch},
        {"kl_throw", &HostCalls::throwIt},
        {"kl_rethrow", &HostCalls::rethrow},
        {"kl_check_failed", &HostCalls::checkFailed},
        {"kl_cuda_failed", &HostCalls::cudaFailed},
        {"kl_fail", &HostCalls::failIt},
        {"kl_caught_object", &HostCalls::caughtObject},
        {"kl_caught_type", &HostCalls::caughtType},
        {"kl_caught_what", &HostCalls::caughtWhat},
        {"kl_caught_is", &HostCalls::caughtIs},
        {"kl_catch_end", &HostCalls::endCatch},
        {"kl_alloc", &HostCalls::allocate},
        {"kl_print", &HostCalls::print},
        {"kl_format", &HostCalls::format},
        {"vprintf", &HostCalls::printFormat},
        {"malloc", &HostCalls::allocate},
        {"free", &HostCalls::release},
        {"__assertfail", &HostCalls::assertFailed},
        {"__cudaCDP2GetParameterBufferV2", &HostCalls::parameterBuffer},
        {"__cudaCDP2LaunchDeviceV2", &HostCalls::launch},
    };
    return table;
}

emulator::ExternAction HostCalls::call(Run& run, Call& call) {
    const auto found = handlers().find(call.name);
    if (found == handlers().end()) return Action::unsupported;
    try {
        return (this->*found->second)(run, call);
    } catch (Raised& raised) {
        ThrownException exception;
        exception.typeName = std::move(raised.type);
        exception.what = std::move(raised.text);
        return unwind(run, std::move(exception));
    } catch (RunStopped& stopped) {
        if (const int line = run.currentLine(); stopped.end == verify::RunEnd::crashed && line > 0)
            stopped.reason += fmt::format(" (line {})", line);
        m_stopped = std::move(stopped);
    } catch (const std::exception& error) {
        m_stopped = RunStopped{verify::RunEnd::crashed, std::string("the host runtime failed: ") + error.what()};
    }
    return Action::stop;
}

PyItems HostCalls::operate(const std::string& name, PyItems arguments) {
    m_current = name;
    if (name.starts_with("py.")) return {m_python.call(name, arguments)};
    PyItems results;
    if (name.starts_with("torch.") && callTorchSetting(name, results)) return results;
    const std::size_t before = m_aten.computed().size();
    OperatorArrival arrival(m_cuda, m_table, name, arguments);
    PyItems made = m_aten.call(name, std::move(arguments));
    if (m_aten.computed().size() > before) m_cuda.order.work(m_cuda.currentStream, name);
    arrival.ended(made);
    return made;
}

/// int kl_call(name, arguments, count, results, capacity)
emulator::ExternAction HostCalls::operation(Run&, Call& call) {
    const std::string name = m_marshal.text(call.parameter<std::uint64_t>(0));
    PyItems results = operate(name, m_marshal.decodeAll(call.parameter<std::uint64_t>(1), call.parameter<int>(2)));
    const auto capacity = std::size_t(std::max(call.parameter<int>(4), 0));
    // An operator that gives a list of tensors fills the results one by one where the caller left room for
    // several.
    const bool python = name.starts_with("py.");
    const auto* list = results.size() == 1 ? results[0].as<ListRef>() : nullptr;
    if (list && capacity > 1 && !python) results = PyItems(*list->items);
    for (std::size_t i = 0; i < results.size() && i < capacity; ++i) {
        const kl_value value = python ? m_marshal.encodePython(results[i]) : m_marshal.encode(results[i]);
        m_marshal.write(call.parameter<std::uint64_t>(3) + i * sizeof(kl_value), value);
    }
    call.setResult(int(results.size()));
    return Action::proceed;
}

namespace {

/// Functions whose result tells of something else than their own success.
bool asksForState(std::string_view api) {
    return api == "cudaGetLastError" || api == "cudaPeekAtLastError" || api == "cudaStreamQuery" ||
           api == "cudaEventQuery" || !api.starts_with("cuda");
}

} // namespace

/// int kl_cuda(api, arguments, count)
emulator::ExternAction HostCalls::cudaCall(Run&, Call& call) {
    const std::string api = m_marshal.text(call.parameter<std::uint64_t>(0));
    if (!api.starts_with("host.")) m_current = api;
    ApiArguments arguments(api, m_marshal.decodeAll(call.parameter<std::uint64_t>(1), call.parameter<int>(2)));
    RuntimeArrival arrival(m_cuda, arguments);
    const int status = CublasLtCalls::answers(api) ? m_cublasLt.call(arguments)
                       : CublasCalls::answers(api) ? m_cublas.call(arguments)
                                                   : callCuda(m_cuda, arguments);
    if (status == cudaSuccess)
        arrival.succeeded();
    else if (!asksForState(api))
        m_cuda.log.noteRefusedCall(fmt::format("{}: {}", api, cudaErrorText(status)));
    call.setResult(status);
    return Action::proceed;
}

const char* scalarTypeName(std::int64_t type) {
    switch (type) {
    case 0: return "Byte";
    case 1: return "Char";
    case 2: return "Short";
    case 3: return "Int";
    case 4: return "Long";
    case 5: return "Half";
    case 6: return "Float";
    case 7: return "Double";
    case 8: return "ComplexHalf";
    case 9: return "ComplexFloat";
    case 10: return "ComplexDouble";
    case 11: return "Bool";
    case 15: return "BFloat16";
    case 23: return "Float8_e5m2";
    case 24: return "Float8_e4m3fn";
    case 26: return "Undefined";
    default: return "UNKNOWN_SCALAR";
    }
}

namespace {

std::int64_t dataAddress(const TensorView& view, std::int64_t wanted) {
    if (wanted >= 0 && wanted != std::int64_t(view.dtype))
        raise(fmt::format("expected scalar type {} but found {}", scalarTypeName(wanted),
                          scalarTypeName(std::int64_t(view.dtype))));
    return view.count() == 0 ? 0 : std::int64_t(view.address()); // PyTorch gives null for no elements
}

std::int64_t dimensioned(const TensorView& view, const Shape& values, std::int64_t dim) {
    const std::int64_t d = wrapDim(dim, view.dim());
    if (view.dim() == 0) raiseIndexError(fmt::format("Dimension specified as {} but tensor has no dimensions", dim));
    return values[std::size_t(d)];
}

std::int64_t infoOf(const TensorView& view, int what, std::int64_t index) {
    switch (what) {
    case KL_DIM: return view.dim();
    case KL_SIZE: return dimensioned(view, view.shape, index);
    case KL_STRIDE: return dimensioned(view, view.strides, index);
    case KL_NUMEL: return view.count();
    case KL_DTYPE_OF: return std::int64_t(view.dtype);
    case KL_DATA: return dataAddress(view, index);
    case KL_IS_CONTIGUOUS: return view.isContiguous();
    case KL_IS_CUDA: return !view.storage->onHost;
    case KL_DEVICE_INDEX: return view.storage->onHost ? -1 : 0;
    case KL_ELEMENT_SIZE: return std::int64_t(tensor::byteSize(view.dtype));
    case KL_STORAGE_OFFSET: return view.offset;
    case KL_REQUIRES_GRAD: return view.requiresGrad;
    default: refuse(fmt::format("kl_tensor_info of {}", what));
    }
}

} // namespace

/// long long kl_tensor_info(tensor, what, index)
emulator::ExternAction HostCalls::tensorInfo(Run&, Call& call) {
    const auto handle = call.parameter<std::int64_t>(0);
    const int what = call.parameter<int>(1);
    // Asking an undefined tensor for these is not an error in PyTorch.
    const bool harmless = what == KL_DIM || what == KL_NUMEL || what == KL_IS_CUDA || what == KL_REQUIRES_GRAD;
    if (handle == 0 && what == KL_DTYPE_OF)
        call.setResult<std::int64_t>(26); // ScalarType::Undefined
    else if (handle == 0 && harmless)
        call.setResult<std::int64_t>(0);
    else
        call.setResult(infoOf(m_table.at(handle), what, call.parameter<std::int64_t>(2)));
    return Action::proceed;
}

/// void kl_define(name, invoke, fn, arity, argument names, defaults, types)
emulator::ExternAction HostCalls::define(Run&, Call& call) {
    Definition d;
    d.name = m_marshal.text(call.parameter<std::uint64_t>(0));
    d.invoke = call.parameter<std::uint64_t>(1);
    d.function = call.parameter<std::uint64_t>(2);
    d.arity = call.parameter<int>(3);
    if (const auto names = call.parameter<std::uint64_t>(4)) {
        std::string text = m_marshal.text(names);
        for (std::size_t at = 0; !text.empty() && at <= text.size();) {
            const std::size_t end = std::min(text.find(',', at), text.size());
            d.argumentNames.push_back(text.substr(at, end - at));
            at = end + 1;
        }
    }
    if (const auto defaults = call.parameter<std::uint64_t>(5))
        for (const kl_value& value : m_marshal.readArray<kl_value>(defaults, d.argumentNames.size()))
            d.defaults.push_back(value.kind < 0 ? std::nullopt : std::optional(m_marshal.decode(value)));
    const auto types = call.parameter<std::uint64_t>(6);
    d.returnsNothing = (types & 3) == 1;
    for (std::size_t i = 0; i < 31; ++i) {
        const std::uint64_t type = types >> (2 * (i + 1)) & 3;
        if (type != 0) d.tensors.push_back(i);
        if (type == 2) d.tensorReferences.push_back(i);
    }
    m_module.define(std::move(d));
    return Action::proceed;
}

emulator::ExternAction HostCalls::moduleName(Run&, Call& call) {
    m_module.begin(m_marshal.text(call.parameter<std::uint64_t>(0)));
    return Action::proceed;
}

void HostCalls::beginCall(const Definition& definition, PyItems arguments) {
    m_definition = &definition;
    m_arguments = std::move(arguments);
    m_returned.reset();
    m_uncaught.reset();
    m_stopped.reset();
    m_argumentMismatch = false;
}

kl_value HostCalls::argument(std::size_t index, int kind) {
    if (!m_definition || index >= m_arguments.size())
        raiseTypeError(fmt::format("the call has no argument {}", index + 1));
    PyValue value;
    try {
        value = convertArgument(m_arguments[index], kind, *m_definition, index, m_table);
    } catch (const Raised&) {
        m_argumentMismatch = true;
        throw;
    }
    const auto* list = value.as<ListRef>();
    if (kind == KL_OBJECT) return m_marshal.encodeObject(value);
    if (kind == KL_DOUBLE_LIST && list) return m_marshal.encodeDoubles(*list->items);
    if (kind == KL_LIST && list) return m_marshal.encodeValues(*list->items);
    if (kind < 0) return m_marshal.encodePython(value);
    return m_marshal.encode(value);
}

/// void kl_arguments(values, count)
emulator::ExternAction HostCalls::arguments(Run&, Call& call) {
    const auto values = call.parameter<std::uint64_t>(0);
    std::size_t index = 0;
    for (const kl_value& wanted : m_marshal.values(values, call.parameter<int>(1))) {
        m_marshal.write(values + index * sizeof(kl_value), argument(index, wanted.kind));
        ++index;
    }
    return Action::proceed;
}

/// void kl_return(value)
emulator::ExternAction HostCalls::giveBack(Run&, Call& call) {
    m_returned = m_marshal.decode(m_marshal.read<kl_value>(call.parameter<std::uint64_t>(0)));
    return Action::proceed;
}

bool callTorchSetting(const std::string& name, PyItems& results) {
    static const std::map<std::string_view, PyValue> answers{
        {"torch.allow_tf32_cublas", {}}, // results are computed in full float32 either way
        {"torch.manual_seed", {}},       // random numbers are those of the run's own seed
    };
    const auto found = answers.find(name);
    if (found == answers.end()) return false;
    results = {found->second};
    return true;
}

} // namespace kernelarium::host
