// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <iostream>
#include <stdexcept>

#define CHECK(call) checkCall(call, #call, __LINE__)

inline void checkCall(cudaError_t error, const char* call, int line) {
    try {
        if (error != cudaSuccess) throw std::runtime_error(cudaGetErrorString(error));
    } catch (const std::exception& e) {
        std::cerr << call << " in line " << line << ": " << e.what() << std::endl;
        exit(EXIT_FAILURE);
    }
}
