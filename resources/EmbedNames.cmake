# NAMES: folder with *.txt; OUT: the C++ file to write.
include(${CMAKE_CURRENT_LIST_DIR}/EmbedText.cmake)
file(GLOB parts ${NAMES}/*.txt)
append_files(rows ${parts})
write_rows(${OUT} names KnownNames.h KnownNames knownNames "${rows}")
