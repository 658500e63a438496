add_executable(benchmark_convolution ${CMAKE_CURRENT_LIST_DIR}/convolution.cpp)
target_link_libraries(benchmark_convolution PRIVATE kernelarium_task fmt::fmt)
