// SPDX-License-Identifier: GPL-3.0-or-later
//
// The calls by which host code throws, allocates, prints and launches.
#include "gpu/host/run/Format.h"
#include "gpu/host/run/HostCalls.h"

#include <fmt/format.h>

#include <algorithm>

namespace kernelarium::host {

namespace {

constexpr std::size_t mostTypes = 16;        ///< of an exception and its bases
constexpr std::size_t longestText = 1 << 20; ///< bytes of what an exception says

} // namespace

/// int kl_try(): 0 now, 1 when an exception comes back to it
emulator::ExternAction HostCalls::enterTry(Run& run, Call& call) {
    m_unwinding.enter(run.saveFrame());
    call.setResult(0);
    return Action::proceed;
}

emulator::ExternAction HostCalls::leaveTry(Run& run, Call&) {
    if (const auto frame = m_unwinding.leave()) run.forgetFrame(*frame);
    return Action::proceed;
}

/// void kl_touch(variable): that it is called is all there is to it
emulator::ExternAction HostCalls::touch(Run&, Call&) {
    return Action::proceed;
}

emulator::ExternAction HostCalls::unwind(Run& run, ThrownException exception) {
    std::vector<std::uint64_t> dropped;
    const bool outsideFamily =
        exception.type && !exception.typeName.empty() && exception.typeName.find('(') != std::string::npos;
    if (outsideFamily) exception.what = "Caught an unknown exception!"; // pybind11's words
    Raised text{exception.type ? pythonClass(exception.typeName) : exception.typeName, exception.what};
    const auto frame = m_unwinding.raise(
        std::move(exception), [&](std::uint64_t f) { return run.isLive(f); }, dropped);
    for (std::uint64_t f : dropped)
        run.forgetFrame(f);
    const int again = 1;
    if (frame && run.unwindTo(*frame, std::as_bytes(std::span(&again, 1)))) return Action::unwound;
    m_uncaught = std::move(text);
    return Action::stop;
}

/// void kl_throw(object, type, type name, what)
emulator::ExternAction HostCalls::throwIt(Run& run, Call& call) {
    ThrownException exception;
    exception.object = call.parameter<std::uint64_t>(0);
    exception.type = call.parameter<std::uint64_t>(1);
    if (const auto name = call.parameter<std::uint64_t>(2)) exception.typeName = m_marshal.text(name);
    if (const auto what = call.parameter<std::uint64_t>(3)) exception.what = m_marshal.text(what);
    return unwind(run, std::move(exception));
}

emulator::ExternAction HostCalls::rethrow(Run& run, Call&) {
    ThrownException* current = m_unwinding.current();
    if (!current) throw RunStopped{verify::RunEnd::crashed, "terminate called: `throw;` outside of a handler"};
    return unwind(run, *current);
}

/// `types`: where the keys of its type and bases are, up to a null
ThrownException HostCalls::withoutObject(std::uint64_t types, std::string typeName) const {
    ThrownException exception;
    exception.typeName = std::move(typeName);
    while (exception.types.size() < mostTypes) {
        const auto type = m_marshal.read<std::uint64_t>(types + exception.types.size() * sizeof(std::uint64_t));
        if (type == 0) break;
        exception.types.push_back(type);
    }
    if (!exception.types.empty()) exception.type = exception.types.front();
    return exception;
}

/// void kl_check_failed(types, text)
emulator::ExternAction HostCalls::checkFailed(Run& run, Call& call) {
    ThrownException exception = withoutObject(call.parameter<std::uint64_t>(0), "c10::Error");
    exception.what = m_marshal.text(call.parameter<std::uint64_t>(1));
    return unwind(run, std::move(exception));
}

/// As std::ostream prints it.
std::string HostCalls::printed(const kl_value& piece) const {
    switch (piece.kind) {
    case KL_INT: return piece.count == 1 ? std::to_string(std::uint64_t(piece.i)) : std::to_string(piece.i);
    case KL_DOUBLE: return fmt::format("{:g}", piece.d);
    case KL_DTYPE: return scalarTypeName(piece.i);
    default: break;
    }
    const auto address = reinterpret_cast<std::uintptr_t>(piece.p);
    if (piece.kind != KL_STRING || address == 0) return {};
    if (piece.count < 0) return m_marshal.text(address);
    std::string text(std::min(std::size_t(piece.count), longestText), '\0');
    m_marshal.readBytes(address, std::as_writable_bytes(std::span(text)));
    return text;
}

/// void kl_fail(types, type name, pieces, count)
emulator::ExternAction HostCalls::failIt(Run& run, Call& call) {
    ThrownException exception =
        withoutObject(call.parameter<std::uint64_t>(0), m_marshal.text(call.parameter<std::uint64_t>(1)));
    std::string& what = exception.what;
    for (const kl_value& piece : m_marshal.values(call.parameter<std::uint64_t>(2), call.parameter<int>(3))) {
        what += printed(piece);
        if (what.size() >= longestText) break;
    }
    what.resize(std::min({what.size(), what.find('\0'), longestText})); // what() is a C string
    return unwind(run, std::move(exception));
}

/// void kl_cuda_failed(types, status): c10::cuda::c10_cuda_check_implementation, in PyTorch's words
emulator::ExternAction HostCalls::cudaFailed(Run& run, Call& call) {
    callCuda(m_cuda, ApiArguments("cudaGetLastError", {})); // taken back before it is thrown
    ThrownException exception = withoutObject(call.parameter<std::uint64_t>(0), "c10::Error");
    exception.what = fmt::format(
        "CUDA error: {}\nCUDA kernel errors might be asynchronously reported at some other API call, so the stacktrace "
        "below might be incorrect.\nFor debugging consider passing CUDA_LAUNCH_BLOCKING=1\nCompile with "
        "`TORCH_USE_CUDA_DSA` to enable device-side assertions.\n",
        cudaErrorText(call.parameter<int>(1)));
    return unwind(run, std::move(exception));
}

emulator::ExternAction HostCalls::caughtObject(Run&, Call& call) {
    const ThrownException* current = m_unwinding.current();
    call.setResult(current ? current->object : std::uint64_t(0));
    return Action::proceed;
}

emulator::ExternAction HostCalls::caughtType(Run&, Call& call) {
    const ThrownException* current = m_unwinding.current();
    call.setResult(current ? current->type : std::uint64_t(0));
    return Action::proceed;
}

emulator::ExternAction HostCalls::caughtWhat(Run&, Call& call) {
    ThrownException* current = m_unwinding.current();
    if (current && current->whatAddress == 0) current->whatAddress = m_marshal.placeText(current->what);
    call.setResult(current ? current->whatAddress : m_marshal.placeText(""));
    return Action::proceed;
}

/// int kl_caught_is(type)
emulator::ExternAction HostCalls::caughtIs(Run&, Call& call) {
    const ThrownException* current = m_unwinding.current();
    const auto type = call.parameter<std::uint64_t>(0);
    call.setResult(int(current && std::ranges::find(current->types, type) != current->types.end()));
    return Action::proceed;
}

emulator::ExternAction HostCalls::endCatch(Run&, Call&) {
    m_unwinding.endCatch();
    return Action::proceed;
}

/// void* kl_alloc(bytes); malloc gives null where there is no memory left
emulator::ExternAction HostCalls::allocate(Run&, Call& call) {
    const auto bytes = call.parameter<std::uint64_t>(0);
    const auto address = m_marshal.memory().allocate(std::max<std::uint64_t>(bytes, 1), "host heap");
    if (!address && call.name != "malloc")
        throw Raised{"MemoryError", fmt::format("std::bad_alloc: {} bytes of host memory", bytes)};
    call.setResult(address ? *address : std::uint64_t(0));
    return Action::proceed;
}

emulator::ExternAction HostCalls::release(Run&, Call& call) {
    const auto address = call.parameter<std::uint64_t>(0);
    if (address == 0) return Action::proceed;
    if (auto done = m_marshal.memory().release(address); !done)
        throw RunStopped{verify::RunEnd::crashed, "free(): invalid pointer: " + done.error().text()};
    return Action::proceed;
}

/// void kl_print(text, length)
emulator::ExternAction HostCalls::print(Run&, Call& call) {
    constexpr std::int64_t longest = std::int64_t(RunLog::printedLimit);
    const auto length = std::clamp<std::int64_t>(call.parameter<std::int64_t>(1), 0, longest);
    const auto text = m_marshal.readArray<char>(call.parameter<std::uint64_t>(0), std::size_t(length));
    m_cuda.log.print({text.data(), text.size()});
    return Action::proceed;
}

std::string HostCalls::formatted(std::uint64_t formatAddress, std::uint64_t arguments) const {
    return formatPrintf(
        m_marshal.text(formatAddress),
        [&](std::uint64_t offset, std::span<std::byte> out) { m_marshal.readBytes(arguments + offset, out); },
        [&](std::uint64_t address) { return address ? m_marshal.text(address) : std::string("(null)"); });
}

/// int kl_format(out, capacity, format, arguments): as snprintf
emulator::ExternAction HostCalls::format(Run&, Call& call) {
    const auto capacity = call.parameter<std::uint64_t>(1);
    const std::string text = formatted(call.parameter<std::uint64_t>(2), call.parameter<std::uint64_t>(3));
    if (capacity > 0) {
        const std::string kept = text.substr(0, capacity - 1);
        m_marshal.writeBytes(call.parameter<std::uint64_t>(0), std::as_bytes(std::span(kept.c_str(), kept.size() + 1)));
    }
    call.setResult(int(text.size()));
    return Action::proceed;
}

/// int vprintf(format, arguments)
emulator::ExternAction HostCalls::printFormat(Run&, Call& call) {
    const std::string text = formatted(call.parameter<std::uint64_t>(0), call.parameter<std::uint64_t>(1));
    m_cuda.log.print(text);
    call.setResult(int(text.size()));
    return Action::proceed;
}

/// void __assertfail(message, file, line, function, character size)
emulator::ExternAction HostCalls::assertFailed(Run&, Call& call) {
    if (m_cuda.isProgram)
        m_cuda.log.print(fmt::format("{}:{}: {}: Assertion `{}' failed.\n",
                                     m_marshal.text(call.parameter<std::uint64_t>(1)), call.parameter<int>(2),
                                     m_marshal.text(call.parameter<std::uint64_t>(3)),
                                     m_marshal.text(call.parameter<std::uint64_t>(0))));
    throw RunStopped{verify::RunEnd::crashed,
                     fmt::format("host assertion `{}' failed at line {}",
                                 m_marshal.text(call.parameter<std::uint64_t>(0)), call.parameter<int>(2))};
}

/// void* __cudaCDP2GetParameterBufferV2(kernel, grid, block, dynamic shared bytes)
emulator::ExternAction HostCalls::parameterBuffer(Run&, Call& call) {
    const auto name = m_cuda.symbols.kernelAt(call.parameter<std::uint64_t>(0));
    const auto facts = name ? m_cuda.device.kernel(*name) : std::nullopt;
    if (!facts) throw RunStopped{verify::RunEnd::crashed, "host code launches an address that is not a kernel"};
    KernelLaunch prepared;
    prepared.kernel = *name;
    prepared.grid = call.parameter<std::array<std::uint32_t, 3>>(1);
    prepared.block = call.parameter<std::array<std::uint32_t, 3>>(2);
    prepared.dynamicSharedBytes = call.parameter<std::uint32_t>(3);
    prepared.parameters.resize(facts->parameterBytes);
    const std::uint64_t buffer = m_marshal.place(prepared.parameters, "kernel parameters");
    m_prepared[buffer] = std::move(prepared);
    call.setResult(buffer);
    return Action::proceed;
}

/// cudaError_t __cudaCDP2LaunchDeviceV2(buffer, stream)
emulator::ExternAction HostCalls::launch(Run&, Call& call) {
    const auto buffer = call.parameter<std::uint64_t>(0);
    const auto found = m_prepared.find(buffer);
    if (found == m_prepared.end()) throw RunStopped{verify::RunEnd::crashed, "host code launches without parameters"};
    KernelLaunch prepared = std::move(found->second);
    m_prepared.erase(found);
    prepared.stream = call.parameter<std::uint64_t>(1);
    m_marshal.readBytes(buffer, prepared.parameters);
    if (auto freed = m_marshal.memory().release(buffer); !freed)
        throw RunStopped{verify::RunEnd::crashed, freed.error().text()};
    call.setResult(m_cuda.stickyError ? m_cuda.stickyError : launchKernel(m_cuda, prepared));
    return Action::proceed;
}

} // namespace kernelarium::host
