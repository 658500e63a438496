// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/host/backend/Raised.h"

#include <string>

namespace kernelarium::test {

/// "IndexError: ..." that the call raises, "stopped: ..." where it stops the run, empty where it returns.
template <class F> std::string raisedBy(F&& call) {
    try {
        call();
    } catch (const host::Raised& raised) {
        return raised.type + ": " + raised.text;
    } catch (const host::RunStopped& stopped) {
        return "stopped: " + stopped.reason;
    }
    return {};
}

} // namespace kernelarium::test
