# Writes OUTPUT, a C++ source that holds every file of every lesson under LESSONS as text, and as files of none GLOSSARY and
# the recorded times, if there are any.
file(GLOB files RELATIVE ${LESSONS} ${LESSONS}/*/lesson.md ${LESSONS}/*/*.cu)
list(SORT files COMPARE NATURAL)
set(texts "")
set(rows "")
set(count 1)
file(READ ${GLOSSARY} text)
string(APPEND texts "constexpr char text0[] = R\"lesson(${text})lesson\";\n")
string(APPEND rows "    {\"\", \"glossary.md\", {text0, sizeof(text0) - 1}},\n")
if(EXISTS ${LESSONS}/times.json)
    list(APPEND files times.json)
endif()
foreach(name ${files})
    get_filename_component(lesson ${name} DIRECTORY)
    get_filename_component(file ${name} NAME)
    file(READ ${LESSONS}/${name} text)
    string(APPEND texts "constexpr char text${count}[] = R\"lesson(${text})lesson\";\n")
    string(APPEND rows "    {\"${lesson}\", \"${file}\", {text${count}, sizeof(text${count}) - 1}},\n")
    math(EXPR count "${count} + 1")
endforeach()
file(WRITE ${OUTPUT}.new "// Generated from resources/lessons.
#include \"core/lesson/BuiltInFiles.h\"
#include <array>
namespace kernelarium::lesson {
namespace {
${texts}
constexpr std::array<BuiltInFile, ${count}> files{{
${rows}}};
} // namespace
std::span<const BuiltInFile> builtInFiles() { return files; }
} // namespace kernelarium::lesson
")
file(RENAME ${OUTPUT}.new ${OUTPUT})
