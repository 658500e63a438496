// SPDX-License-Identifier: GPL-3.0-or-later
//
// A program: its main is called in the stead of a module's forward, and its end is a call of exit.
#include "gpu/host/run/HostSession.h"

#include <fmt/format.h>

namespace kernelarium::host {

namespace {

constexpr const char* programEntry = "kl_program_entry"; // compile::programEntry; this room does not depend on that one

} // namespace

std::uint64_t HostSession::placeProgramArguments(const std::vector<std::string>& values) {
    std::vector<std::uint64_t> addresses;
    for (const std::string& value : values)
        addresses.push_back(m_marshal.placeText(value));
    addresses.push_back(0); // argv[argc]
    return m_marshal.place(std::as_bytes(std::span(addresses)), "argv");
}

/// What becomes of a program whose device ran into trouble; what its checks found stands in the log besides.
void HostSession::checkProgramAfterwards() const {
    const int error = m_cuda.stickyError != cudaSuccess ? m_cuda.stickyError : m_cuda.resetError;
    const bool expected = error == cudaErrorAssert && m_cuda.stickySeen;
    // It is what the program is about, then, and nothing that was found.
    constexpr std::string_view assertion = "device-side assert";
    if (expected)
        std::erase_if(m_log.faults, [&](const verify::Fault& f) {
            return f.kind == "trap" && f.message.find(assertion) != std::string::npos;
        });
    if (expected)
        m_log.remark("a device-side assertion failed, as the program was told: " + m_cuda.lostReason);
    else if (error != cudaSuccess)
        throw RunStopped{verify::RunEnd::crashed,
                         fmt::format("CUDA error: {} ({})", cudaErrorText(error), m_cuda.lostReason)};
    if (!m_cuda.firstRefusal.empty()) throw RunStopped{verify::RunEnd::launch_refused, m_cuda.firstRefusal};
}

void HostSession::runProgram(const verify::RunRequest& request, verify::RunResult& result, const Moments& moments) {
    const auto entry = m_program.functionByName(programEntry);
    if (!entry) throw RunStopped{verify::RunEnd::import_error, "the file defines no main that could be called"};
    const std::vector<std::string> values =
        request.programArguments.empty() ? std::vector<std::string>{"./program"} : request.programArguments;
    m_cuda.isProgram = true;
    try {
        makeStatics();
        if (moments.beforeForward) moments.beforeForward();
        interpret(*entry, {values.size(), placeProgramArguments(values)});
    } catch (const RunStopped& stopped) {
        if (!m_cuda.exitCode) throw;
    } catch (const Raised& raised) {
        throw RunStopped{verify::RunEnd::host_exception,
                         "terminate called after throwing an exception; what(): " + raised.text};
    }
    result.exitCode = m_cuda.exitCode;
    m_cuda.copies.settleAll();
    m_device.settle();
    (void)m_device.synchronize(); // what a kernel still prints, or fails at
    result.host = hostWork(0, {});
    if (moments.forwardReturned) moments.forwardReturned();
    checkProgramAfterwards();
    if (moments.afterForward) moments.afterForward(result);
}

} // namespace kernelarium::host
