// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernelgen/graphs/Functions.h"

#include "core/kernelgen/naive/DefinitionKernel.h"

#include <cctype>

#include <fmt/format.h>

namespace kernelarium::kernelgen::graphs {

const char* const copyText =
    R"cu(/// 16 bytes of elements, of which `count` exist; zeros stand for the others. `whole`: they begin on a border of 16
/// bytes; then they are on their way until waitForCopies.
template <class T> __device__ void copyChunk(T* to, const T* from, Index count, bool whole) {
    constexpr int each = 16 / sizeof(T);
    if (whole && count >= each) {
        const unsigned place = unsigned(__cvta_generic_to_shared(to));
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(place), "l"(from) : "memory");
        return;
    }
#pragma unroll
    for (int v = 0; v < each; ++v)
        to[v] = v < count ? from[v] : T(0);
}

__device__ void endOfStage() {
    asm volatile("cp.async.commit_group;" ::: "memory");
}

/// Until no more than `most` stages are on their way.
template <int most> __device__ void waitForCopies() {
    asm volatile("cp.async.wait_group %0;" ::"n"(most) : "memory");
}

)cu";

std::string valueText(tensor::DType dtype) {
    if (dtype == tensor::DType::BFloat16)
        return "__device__ float valueOf(unsigned short bits) {\n"
               "    return __uint_as_float(unsigned(bits) << 16);\n"
               "}\n\n";
    return "__device__ float valueOf(unsigned short bits) {\n"
           "    float value;\n"
           "    asm(\"cvt.f32.f16 %0, %1;\" : \"=f\"(value) : \"h\"(bits));\n"
           "    return value;\n"
           "}\n\n";
}

std::string withVerb(const std::string& verb, const std::string& name) {
    std::string text = name;
    text[0] = char(std::toupper(static_cast<unsigned char>(text[0])));
    return verb + text;
}

std::string parameterList(const std::vector<Code::Parameter>& parameters) {
    std::string text;
    for (const Code::Parameter& p : parameters)
        text += p.declaration + ", ";
    return text + "const Sizes& size, const Place& at";
}

std::string argumentList(const std::vector<Code::Parameter>& parameters) {
    std::string text;
    for (const Code::Parameter& p : parameters)
        text += p.argument + ", ";
    return text + "size, at";
}

bool isCopied(const Code& code, std::size_t input) {
    const Subject& s = code.subject();
    const mugraph::Problem::Tensor& t = s.problem.inputs[input];
    const std::vector<int> axes = s.axesOf(input);
    const std::int64_t each = 16 / std::int64_t(tensor::byteSize(t.dtype));
    return !axes.empty() && s.sizes.tile[std::size_t(axes.back())] % each == 0;
}

