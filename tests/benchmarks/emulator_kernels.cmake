add_executable(benchmark_kernels ${CMAKE_CURRENT_LIST_DIR}/emulator_kernels.cpp)
target_link_libraries(benchmark_kernels PRIVATE kernelarium_compile kernelarium_host kernelarium_task kernelarium_verify
    kernelarium_perf fmt::fmt)
