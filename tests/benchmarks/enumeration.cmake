add_executable(benchmark_enumeration ${CMAKE_CURRENT_LIST_DIR}/enumeration.cpp)
target_link_libraries(benchmark_enumeration PRIVATE kernelarium_mugraph kernelarium_task nlohmann_json::nlohmann_json fmt::fmt)
