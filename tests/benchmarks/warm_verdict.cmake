add_executable(benchmark_warm_verdict ${CMAKE_CURRENT_LIST_DIR}/warm_verdict.cpp)
target_link_libraries(benchmark_warm_verdict PRIVATE kernelarium_worker fmt::fmt)
