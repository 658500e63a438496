// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>

namespace kernelarium::resources {

/// A file of resources/python: its name and its text.
struct PythonFile {
    const char* name;
    const char* text;
};

/// What exports a task card from PyTorch code, embedded at build time; export_card.py is run with the others beside it.
std::span<const PythonFile> pythonFiles();

} // namespace kernelarium::resources
