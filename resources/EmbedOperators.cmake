# OPERATORS: folder with *.cuh and Arguments.h; OUT: the C++ file to write.
file(GLOB parts ${OPERATORS}/*.cuh ${OPERATORS}/Arguments.h)
set(rows "")
foreach(part ${parts})
    get_filename_component(name ${part} NAME)
    file(READ ${part} text)
    # A string literal may hold 64 KiB by the standard; pieces keep within it.
    string(LENGTH "${text}" length)
    set(literal "")
    set(at 0)
    while(at LESS length)
        string(SUBSTRING "${text}" ${at} 12000 piece)
        string(APPEND literal "\nR\"kl~~(${piece})kl~~\"")
        math(EXPR at "${at} + 12000")
    endwhile()
    string(APPEND rows "    {\"${name}\",${literal}},\n")
endforeach()
file(WRITE ${OUT}.tmp "// Generated from resources/operators.\n#include \"resources/OperatorSources.h\"\n\n"
    "namespace kernelarium::resources {\nnamespace {\nconstexpr OperatorSource sources[] = {\n${rows}};\n} // namespace\n\n"
    "std::span<const OperatorSource> operatorSources() { return sources; }\n\n} // namespace kernelarium::resources\n")
file(RENAME ${OUT}.tmp ${OUT})
