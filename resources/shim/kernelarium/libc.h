// SPDX-License-Identifier: GPL-3.0-or-later
//
// <stdlib.h>, <time.h>, <string.h> and the parts of POSIX that programs use.
#pragma once
#include "kernelarium/libc_files.h"
#include "kernelarium/libc_numbers.h"
#include "kernelarium/libc_process.h"
#include "kernelarium/libc_strings.h"
#include "kernelarium/libc_time.h"
