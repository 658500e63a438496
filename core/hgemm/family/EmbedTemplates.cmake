# TEMPLATES: folder with mma.cuh, wgmma.cuh, check.cuh and best.csv and compared.csv; OUTPUT: the C++ file to write.
include(${CMAKE_CURRENT_LIST_DIR}/../../../resources/EmbedText.cmake)
set(text "// Generated from resources/hgemm.\n#include \"core/hgemm/family/Templates.h\"\n\nnamespace kernelarium::hgemm {\n\n")
foreach(source mma.cuh:mmaTemplate wgmma.cuh:wgmmaTemplate check.cuh:checkTemplate best.csv:bestTableCsv compared.csv:comparedTableCsv)
    string(REGEX REPLACE ":.*" "" file ${source})
    string(REGEX REPLACE "^.*:" "" name ${source})
    file(READ ${TEMPLATES}/${file} kernel)
    string(REGEX REPLACE "^// SPDX[^\n]*\n" "" kernel "${kernel}") # a kernel file has its own
    text_literal(literal "${kernel}")
    string(APPEND text "std::string_view ${name}() {\n    return ${literal};\n}\n\n")
endforeach()
file(WRITE ${OUTPUT}.tmp "${text}} // namespace kernelarium::hgemm\n")
file(RENAME ${OUTPUT}.tmp ${OUTPUT})
