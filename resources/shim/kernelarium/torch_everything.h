// SPDX-License-Identifier: GPL-3.0-or-later
//
// What stands behind any header of PyTorch that headers.txt does not name (gpu/compile/AbsentHeaders.h).
#pragma once
#include "kernelarium/aten_accessor.h"
#include "kernelarium/c10_half.h"
#include "kernelarium/c10_irange.h"
#include "kernelarium/cuda_allocator.h"
#include "kernelarium/cuda_atomic.h"
#include "kernelarium/cuda_check.h"
#include "kernelarium/cuda_context.h"
#include "kernelarium/cuda_event.h"
#include "kernelarium/cuda_guard.h"
#include "kernelarium/cuda_stream.h"
#include "kernelarium/torch_all.h"
#include "kernelarium/torch_library.h"
