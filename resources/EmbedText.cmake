# text_literal(VARIABLE TEXT): the text as a C++ literal.
function(text_literal variable text)
    # A string literal may hold 64 KiB by the standard; pieces keep within it. Quoted, so that semicolons and brackets
    # survive CMake's lists.
    string(LENGTH "${text}" length)
    set(literal "")
    set(at 0)
    while(at LESS length)
        string(SUBSTRING "${text}" ${at} 12000 piece)
        string(APPEND literal "\nR\"kl~~(${piece})kl~~\"")
        math(EXPR at "${at} + 12000")
    endwhile()
    set(${variable} "${literal}" PARENT_SCOPE)
endfunction()

# append_text(VARIABLE NAME TEXT): adds a row {"NAME", R"(TEXT)"}, to a C++ array that VARIABLE holds.
function(append_text variable name text)
    text_literal(literal "${text}")
    set(${variable} "${${variable}}    {\"${name}\",${literal}},\n" PARENT_SCOPE)
endfunction()

# append_files(VARIABLE FILE...): a row for each, under its name without the folder.
function(append_files variable)
    foreach(file ${ARGN})
        get_filename_component(name ${file} NAME)
        file(READ ${file} text)
        append_text(${variable} ${name} "${text}")
    endforeach()
    set(${variable} "${${variable}}" PARENT_SCOPE)
endfunction()

# write_rows(FILE FOLDER HEADER TYPE FUNCTION ROWS): the C++ file of `std::span<const TYPE> FUNCTION()`.
function(write_rows file folder header type function rows)
    file(WRITE ${file}.tmp "// Generated from resources/${folder}.\n#include \"resources/${header}\"\n\n"
        "namespace kernelarium::resources {\nnamespace {\nconstexpr ${type} rows[] = {\n${rows}};\n} // namespace\n\n"
        "std::span<const ${type}> ${function}() { return rows; }\n\n} // namespace kernelarium::resources\n")
    file(RENAME ${file}.tmp ${file})
endfunction()
