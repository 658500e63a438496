// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/files/ScratchFolder.h"
#include "gpu/compile/NvJitLink.h"
#include "gpu/process/ToolRun.h"

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace kernelarium::compile {

/// PTX to cubin by the toolkit's ptxas, a program of its own, as one whole program. nvJitLink knows relocatable code
/// only, which nvcc does not make unless asked to: addresses of shared variables are unknown there until the link, and
/// the registers and the speed of a kernel are others than in the extension that PyTorch builds.
class Ptxas {
public:
    /// `program`: its path; empty where there is none.
    Ptxas(std::string program, std::vector<std::string> options);

    /// Starts it ahead of the text, between two texts or while NVRTC still works on this one: it reads its own tables,
    /// which takes half of what it takes for a short kernel, and waits. One text at most is then assembled by it. Where
    /// it cannot be started, waits in vain or is ended while it waits, nothing is lost.
    void startAhead();
    [[nodiscard]] bool isAhead() const { return m_ahead.has_value(); } ///< started, and has no text yet
    [[nodiscard]] const std::vector<std::string>& options() const { return m_options; }

    /// Empty where the PTX needs what another object gives (kernels that launch kernels), or where this ptxas does not
    /// know the PTX's version or architecture: nvJitLink is then to be asked.
    std::optional<NvJitLink::Output> assemble(const std::string& ptx, std::stop_token stop);

private:
    /// One that has been started before its text: where it opens that there is a pipe with a name.
    struct Ahead {
        files::ScratchFolder scratch;
        process::Channel channel;
    };
    std::optional<Result<process::ToolEnd>> endAhead(Ahead& ahead, const std::string& ptx,
                                                     const std::stop_token& stop) const;

    std::string m_program;
    std::vector<std::string> m_options;
    std::optional<Ahead> m_ahead;
};

} // namespace kernelarium::compile
