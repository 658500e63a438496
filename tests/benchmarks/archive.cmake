find_package(SQLite3 REQUIRED)
add_executable(bench_archive archive.cpp archive_rows.cpp)
target_link_libraries(bench_archive PRIVATE kernelarium_options kernelarium_archive SQLite::SQLite3
    nlohmann_json::nlohmann_json fmt::fmt)
target_compile_definitions(bench_archive PRIVATE KERNELARIUM_SHARED_DIR="${CMAKE_SOURCE_DIR}/../shared")
