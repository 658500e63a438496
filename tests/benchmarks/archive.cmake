find_package(SQLite3 REQUIRED)
add_executable(bench_archive archive.cpp archive_rows.cpp archive_import.cpp archive_reading.cpp archive_alternatives.cpp
    ../archive/DuckDbWriter.cpp)
target_link_libraries(bench_archive PRIVATE kernelarium_options kernelarium_archive SQLite::SQLite3
    nlohmann_json::nlohmann_json fmt::fmt)
target_compile_definitions(bench_archive PRIVATE KERNELARIUM_SHARED_DIR="${CMAKE_SOURCE_DIR}/../shared")

# The synthetic archive by itself: make_synthetic_archive OUT.jsonl [ROWS]
add_executable(make_synthetic_archive make_synthetic_archive.cpp archive_rows.cpp)
target_link_libraries(make_synthetic_archive PRIVATE kernelarium_options nlohmann_json::nlohmann_json fmt::fmt)
target_compile_definitions(make_synthetic_archive PRIVATE KERNELARIUM_SHARED_DIR="${CMAKE_SOURCE_DIR}/../shared")