namespace {

/// "for (int e = threadIdx.x; e < tileM * tileN; e += threads) {" and the indices.
std::string eachElement(const Code& code, const std::vector<int>& axes) {
    return fmt::format("for (int e = threadIdx.x; e < {}; e += threads) {{\n{}", code.elements(axes),
                       code.declared(axes, "e", ""));
}

BlockFunction load(const Code& code, const Action& action, bool isSecond) {
    const Subject& s = code.subject();
    const std::size_t k = action.made;
    const mugraph::Problem::Tensor& t = s.problem.inputs[k];
    const std::vector<int> axes = s.axesOf(k);
    const std::vector<std::string> indices = code.indices();
    const std::string type = code.tileType(k), own = code.inputType(k);
    BlockFunction f{withVerb("load", code.name(k)), {}, {}};
    f.text = fmt::format("/// The tile of {}, and zeros beyond its end.\n", t.name);
    f.text += fmt::format("__device__ void {}({}* to, const {}* from, const Sizes& size, const Place& at) {{\n", f.name,
                          type, own);
    std::string from = "from";
    if (type != own) {
        f.text += fmt::format("const {0}* const bits = reinterpret_cast<const {0}*>(from);\n", type);
        from = "bits";
    }
    const std::string place = code.tileIndex(k, indices), element = code.deviceIndex(t, indices);
    if (!isCopied(code, k)) {
        f.text += eachElement(code, axes) + fmt::format("const bool inside = {};\n", code.isInside(axes, indices)) +
                  fmt::format("const Index element = {};\nto[{}] = inside ? {}[element] : {};\n}}\n}}\n\n", element,
                              place, from, type == "float" ? "0.0f" : "0");
    } else {
        const auto last = std::size_t(axes.back());
        const Axis& along = s.axes[last];
        const std::vector<int> others(axes.begin(), axes.end() - 1);
        f.text += fmt::format("constexpr int each = {}; // in 16 bytes\n", 16 / tensor::byteSize(t.dtype));
        f.text += fmt::format("const bool whole = {} % each == 0 && "
                              "reinterpret_cast<unsigned long long>(from) % 16 == 0;\n",
                              along.extent());
        f.text += fmt::format("for (int e = threadIdx.x * each; e < {}; e += threads * each) {{\n{}",
                              code.elements(axes), code.declared(axes, "e", ""));
        const std::string count = fmt::format("{} - {}", along.count(), along.index);
        f.text += others.empty()
                      ? fmt::format("const Index count = {};\n", count)
                      : fmt::format("const Index count = {} ? {} : 0;\n", code.isInside(others, indices), count);
        f.text += fmt::format("copyChunk(to + {}, {} + ({}), count, whole);\n}}\n}}\n\n",
                              place.find(' ') == std::string::npos ? place : "(" + place + ")", from, element);
    }
    f.call = fmt::format("{}({}, {}, size, at);", f.name, code.tilePlace(k, isSecond), code.name(k));
    return f;
}

BlockFunction sum(const Code& code, const Action& action, bool isSecond) {
    const Subject& s = code.subject();
    const mugraph::Step& step = s.step(action.value);
    const std::vector<int> axes = listed(s.tiles[action.value].axes);
    const Axis& along = s.axes[std::size_t(listed(step.parameter).front())];
    const std::vector<std::string> indices = code.indices();
    const std::vector<Code::Parameter> reads = code.reads(action, isSecond);
    BlockFunction f{fmt::format("addUp{}", action.made), {}, {}};
    f.text = fmt::format("/// {}{}: a warp for each, its lanes in a fixed order.\n", code.formula(action.value),
                         action.isAdded ? ", added over the steps of the loop" : "");
    f.text += fmt::format("__device__ void {}(float* to, {}) {{\n", f.name, parameterList(reads));
    f.text += "const int lane = threadIdx.x % 32;\n";
    f.text += fmt::format("for (int e = threadIdx.x / 32; e < {}; e += threads / 32) {{\n{}", code.elements(axes),
                          code.declared(axes, "e", ""));
    f.text += "float sum = 0.0f;\n";
    const std::string inside = code.isInside(axes, indices);
    if (inside != "true") f.text += fmt::format("if ({})\n", inside);
    f.text += fmt::format("for (int {0} = lane; {0} < {1}; {0} += 32) {{\n", along.index, along.count());
    const Code::Value value = code.value(step.a, action.phase, indices, {}, "");
    f.text += value.statements + fmt::format("sum += {};\n}}\n", value.name);
    f.text += "#pragma unroll\nfor (int apart = 16; apart > 0; apart /= 2)\n"
              "sum += __shfl_xor_sync(0xffffffffu, sum, apart);\n";
    f.text += fmt::format("if (lane == 0) to[{}] {} sum;\n}}\n}}\n\n", code.tileIndex(action.made, indices),
                          action.isAdded ? "+=" : "=");
    f.call = fmt::format("{}({}, {});", f.name, code.tilePlace(action.made, isSecond), argumentList(reads));
    return f;
}

BlockFunction elements(const Code& code, const Action& action, bool isSecond) {
    const Subject& s = code.subject();
    const std::vector<int> axes = listed(s.tiles[action.made].axes);
    const std::vector<std::string> indices = code.indices();
    const std::vector<Code::Parameter> reads = code.reads(action, isSecond);
    BlockFunction f{fmt::format("make{}", action.made), {}, {}};
    f.text = fmt::format("/// {}{}\n", code.formula(action.made), action.isAdded ? "" : ", and zeros beyond the ends");
    f.text += fmt::format("__device__ void {}(float* to, {}) {{\n", f.name, parameterList(reads));
    f.text += eachElement(code, axes);
    const Code::Value value =
        code.value(action.value, action.phase, indices, {}, "", action.isAdded || code.plan().isLoading(action),
                   code.plan().isLoading(action));
    const std::string place = code.tileIndex(action.made, indices), inside = code.isInside(axes, indices);
    if (action.isAdded)
        f.text += fmt::format("if ({}) {{\n{}to[{}] += {};\n}}\n", inside, value.statements, place, value.name);
    else
        f.text += fmt::format("float value = 0.0f;\nif ({}) {{\n{}value = {};\n}}\nto[{}] = value;\n", inside,
                              value.statements, value.name, place);
    f.text += "}\n}\n\n";
    f.call = fmt::format("{}({}, {});", f.name, code.tilePlace(action.made, isSecond), argumentList(reads));
    return f;
}

BlockFunction gather(const Code& code, const Action& action) {
    const Subject& s = code.subject();
    const std::size_t from = s.step(action.made).a;
    const std::vector<int> axes = listed(s.tiles[action.made].axes);
    const std::vector<std::string> indices = code.indices();
    BlockFunction f{fmt::format("gather{}", action.made), {}, {}};
    f.text = fmt::format("/// {}: the parts in their order.\n", code.formula(action.made));
    f.text += fmt::format("__device__ void {}(float* to, const float* parts, const Sizes& size, const Place& at) {{\n",
                          f.name);
    f.text += fmt::format("const Index each = {}; // elements of a part\n", code.passedCount(from, false));
    f.text += eachElement(code, axes);
    f.text += "float sum = 0.0f;\n";
    const std::string inside = code.isInside(axes, indices);
    if (inside != "true") f.text += fmt::format("if ({})\n", inside);
    f.text += fmt::format("for (Index p = 0; p < size.parts; ++p)\nsum += parts[p * each + {}];\n",
                          code.passedIndex(from, indices));
    f.text += fmt::format("to[{}] = sum;\n}}\n}}\n\n", code.tileIndex(action.made, indices));
    f.call = fmt::format("{}({}, {}, size, at);", f.name, code.tilePlace(action.made, true), code.partsName(from));
    return f;
}

BlockFunction pass(const Code& code, const Action& action) {
    const Subject& s = code.subject();
    const std::vector<int> axes = listed(s.tiles[action.made].axes);
    const std::vector<std::string> indices = code.indices();
    const std::vector<Code::Parameter> reads = code.reads(action, false);
    const bool isPartial = s.tiles[action.made].partial;
    BlockFunction f{fmt::format("leave{}", action.made), {}, {}};
    f.text = fmt::format("/// {}: left for the second launch{}.\n", code.formula(action.made),
                         isPartial ? ", by each part in a place of its own" : "");
    f.text += fmt::format("__device__ void {}(float* to, {}) {{\n", f.name, parameterList(reads));
    if (isPartial)
        f.text += fmt::format("const Index each = {}; // elements of a part\n", code.passedCount(action.made, false));
    f.text += eachElement(code, axes);
    // What stands beyond the end of a tiled axis is read, too, where the parts are put together.
    const Code::Value value = code.value(action.value, action.phase, indices, {}, "");
    f.text +=
        fmt::format("if ({}) {{\n{}to[{}{}] = {};\n}}\n}}\n}}\n\n", code.isInside(axes, indices), value.statements,
                    isPartial ? "at.part * each + " : "", code.passedIndex(action.made, indices), value.name);
    f.call = fmt::format("{}({}, {});", f.name, code.partsName(action.made), argumentList(reads));
    if (s.hasSplit() && !isPartial) f.call = "if (at.part == 0) " + f.call;
    return f;
}

BlockFunction store(const Code& code, const Action& action, bool isSecond) {
    const Subject& s = code.subject();
    const mugraph::Problem::Tensor& out = s.problem.output;
    std::vector<int> axes = out.axes;
    std::erase(axes, -1);
    const std::vector<std::string> indices = code.indices();
    const std::vector<Code::Parameter> reads = code.reads(action, isSecond);
    BlockFunction f{"store", {}, {}};
    f.text = fmt::format("/// {}: the output.\n", code.formula(action.value));
    f.text += fmt::format("__device__ void store({}* to, {}) {{\n", typeName(out.dtype), parameterList(reads));
    f.text += eachElement(code, axes);
    const Code::Value value = code.value(action.value, action.phase, indices, {}, "");
    f.text += fmt::format("if ({}) {{\n{}to[{}] = {};\n}}\n}}\n}}\n\n", code.isInside(axes, indices), value.statements,
                          code.deviceIndex(out, indices), stored(value.name, out.dtype));
    f.call = fmt::format("store(out, {});", argumentList(reads));
    return f;
}

} // namespace

BlockFunction functionFor(const Code& code, const Action& action, bool isSecond) {
    switch (action.kind) {
    case Action::Kind::load: return load(code, action, isSecond);
    case Action::Kind::sum: return sum(code, action, isSecond);
    case Action::Kind::elements: return elements(code, action, isSecond);
    case Action::Kind::gather: return gather(code, action);
    case Action::Kind::pass: return pass(code, action);
    case Action::Kind::store: return store(code, action, isSecond);
    case Action::Kind::product:
    case Action::Kind::keep: break;
    }
    throw Refusal("an action without a function");
}

} // namespace kernelarium::kernelgen::graphs
