add_executable(benchmark_compile_latency ${CMAKE_CURRENT_LIST_DIR}/compile_latency.cpp)
target_link_libraries(benchmark_compile_latency PRIVATE kernelarium_service nlohmann_json::nlohmann_json fmt::fmt)
target_compile_definitions(benchmark_compile_latency PRIVATE KERNELARIUM_SOURCE_DIR="${CMAKE_SOURCE_DIR}"
    KERNELARIUM_SHARED_DIR="${CMAKE_SOURCE_DIR}/../shared" KERNELARIUM_BIN_DIR="${CMAKE_RUNTIME_OUTPUT_DIRECTORY}")
add_dependencies(benchmark_compile_latency kernelarium-cli)
