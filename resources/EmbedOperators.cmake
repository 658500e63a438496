# OPERATORS: folder with *.cuh and Arguments.h; OUT: the C++ file to write.
include(${CMAKE_CURRENT_LIST_DIR}/EmbedText.cmake)
file(GLOB parts ${OPERATORS}/*.cuh ${OPERATORS}/Arguments.h)
append_files(rows ${parts})
write_rows(${OUT} operators OperatorSources.h OperatorSource operatorSources "${rows}")
