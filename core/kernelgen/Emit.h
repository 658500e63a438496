// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernelgen/FusedEmitter.h"
#include "core/kernelgen/naive/NaiveEmitter.h"

/// Kernel files from task cards: text in the archive's form, meant to be read and edited. One file serves every size:
/// extents are read from the tensors that forward is given, edges are masked.
namespace kernelarium::kernelgen {}
