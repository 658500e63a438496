// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernelgen/file/KernelFile.h"

#include "core/kernelgen/text/FormulasComment.h"
#include "core/kernelgen/text/Wrapped.h"

#include <algorithm>
#include <cctype>
#include <limits>
#include <sstream>

#include <fmt/format.h>

namespace kernelarium::kernelgen {

using algebra::Graph;
using algebra::Tensor;

namespace {

bool isWordCharacter(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

/// Every word of a text replaced by what `replace` gives for it.
template <class F> std::string wordsReplaced(const std::string& text, F&& replace) {
    std::string out;
    for (std::size_t i = 0; i < text.size();) {
        if (!isWordCharacter(text[i])) {
            out += text[i++];
            continue;
        }
        std::size_t end = i;
        while (end < text.size() && isWordCharacter(text[end]))
            ++end;
        out += replace(text.substr(i, end - i));
        i = end;
    }
    return out;
}

std::set<std::string> wordsOf(const std::string& text) {
    std::set<std::string> words;
    (void)wordsReplaced(text, [&](const std::string& w) {
        words.insert(w);
        return std::string();
    });
    return words;
}

} // namespace

KernelFile::KernelFile(const task::Card& card, const SizedGraphs& graphs)
    : m_card(card)
    , m_graphs(graphs)
    , m_arguments(argumentsOf(card, m_names))
    , m_quantities(graphs.sizes.size()) {
    findSymbols();
    for (const Graph& g : m_graphs.graphs)
        for (const Tensor& t : g.tensors)
            m_wide = m_wide || algebra::pointCount(t.extents) > std::numeric_limits<std::int32_t>::max();
    const Graph& any = m_graphs.graphs.front();
    for (std::size_t id = 0; id < any.tensors.size(); ++id)
        if (const algebra::Input* in = any.tensors[id].input()) {
            const auto it = m_arguments.tensors.find(in->cardTensor);
            if (it == m_arguments.tensors.end())
                throw Refusal(fmt::format("the tensor {}, which forward is not given", any.tensors[id].name));
            m_variables[id] = it->second.name;
            m_numbers.set(it->second.name + ".numel()", algebra::pointCount(shown().tensors[id].extents));
        }
    nameExtents(m_graphs.each());
}

void KernelFile::findSymbols() {
    std::vector<std::vector<tensor::Shape>> shapes; // by size, by tensor
    for (const task::Symbols& s : m_graphs.sizes) {
        auto all = task::tensorShapes(m_card, s);
        if (!all) throw Refusal(all.error().message);
        shapes.push_back(*std::move(all));
    }
    Quantities known(m_graphs.sizes.size());
    for (const auto& [name, expression] : m_arguments.integers) {
        Values v;
        for (const task::Symbols& s : m_graphs.sizes)
            v.push_back(expression.evaluate(s) ? *expression.evaluate(s) : 0);
        known.add(name, v);
        m_numbers.set(name, v[m_graphs.shown]);
    }
    m_cardShapes.resize(m_card.tensors.size());
    for (const bool parameters : {false, true})
        for (std::size_t t = 0; t < m_card.tensors.size(); ++t) {
            if (m_card.tensors[t].isParameter != parameters) continue;
            for (std::size_t axis = 0; axis < shapes[0][t].size(); ++axis) {
                Values v;
                for (const auto& all : shapes)
                    v.push_back(all[t][axis]);
                m_cardShapes[t].push_back(v);
                if (const auto it = m_arguments.tensors.find(t); it != m_arguments.tensors.end())
                    known.add(fmt::format("{}.size({})", it->second.access, axis), v);
            }
        }
    for (std::size_t k = 0; k < m_graphs.sizes[0].size(); ++k) {
        Values v;
        for (const task::Symbols& s : m_graphs.sizes)
            v.push_back(s[k].second);
        const std::string& symbol = m_graphs.sizes[0][k].first;
        const std::optional<Quantity> q = known.of(v);
        if (!q || q->isConstant) continue; // where something needs it, that is refused
        const std::string name =
            m_names.has(identifier(symbol)) && q->text == identifier(symbol) ? symbol : m_names.take(symbol);
        if (q->text != name) m_sizes.emplace_back(name, q->text);
        m_quantities.add(name, v);
        m_numbers.set(name, v[m_graphs.shown]);
    }
}

void KernelFile::nameExtents(const Each<Graph>& graph) {
    for (std::size_t id = 0; id < graph.first().tensors.size(); ++id) {
        const auto tensor = graph.part([id](const Graph& g) -> const Tensor& { return g.tensors[id]; });
        for (std::size_t k = 0; k < tensor.first().extents.size(); ++k) {
            const Values v = tensor.values([k](const Tensor& t) { return t.extents[k]; });
            const std::optional<Quantity> q = m_quantities.of(v);
            if (!q)
                throw Refusal(fmt::format("axis {} of {}, whose extent does not follow from the arguments' sizes", k,
                                          tensor.first().name));
            if (q->isConstant || q->isName) continue;
            const std::string name = m_names.take(fmt::format("{}_{}", tensor.first().name, k));
            m_sizes.emplace_back(name, q->text);
            m_quantities.add(name, v);
            if (v.size() > m_graphs.shown) m_numbers.set(name, v[m_graphs.shown]);
        }
    }
}

Each<Tensor> KernelFile::tensor(std::size_t id) const {
    return m_graphs.each().part([id](const Graph& g) -> const Tensor& { return g.tensors[id]; });
}

std::string KernelFile::number(const Values& values) const {
    const std::optional<Quantity> q = m_quantities.of(values);
    if (!q) throw Refusal("a number that does not follow from the arguments' sizes");
    return q->text;
}

std::string KernelFile::shape(const Each<Tensor>& tensor) {
    std::string out = "{";
    for (std::size_t k = 0; k < tensor.first().extents.size(); ++k)
        out += (k ? ", " : "") + number(tensor.values([k](const Tensor& t) { return t.extents[k]; }));
    return out + "}";
}

std::string KernelFile::pointer(std::size_t id) const {
    const auto dtype = full().tensors[id].dtype;
    return fmt::format("{}.data_ptr<{}>()", m_variables.at(id), typeName(dtype));
}

void KernelFile::declare(std::size_t id) {
    const Each<Tensor> t = tensor(id);
    const std::string name = m_names.take(t.first().name);
    m_variables[id] = name;
    hostLine(fmt::format("const auto {} = torch::empty({}, options.dtype({}));", name, shape(t),
                         scalarTypeName(t.first().dtype)));
}

std::string KernelFile::addKernel(const std::string& wanted, const std::string& comment, const KernelText& text,
                                  const std::string& lastParameters, const std::string& qualifier,
                                  const std::string& templated) {
    std::map<std::string, std::string> numbers;
    std::vector<std::string> parameters;
    for (const Parameter& p : text.parameters()) {
        numbers[p.name] = fmt::format("${}", numbers.size());
        parameters.push_back(p.type + " " + p.name);
    }
    for (std::size_t from = 0; from < lastParameters.size();) {
        const std::size_t comma = std::min(lastParameters.find(", ", from), lastParameters.size());
        parameters.push_back(lastParameters.substr(from, comma - from));
        from = comma + 2;
    }
    std::string canonical;
    for (const Parameter& p : text.parameters())
        canonical += p.type + ",";
    canonical += lastParameters + qualifier + templated;
    canonical += wordsReplaced(text.lines(), [&](const std::string& w) {
        const auto it = numbers.find(w);
        return it == numbers.end() ? w : it->second;
    });
    if (const auto it = m_kernelsByText.find(canonical); it != m_kernelsByText.end()) return it->second;
    const std::string name = m_kernelNames.take(identifier(wanted) + "Kernel");
    m_kernelsByText[canonical] = name;
    m_kernels += filled("/// ", "/// ", comment);
    const std::string head = fmt::format("__global__ void {}", qualifier);
    std::size_t length = head.size() + name.size() + 4;
    for (const std::string& p : parameters)
        length += p.size() + 2;
    const bool isBroken = !qualifier.empty() && length > columns + 2;
    m_kernels += templated;
    m_kernels += isBroken ? head.substr(0, head.size() - 1) + "\n" + wrappedList("    " + name + "(", parameters, ") {")
                          : wrappedList(head + name + "(", parameters, ") {");
    m_kernels += "\n" + text.lines() + "}\n\n";
    return name;
}

void KernelFile::launch(const std::string& kernel, const std::string& grid, const KernelText& text,
                        const std::map<std::size_t, std::string>& pointers,
                        const std::vector<std::string>& lastArguments, const std::string& threads,
                        const std::string& shared) {
    std::vector<std::string> arguments;
    for (const Parameter& p : text.parameters()) {
        if (!p.tensor)
            arguments.push_back(p.quantity.text);
        else if (const auto it = pointers.find(*p.tensor); it != pointers.end())
            arguments.push_back(it->second);
        else
            arguments.push_back(pointer(*p.tensor));
    }
    arguments.insert(arguments.end(), lastArguments.begin(), lastArguments.end());
    const std::string indent(std::size_t(m_indent) * 4, ' ');
    const std::string shape = threads + (shared.empty() ? "" : ", ") + shared;
    m_host += wrappedList(fmt::format("{}{}<<<{}, {}>>>(", indent, kernel, grid, shape), arguments, ");") + "\n";
    if (!m_isLaunched) return;
    Launch launched;
    launched.id = fmt::format("l{}", m_levels.launches.size());
    launched.kernel = kernel;
    launched.times = m_times;
    launched.gridText = grid;
    launched.blockText = threads;
    const auto fill = [this](std::array<Amount, 3>& to, const std::string& from) {
        const std::vector<std::string> parts = HostNumbers::partsOfDim3(from);
        for (std::size_t k = 0; k < 3; ++k)
            to[k] = k < parts.size() ? Amount{parts[k], m_numbers.of(parts[k]).value_or(0)} : Amount{"1", 1};
    };
    fill(launched.grid, grid);
    fill(launched.block, threads);
    m_levels.launches.push_back(std::move(launched));
}

void KernelFile::launchByWidth(const std::string& kernel, const std::string& unit, const std::string& grid,
                               const KernelText& text, const std::vector<std::string>& lastArguments,
                               const std::string& threads) {
    const std::string term = unit.find(' ') == std::string::npos ? unit : "(" + unit + ")";
    launchEither(term + " % 4 == 0", shownValue(unit) % 4 == 0, kernel + "<4>", kernel + "<1>", grid, text,
                 lastArguments, threads);
}

void KernelFile::launchEither(const std::string& condition, bool isSo, const std::string& kernel,
                              const std::string& otherwise, const std::string& grid, const KernelText& text,
                              const std::vector<std::string>& lastArguments, const std::string& threads,
                              const std::string& shared) {
    const bool isBlock = !shared.empty();
    for (const bool first : {true, false}) {
        const std::string& own = first ? kernel : otherwise;
        const std::string head = first ? fmt::format("if ({})", condition) : isBlock ? "} else" : "else";
        hostLine(head + (isBlock ? " {" : ""));
        indent(1);
        if (isBlock) allowShared(own, shared);
        m_isLaunched = isSo == first;
        launch(own, grid, text, {}, lastArguments, threads, shared);
        m_isLaunched = true;
        indent(-1);
    }
    if (isBlock) hostLine("}");
}

void KernelFile::allowShared(const std::string& kernel, const std::string& bytes) {
    const std::string indent(std::size_t(m_indent) * 4, ' ');
    m_host += wrappedList(indent + "cudaFuncSetAttribute(",
                          {kernel, "cudaFuncAttributeMaxDynamicSharedMemorySize", bytes}, ");") +
              "\n";
}

void KernelFile::declareLines(std::string_view text) {
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        if (text.starts_with("constexpr")) m_numbers.declare(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

Amount KernelFile::amount(const Values& values) const {
    const std::optional<Quantity> q = m_quantities.of(values);
    const std::int64_t value = values.size() > m_graphs.shown ? values[m_graphs.shown] : values.front();
    return {q ? q->text : std::to_string(value), value};
}

std::string KernelFile::tensorNode(std::size_t id) {
    const std::string node = fmt::format("t{}", id);
    if (m_levels.tensor(node)) return node;
    const Each<Tensor> each = tensor(id);
    const Tensor& t = shown().tensors[id];
    Tile tile{node, t.name, {}, Place::device, t.name, std::string(tensor::name(t.dtype)), {}};
    if (const algebra::Input* in = t.input())
        tile.detail = in->isParameter ? "a parameter of the task" : "an input of the task";
    else
        tile.detail = std::count(shown().outputs.begin(), shown().outputs.end(), id) ? "an output of the task"
                                                                                     : "left for a later launch";
    for (std::size_t k = 0; k < t.extents.size(); ++k)
        tile.extents.push_back(amount(each.values([k](const Tensor& x) { return x.extents[k]; })));
    m_levels.tensors.push_back(std::move(tile));
    return node;
}

std::string KernelFile::returned() const {
    std::string all;
    for (std::size_t k = 0; k < full().outputs.size(); ++k)
        all += (k ? ", " : "") + m_variables.at(full().outputs[k]);
    const bool isList = std::holds_alternative<task::ArgumentList>(m_card.output.kind);
    return isList ? fmt::format("    return {{{}}};\n", all) : fmt::format("    return {};\n", all);
}

/// What of the arguments the text does not use is what it was written for, or an error.
std::string KernelFile::scalarChecks() const {
    std::string out;
    const auto check = [&](const std::string& name, const std::string& value, const std::string& shown) {
        out += wrappedList(fmt::format("    TORCH_CHECK({} == {},", name, value),
                           {fmt::format(" \"{}: this file was written for {}\"", name, shown)}, ");") +
               "\n";
    };
    for (const auto& [name, value] : m_arguments.constants)
        check(name, value, value.front() == '"' ? value.substr(1, value.size() - 2) : value);
    for (const auto& [name, expression] : m_arguments.integers) {
        Values v;
        for (const task::Symbols& s : m_graphs.sizes)
            v.push_back(expression.evaluate(s) ? *expression.evaluate(s) : 0);
        const std::optional<Quantity> q = m_quantities.of(v);
        const bool isSource = std::any_of(m_sizes.begin(), m_sizes.end(), [&, name = name](const auto& size) {
            return wordsOf(size.second).contains(name);
        });
        if (q && q->text != name && !isSource) check(name, q->text, q->text);
    }
    return out;
}

std::string KernelFile::prologue(const std::string& body) const {
    std::string checks, first;
    for (const Tensor& t : full().tensors) {
        const algebra::Input* in = t.input();
        if (!in) continue;
        const auto& argument = m_arguments.tensors.at(in->cardTensor);
        const bool isUsed = wordsOf(body).contains(argument.name);
        if (first.empty()) first = argument.access;
        if (!isUsed) continue;
        std::vector<std::string> items{argument.access, scalarTypeName(m_card.tensors[in->cardTensor].dtype)};
        std::string shape = "{";
        for (std::size_t k = 0; k < m_cardShapes[in->cardTensor].size(); ++k)
            shape += (k ? ", " : "") + number(m_cardShapes[in->cardTensor][k]);
        items.push_back(shape + "}");
        items.push_back(fmt::format("\"{}\"", argument.name));
        const std::string head = argument.isParameter
                                     ? fmt::format("    {} = checked(", argument.name)
                                     : fmt::format("    const torch::Tensor {} = checked(", argument.name);
        checks += wrappedList(head, items, ");") + "\n";
    }
    checks += scalarChecks();
    std::string sizes;
    std::set<std::string> needed = wordsOf(body + checks);
    std::vector<std::string> lines;
    for (auto it = m_sizes.rbegin(); it != m_sizes.rend(); ++it) {
        if (!needed.contains(it->first)) continue;
        for (const std::string& w : wordsOf(it->second))
            needed.insert(w);
        lines.push_back(fmt::format("    const int64_t {} = {};\n", it->first, it->second));
    }
    for (auto it = lines.rbegin(); it != lines.rend(); ++it)
        sizes += *it;
    std::string options;
    if (needed.contains("options")) options = fmt::format("    const auto options = {}.options();\n", first);
    return sizes + checks + options;
}

std::string KernelFile::usedConstants() const {
    const std::set<std::string> words = wordsOf(m_helpers + m_kernels + m_host);
    std::string out;
    std::istringstream in(m_constants);
    for (std::string line; std::getline(in, line);) {
        const std::string before = line.substr(0, line.find(" = "));
        const std::string name = before.substr(before.rfind(' ') + 1);
        std::string others = m_constants;
        others.erase(others.find(line), line.size());
        const bool isRemark = line.starts_with("//");
        if (isRemark || words.contains(name) || wordsOf(others).contains(name)) out += line + "\n";
    }
    return out;
}

std::string KernelFile::finish(const std::string& name, const std::string& idea,
                               const std::vector<std::string>& rewrites) {
    std::string head = "// SPDX-License-Identifier: GPL-3.0-or-later\n//\n";
    head += fmt::format("// kernelarium: task {}\n// Task:    {} {}\n// Name:    {}\n// Parent:  none\n", m_card.key(),
                        m_card.key(), m_card.name, name);
    head += filled("// Idea:    ", "//          ", idea);
    for (const std::string& r : rewrites)
        head += filled("// Rewrite: ", "//          ", r);
    head += formulasComment(full());
    std::string out = head + "#include <torch/extension.h>\n";
    out += "\n#include <cmath>\n#include <vector>\n\n";
    const std::string index = m_wide ? "using Index = int64_t; // a tensor may have more than 2^31 elements\n"
                                     : "using Index = int; // of elements: each tensor has less than 2^31\n";
    out += alignedComments(index + usedConstants());
    out += "\n" + deviceFunctions(m_functions) + m_helpers + m_kernels;
    out +=
        "/// The tensor without gaps, if it is of this type and shape.\n"
        "static torch::Tensor checked(const torch::Tensor& tensor, torch::ScalarType type, std::vector<int64_t> shape,\n"
        "                             const char* name) {\n"
        "    TORCH_CHECK(tensor.is_cuda() && tensor.scalar_type() == type, name, \": another device or type\");\n"
        "    TORCH_CHECK(tensor.dim() == int64_t(shape.size()), name, \": another number of axes\");\n"
        "    for (size_t k = 0; k < shape.size(); ++k)\n"
        "        TORCH_CHECK(tensor.size(k) == shape[k], name, \": axis \", k, \" has another extent\");\n";
    if (!m_wide) out += "    TORCH_CHECK(tensor.numel() <= INT_MAX, name, \": too many elements for Index\");\n";
    if ((m_helpers + m_kernels).find("float4") == std::string::npos) {
        out += "    return tensor.contiguous();\n}\n\n";
    } else {
        out += "    const torch::Tensor whole = tensor.contiguous();\n"
               "    const bool isOnBorder = reinterpret_cast<uintptr_t>(whole.data_ptr()) % 16 == 0; // for float4\n"
               "    return isOnBorder ? whole : whole.clone();\n}\n\n";
    }
    out += "static int64_t blocks(int64_t count, int64_t each) {\n"
           "    return std::max<int64_t>(1, (count + each - 1) / each);\n}\n\n";
    const bool isList = std::holds_alternative<task::ArgumentList>(m_card.output.kind);
    const std::string body = m_host + returned();
    out += wrappedList(isList ? "std::vector<torch::Tensor> forward(" : "torch::Tensor forward(",
                       m_arguments.parameters, ") {") +
           "\n" + prologue(body) + m_host +
           "    TORCH_CHECK(cudaGetLastError() == cudaSuccess, \"a launch failed\");\n" + returned() + "}\n\n";
    out +=
        fmt::format("PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {{\n    m.def(\"forward\", &forward, \"{} ({})\");\n}}\n",
                    m_card.name, name);
    return out;
}

} // namespace kernelarium::kernelgen
