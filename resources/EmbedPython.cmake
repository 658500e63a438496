# PYTHON: folder of *.py; OUT: the C++ file to write.
file(WRITE ${OUT}.tmp "// Generated from resources/python.\n#include \"resources/PythonFiles.h\"\n\n"
    "namespace kernelarium::resources {\nnamespace {\nconstexpr PythonFile files[] = {\n")
file(GLOB parts ${PYTHON}/*.py)
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
    file(APPEND ${OUT}.tmp "    {\"${name}\",\n${literal}},\n")
endforeach()
file(APPEND ${OUT}.tmp "};\n} // namespace\n\nstd::span<const PythonFile> pythonFiles() { return files; }\n\n"
    "} // namespace kernelarium::resources\n")
file(RENAME ${OUT}.tmp ${OUT})
