# CEILINGS: folder with *.cuh and Arguments.h; OUT: the C++ file to write.
include(${CMAKE_CURRENT_LIST_DIR}/EmbedText.cmake)
file(GLOB parts ${CEILINGS}/*.cuh ${CEILINGS}/Arguments.h)
append_files(rows ${parts})
write_rows(${OUT} ceilings CeilingSources.h CeilingSource ceilingSources "${rows}")
