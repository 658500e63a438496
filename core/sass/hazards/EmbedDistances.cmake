# TABLE: distances.csv; OUTPUT: the C++ file to write.
include(${CMAKE_CURRENT_LIST_DIR}/../../../resources/EmbedText.cmake)
file(READ ${TABLE} rows)
text_literal(literal "${rows}")
file(WRITE ${OUTPUT}.tmp "// Generated from resources/schedule/distances.csv.\n#include \"core/sass/hazards/DistancesText.h\"\n\n"
    "namespace kernelarium::sass {\n\nstd::string_view distancesText() {\n    return ${literal};\n}\n\n"
    "} // namespace kernelarium::sass\n")
file(RENAME ${OUTPUT}.tmp ${OUTPUT})
