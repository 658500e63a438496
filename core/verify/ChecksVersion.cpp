// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verify/ChecksVersion.h"

namespace kernelarium::verify {

int checksVersion() {
    return 12;
}

} // namespace kernelarium::verify
