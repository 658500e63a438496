// SPDX-License-Identifier: GPL-3.0-or-later
//
// The standard headers that <torch/extension.h> brings with it.
#pragma once
#include "kernelarium/std_algorithm.h"
#include "kernelarium/std_atomic.h"
#include "kernelarium/std_chrono.h"
#include "kernelarium/std_exception.h"
#include "kernelarium/std_function.h"
#include "kernelarium/std_map.h"
#include "kernelarium/std_math.h"
#include "kernelarium/std_mutex.h"
#include "kernelarium/std_optional.h"
#include "kernelarium/std_stream.h"
#include "kernelarium/std_tuple.h"
#include "kernelarium/std_vector.h"
