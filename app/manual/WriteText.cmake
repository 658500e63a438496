# Writes what PROGRAM prints when it is called with WORDS to OUT. The home folder, which defaults lie in, is written ~.
unset(ENV{XDG_DATA_HOME})
unset(ENV{KERNELARIUM_DB})
set(ENV{HOME} "~")
execute_process(COMMAND ${PROGRAM} ${WORDS} OUTPUT_VARIABLE text RESULT_VARIABLE status)
if(NOT status EQUAL 0 OR text STREQUAL "")
    message(FATAL_ERROR "${PROGRAM} ${WORDS}: exit status ${status}")
endif()
file(WRITE ${OUT} "${text}")
