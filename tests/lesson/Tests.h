// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace kernelarium::lesson {

int testLessonParser(int argc, char** argv);
int testEvaluation(int argc, char** argv);
int testProgress(int argc, char** argv);

} // namespace kernelarium::lesson
