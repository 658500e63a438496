add_executable(bench_similar similar.cpp archive_rows.cpp)
target_link_libraries(bench_similar PRIVATE kernelarium_options kernelarium_similar kernelarium_archive
    nlohmann_json::nlohmann_json fmt::fmt)
target_compile_definitions(bench_similar PRIVATE KERNELARIUM_SHARED_DIR="${CMAKE_SOURCE_DIR}/../shared")
