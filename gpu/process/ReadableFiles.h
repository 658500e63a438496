// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace kernelarium::process {

/// Files and folders of the system that any program may need and that hold nothing of a user: programs and libraries,
/// what the loader, locales and the C library read, what tells the machine's processors and memory. Those that a
/// machine lacks are among them.
[[nodiscard]] const std::vector<std::string>& systemFiles();

/// Where a program's own files lie: beside it, and in the folders beside its bin folder that an installation has (lib,
/// share, ...); the same for each link on the way to it. `program` is a path.
[[nodiscard]] std::vector<std::string> filesOfProgram(const std::string& program);

/// The folders that an installation at `prefix` has: bin, lib, share, ...
[[nodiscard]] std::vector<std::string> filesOfInstallation(const std::string& prefix);

/// Whether a path is too much to let a program read: no absolute path, or the user's home or a folder above it.
[[nodiscard]] bool holdsHome(const std::string& path);

} // namespace kernelarium::process
