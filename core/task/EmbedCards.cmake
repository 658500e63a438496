# Writes OUTPUT, a C++ source that holds every card file under CARDS as text.
file(GLOB files RELATIVE ${CARDS} ${CARDS}/level_*/*.json)
list(SORT files COMPARE NATURAL)
set(texts "")
set(rows "")
set(count 0)
foreach(name ${files})
    string(REGEX MATCH "^level_([0-9]+)/0*([1-9][0-9]*)_" matched ${name})
    if(NOT matched)
        message(FATAL_ERROR "${name} is not named level_<level>/<task>_<name>.json")
    endif()
    set(level ${CMAKE_MATCH_1})
    set(task ${CMAKE_MATCH_2})
    file(READ ${CARDS}/${name} text)
    string(APPEND texts "constexpr char text${count}[] = R\"card(${text})card\";\n")
    string(APPEND rows "    {${level}, ${task}, {text${count}, sizeof(text${count}) - 1}},\n")
    math(EXPR count "${count} + 1")
endforeach()
file(WRITE ${OUTPUT}.new "// Generated from archive_data/tasks.
#include \"core/task/BuiltInCards.h\"
#include <array>
namespace kernelarium::task {
namespace {
${texts}
constexpr std::array<BuiltInCard, ${count}> cards{{
${rows}}};
} // namespace
std::span<const BuiltInCard> builtInCardTable() { return cards; }
} // namespace kernelarium::task
")
file(RENAME ${OUTPUT}.new ${OUTPUT})
