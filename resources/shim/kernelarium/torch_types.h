// SPDX-License-Identifier: GPL-3.0-or-later
//
// <ATen/ATen.h>: at:: with its operators, indexing and dispatch macros.
#pragma once
#include "kernelarium/aten_context.h"
#include "kernelarium/aten_dispatch.h"
#include "kernelarium/aten_indexing.h"
#include "kernelarium/std_all.h"
#ifdef KL_REFUSED_NAMES // where a source did not compile without them (gpu/compile/RefusedNames.h)
#include "kernelarium/aten_refused.h"
#endif
