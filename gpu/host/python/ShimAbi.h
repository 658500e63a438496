// SPDX-License-Identifier: GPL-3.0-or-later
//
// The shim's own header as this side of the border sees it: its constants and the layout of kl_value.
#pragma once

#ifndef __device__
#define __device__
#include "resources/shim/kernelarium/abi.h"
#undef __device__
#else
#include "resources/shim/kernelarium/abi.h"
#endif

static_assert(sizeof(kl_value) == 16, "kl_value crosses the border as 16 bytes");
