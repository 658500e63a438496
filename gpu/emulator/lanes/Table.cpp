// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/lanes/Lanes.h"

namespace kernelarium::emulator::KL_ISA {

const LaneTable& table() {
    static constexpr LaneTable instance{KL_ISA_NAME,     arithmeticHandler, bitsHandler,         compareHandler,
                                        floatingHandler, halfHandler,       convertHandler,      moveHandler,
                                        loadHandler,     storeHandler,      atomicHandler,       warpHandler,
                                        matrixHandler,   warpgroupHandler,  matrixMemoryHandler, performCopy};
    return instance;
}

} // namespace kernelarium::emulator::KL_ISA
