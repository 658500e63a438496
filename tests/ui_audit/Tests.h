// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace kernelarium::ui {

int testAuditModel(int argc, char** argv);
int testAuditPage(int argc, char** argv);

} // namespace kernelarium::ui
