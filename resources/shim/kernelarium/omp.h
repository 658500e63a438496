// SPDX-License-Identifier: GPL-3.0-or-later
//
// <omp.h>: host code has one thread.
#pragma once
#include "kernelarium/libc_time.h"

inline int omp_get_thread_num() {
    return 0;
}
inline int omp_get_num_threads() {
    return 1;
}
inline int omp_get_max_threads() {
    return 1;
}
inline int omp_get_num_procs() {
    return 1;
}
inline void omp_set_num_threads(int) {}
inline double omp_get_wtime() {
    return double(kl::nanoseconds()) * 1e-9;
}
