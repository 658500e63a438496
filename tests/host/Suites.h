// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace kernelarium::test {

// Each runs one Qt Test class and gives its number of failures.
int runTensorViews(int argc, char** argv);
int runAtenCalls(int argc, char** argv);
int runPython(int argc, char** argv);
int runCudaCalls(int argc, char** argv);
int runEmulatorBackend(int argc, char** argv);

} // namespace kernelarium::test
