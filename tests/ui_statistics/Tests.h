// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace kernelarium::ui {

int testFigures(int argc, char** argv);
int testStatisticsPage(int argc, char** argv);
int testHgemmPage(int argc, char** argv);

} // namespace kernelarium::ui
