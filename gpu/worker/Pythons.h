// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/process/ConfinedProcess.h"

#include <stop_token>
#include <string>
#include <vector>

namespace kernelarium::worker {

/// A Python of this machine, as it was found.
struct Python {
    std::string path;
    std::string version; ///< "3.11.2"; empty where it does not run
    std::string torch;   ///< "2.9.0"; empty where it has none that can be imported
    std::string problem; ///< why it cannot export cards; empty where it can
    [[nodiscard]] bool isUsable() const { return problem.empty(); }
};

/// Asks a Python (a path, or a name on PATH) for its version and PyTorch's, within a time limit.
[[nodiscard]] Python probePython(const std::string& path, const std::stop_token& stop = {});

/// Paths that are worth asking, without the same file twice: $KERNELARIUM_PYTHON, an activated environment's
/// ($VIRTUAL_ENV, $CONDA_PREFIX), python3 on PATH, /usr/bin/python3.
[[nodiscard]] std::vector<std::string> pythonCandidates();

/// The Python chosen (a path, or a name on PATH), and no other; where none is chosen, the first candidate that can
/// export cards: PyTorch 1.13 or newer. Error "missing_component" says what each one lacks; "cancelled".
Result<Python> findPython(const std::string& chosen, const std::stop_token& stop = {});

/// The environment of a Python that is to do nothing but work in `scratch`: nothing of ours but what finds its
/// libraries.
[[nodiscard]] std::vector<std::string> pythonEnvironment(const files::ScratchFolder& scratch);

} // namespace kernelarium::worker
