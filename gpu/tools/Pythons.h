// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/protocol/ToolMessages.h"

#include <stop_token>
#include <string>
#include <vector>

namespace kernelarium::tools {

/// Asks a Python (a path, or a name on PATH) for its version and PyTorch's, within a time limit and as confined as it
/// is for an export.
[[nodiscard]] protocol::Python probePython(const std::string& path, const std::stop_token& stop = {});

/// Paths that are worth asking, without the same file twice: $KERNELARIUM_PYTHON, an activated environment's
/// ($VIRTUAL_ENV, $CONDA_PREFIX), python3 on PATH, /usr/bin/python3.
[[nodiscard]] std::vector<std::string> pythonCandidates();

/// The Python chosen (a path, or a name on PATH), and no other; where none is chosen, the first candidate that can
/// export cards: PyTorch 1.13 or newer. Error "missing_component" says what each one lacks; "cancelled".
Result<protocol::Python> findPython(const std::string& chosen, const std::stop_token& stop = {});

} // namespace kernelarium::tools
