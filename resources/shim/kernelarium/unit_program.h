// SPDX-License-Identifier: GPL-3.0-or-later
//
// What nvcc's own headers bring into a program: unit_plain.h, and the C library.
#pragma once
#include "kernelarium/cuda_more.h"
#include "kernelarium/cuda_refused.h"
#include "kernelarium/libc.h"
#include "kernelarium/unit_plain.h"
