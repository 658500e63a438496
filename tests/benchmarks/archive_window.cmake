if(TARGET kernelarium_ui)
    add_executable(bench_archive_window archive_window.cpp archive_rows.cpp)
    target_link_libraries(bench_archive_window PRIVATE kernelarium_ui nlohmann_json::nlohmann_json fmt::fmt)
    target_compile_definitions(bench_archive_window PRIVATE KERNELARIUM_SHARED_DIR="${CMAKE_SOURCE_DIR}/../shared"
        KERNELARIUM_BIN_DIR="${CMAKE_RUNTIME_OUTPUT_DIRECTORY}")
    add_dependencies(bench_archive_window kernelarium-cli)
endif()
