// SPDX-License-Identifier: GPL-3.0-or-later
//
// What little host code uses of the standard library: seen by sources that did not compile without it.
#pragma once
#include "kernelarium/std_algorithm_rare.h"
#include "kernelarium/std_all.h"
#include "kernelarium/std_any.h"
#include "kernelarium/std_charconv.h"
#include "kernelarium/std_complex.h"
#include "kernelarium/std_containers.h"
#include "kernelarium/std_random.h"
#include "kernelarium/std_span.h"
#include "kernelarium/std_thread.h"
#include "kernelarium/std_thread_rare.h"
#include "kernelarium/std_traits_rare.h"
#include "kernelarium/std_variant.h"
