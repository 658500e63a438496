// SPDX-License-Identifier: GPL-3.0-or-later
//
// What nvcc provides to every file: the CUDA runtime and the C mathematics.
#pragma once
#include "kernelarium/cuda_api.h"
#include "kernelarium/prelude.h"
#include "kernelarium/std_exception.h"
#include "kernelarium/std_math.h"
#include "kernelarium/std_stdio.h"
#ifdef KL_REFUSED_NAMES // where a source did not compile without them (gpu/compile/RefusedNames.h)
#include "kernelarium/std_rare.h"
#endif
