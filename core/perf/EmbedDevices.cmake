# Writes OUTPUT, a C++ source that holds every device file under DEVICES as text.
file(GLOB files RELATIVE ${DEVICES} ${DEVICES}/*.json)
list(SORT files COMPARE NATURAL)
set(rows "")
set(count 0)
foreach(name ${files})
    file(READ ${DEVICES}/${name} text)
    string(APPEND rows "    std::string_view(R\"device(${text})device\"),\n")
    math(EXPR count "${count} + 1")
endforeach()
file(WRITE ${OUTPUT}.new "// Generated from resources/devices.
#include \"core/perf/BuiltInDevices.h\"
#include <array>
namespace kernelarium::perf {
namespace {
constexpr std::array<std::string_view, ${count}> devices{
${rows}};
} // namespace
std::span<const std::string_view> builtInDevices() { return devices; }
} // namespace kernelarium::perf
")
file(RENAME ${OUTPUT}.new ${OUTPUT})
