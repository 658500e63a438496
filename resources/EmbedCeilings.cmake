# CEILINGS: folder with *.cuh and Arguments.h; OUT: the C++ file to write.
file(GLOB parts ${CEILINGS}/*.cuh ${CEILINGS}/Arguments.h)
set(rows "")
foreach(part ${parts})
    get_filename_component(name ${part} NAME)
    file(READ ${part} text)
    string(LENGTH "${text}" length)
    set(literal "")
    set(at 0)
    while(at LESS length) # a string literal may hold 64 KiB by the standard
        string(SUBSTRING "${text}" ${at} 12000 piece)
        string(APPEND literal "\nR\"kl~~(${piece})kl~~\"")
        math(EXPR at "${at} + 12000")
    endwhile()
    string(APPEND rows "    {\"${name}\",${literal}},\n")
endforeach()
file(WRITE ${OUT}.tmp "// Generated from resources/ceilings.\n#include \"resources/CeilingSources.h\"\n\n"
    "namespace kernelarium::resources {\nnamespace {\nconstexpr CeilingSource ceilings[] = {\n${rows}};\n} // namespace\n\n"
    "std::span<const CeilingSource> ceilingSources() { return ceilings; }\n\n} // namespace kernelarium::resources\n")
file(RENAME ${OUT}.tmp ${OUT})
