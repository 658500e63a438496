add_executable(benchmark_emulator ${CMAKE_CURRENT_LIST_DIR}/emulator_throughput.cpp)
target_compile_options(benchmark_emulator PRIVATE $<$<CONFIG:Release>:-O3>)
target_link_libraries(benchmark_emulator PRIVATE kernelarium_compile kernelarium_emulator fmt::fmt)
