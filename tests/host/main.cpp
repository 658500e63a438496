// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/host/Suites.h"

int main(int argc, char** argv) {
    using namespace kernelarium::test;
    return runTensorViews(argc, argv) + runAtenCalls(argc, argv) + runPython(argc, argv) + runCudaCalls(argc, argv) +
           runEmulatorBackend(argc, argv);
}
