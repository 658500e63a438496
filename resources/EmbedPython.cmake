# PYTHON: folder of *.py; OUT: the C++ file to write.
include(${CMAKE_CURRENT_LIST_DIR}/EmbedText.cmake)
file(GLOB parts ${PYTHON}/*.py)
append_files(rows ${parts})
write_rows(${OUT} python PythonFiles.h PythonFile pythonFiles "${rows}")
