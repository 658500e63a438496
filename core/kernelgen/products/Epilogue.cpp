// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernelgen/products/Epilogue.h"

#include "core/kernelgen/naive/DefinitionKernel.h"
#include "core/kernelgen/text/Names.h"

#include <algorithm>

#include <fmt/format.h>

namespace kernelarium::kernelgen::products {

using algebra::Tensor;
using algebra::TensorId;

namespace {

/// Names of the output's axes from the groups' numbers; lines for those that are parts of a number and that `used`
/// mentions.
std::vector<std::string> axesOf(KernelText& text, const Each<Tensor>& t, const ProductForm& form,
                                const PointNames& names) {
    std::vector<std::string> axes(t.first().extents.size(), "0");
    for (const auto& [group, at] : {std::pair(&form.batch, &names.batch), std::pair(&form.rows, &names.row),
                                    std::pair(&form.columns, &names.column)}) {
        if (group->size() == 1) axes[group->front()] = *at;
        if (group->size() > 1)
            for (const std::size_t a : *group)
                axes[a] = text.fresh(fmt::format("o{}", a));
    }
    return axes;
}

void declareGroups(KernelText& text, const Each<Tensor>& t, const ProductForm& form, const PointNames& names,
                   const std::vector<std::string>& axes, const std::string& used) {
    for (const auto& [group, at] : {std::pair(&form.batch, &names.batch), std::pair(&form.rows, &names.row),
                                    std::pair(&form.columns, &names.column)}) {
        if (group->size() < 2) continue;
        std::string below;
        for (std::size_t k = group->size(); k-- > 0;) {
            const std::size_t a = (*group)[k];
            const std::string extent = text.number(spaceExtent(t, a), fmt::format("extent{}", a));
            if (mentions(used, axes[a])) {
                std::string value = *at;
                if (!below.empty())
                    value += below.find(' ') == std::string::npos ? " / " + below : fmt::format(" / ({})", below);
                if (k > 0) value += " % " + extent;
                text.line(fmt::format("const Index {} = {};", axes[a], value));
            }
            below += (below.empty() ? "" : " * ") + extent;
        }
    }
}

} // namespace

PointNames namesOfPoint(const ProductForm& form) {
    PointNames names;
    names.batch = form.batch.empty() ? "0" : "batch";
    names.row = "row", names.column = "column", names.element = "element";
    return names;
}

std::string elementOf(KernelText& text, const Each<Tensor>& tensor, const ProductForm& form) {
    const Offsets own(tensor);
    return sumOf({own.part(text, form.batch, "batch"), own.part(text, form.rows, "row"),
                  own.part(text, form.columns, "column")});
}

void writeFormulas(KernelFile& file, KernelText& text, const ProductUnit& unit, const std::set<std::size_t>& inlined,
                   const PointNames& names, const std::function<void(std::size_t, const std::string&)>& store) {
    AtHand hand;
    hand.inlined = inlined;
    hand.inlined.insert(unit.members.begin(), unit.members.end());
    hand.element = names.element;
    hand.given = names.given;
    for (std::size_t k = 0; k < unit.forms.size(); ++k) {
        const ProductForm& f = unit.forms[k];
        hand.inlined.erase(f.tensor);
        hand.values[f.tensor] =
            f.factor == 1 ? names.sums[k] : fmt::format("({} * {})", names.sums[k], floatLiteral(f.factor));
    }
    const Each<algebra::Graph> graph = file.graphs().each();
    for (const ProductForm& f : unit.forms) { // elements that a mask leaves out
        const Each<Tensor> t = file.tensor(f.tensor);
        if (t.first().definition()->domain.empty()) continue;
        const std::vector<std::string> axes = axesOf(text, t, f, names);
        std::set<std::string> functions;
        KernelText scratch(text.quantities(), functions);
        const std::string used = PointText(scratch, graph, t, axes, hand).domain() + scratch.lines();
        declareGroups(text, t, f, names, axes, used);
        const std::string domain = PointText(text, graph, t, axes, hand).domain();
        const std::string name = text.fresh(identifier(t.first().name) + "Masked");
        if (domain.empty()) continue;
        text.line(fmt::format("const float {} = {} ? {} : {};", name, domain, hand.values.at(f.tensor),
                              floatLiteral(t.first().definition()->outside)));
        hand.values[f.tensor] = name;
    }
    for (const TensorId id : unit.stored) {
        const auto known = hand.values.find(id);
        if (known != hand.values.end()) {
            store(id, known->second);
            continue;
        }
        const Each<Tensor> t = file.tensor(id);
        const std::vector<std::string> axes = axesOf(text, t, unit.first(), names);
        const auto write = [&](KernelText& to) {
            PointText point(to, graph, t, axes, hand);
            const std::string domain = point.domain();
            const std::string name = to.fresh(identifier(t.first().name) + "Value");
            if (domain.empty()) {
                const std::string value = point.body();
                to.line(fmt::format("const float {} = {};", name, value));
                return name;
            }
            to.line(fmt::format("float {} = {};", name, floatLiteral(t.first().definition()->outside)));
            to.open(fmt::format("if ({}) {{", domain));
            const std::string value = point.body();
            to.line(fmt::format("{} = {};", name, value));
            to.close();
            return name;
        };
        std::set<std::string> functions;
        KernelText scratch(text.quantities(), functions);
        (void)write(scratch);
        declareGroups(text, t, unit.first(), names, axes, scratch.lines());
        const std::string name = write(text);
        hand.values[id] = name;
        hand.inlined.erase(id);
        store(id, name);
    }
}

void storeElement(const KernelFile& file, KernelText& text, std::size_t id, const std::string& element,
                  const std::string& value, const std::string& condition) {
    const Tensor& t = file.full().tensors[id];
    const std::string out = text.pointer(id, t.dtype, identifier(t.name) + "Out", true);
    text.line(fmt::format("{}{}[{}] = {};", condition, out, element, stored(value, t.dtype)));
}

bool readsProductsAlone(const KernelFile& file, const ProductUnit& unit) {
    const auto isProduct = [&](TensorId id) {
        return std::any_of(unit.forms.begin(), unit.forms.end(), [id](const ProductForm& f) { return f.tensor == id; });
    };
    return std::all_of(unit.members.begin(), unit.members.end(), [&](TensorId id) {
        if (isProduct(id)) return true;
        const auto sources = algebra::sourcesOf(file.full().tensors[id]);
        return std::all_of(sources.begin(), sources.end(), [&](TensorId s) { return unit.members.contains(s); });
    });
}

std::string formulasTried(KernelFile& file, const ProductUnit& unit, const std::set<std::size_t>& inlined,
                          const PointNames& names) {
    KernelText scratch = file.kernel();
    std::string values;
    writeFormulas(file, scratch, unit, inlined, names,
                  [&](TensorId, const std::string& value) { values += " " + value; });
    return scratch.lines() + values;
}

void writeAddress(KernelText& text, const std::string& variable, const std::string& address) {
    const std::string whole = fmt::format("const auto from = [&](Index {}) {{ return {}; }};", variable, address);
    if (whole.size() + text.indented() <= columns) {
        text.line(whole);
        return;
    }
    text.open(fmt::format("const auto from = [&](Index {}) {{", variable));
    text.line(fmt::format("return {};", address));
    text.close("};");
}

std::string asFactor(const std::string& number) {
    return isIdentifier(number) || number.find(' ') == std::string::npos ? number : "(" + number + ")";
}

void addElements(KernelFile& file, const ProductUnit& unit, const std::set<std::size_t>& inlined,
                 const ElementKernel& kernel) {
    KernelText text = file.kernel();
    for (const std::string& word : kernel.words)
        (void)text.fresh(word);
    for (const char* word : {"i", "count", "part", "batch", "row", "column"})
        (void)text.fresh(word);
    const Each<Tensor> t = file.tensor(unit.first().tensor);
    text.line("const Index i = Index(blockIdx.x) * threads + threadIdx.x;");
    text.line("if (i >= count) return;");
    PointNames names;
    names.element = "i";
    const ProductForm& f = unit.first();
    const Values columns = pointsOf(t, f.columns);
    Values both = columns;
    const Values rows = pointsOf(t, f.rows);
    for (std::size_t s = 0; s < both.size(); ++s)
        both[s] *= rows[s];
    names.column = f.columns.empty() ? "0" : "column";
    names.row = f.rows.empty() ? "0" : "row";
    names.batch = f.batch.empty() ? "0" : "batch";
    names.sums = {"total"};
    const std::string used = formulasTried(file, unit, inlined, names);
    const auto counted = [&](const Group& group, const char* name, const Values& below, bool isFirst) {
        if (group.empty() || !mentions(used, name)) return;
        std::string value = isAlways(below, 1) ? "i" : fmt::format("i / {}", text.number(below, "below"));
        if (!isFirst) value += " % " + text.number(pointsOf(t, group), std::string(name) + "s");
        text.line(fmt::format("const Index {} = {};", name, value));
    };
    if (kernel.line)
        text.line(fmt::format("const Index line = i / {}; // of all batches", text.number(columns, "columns")));
    counted(f.columns, "column", Values(columns.size(), 1), false);
    counted(f.rows, "row", columns, f.batch.empty());
    counted(f.batch, "batch", both, true);
    names.sums = kernel.sums(text);
    writeFormulas(file, text, unit, inlined, names,
                  [&](TensorId id, const std::string& value) { storeElement(file, text, id, "i", value); });
    const std::string count = file.variable(unit.stored.front()) + ".numel()";
    std::vector<std::string> last{count};
    last.insert(last.end(), kernel.arguments.begin(), kernel.arguments.end());
    const std::string name = file.addKernel(file.full().tensors[unit.stored.back()].name + "Finish", kernel.comment,
                                            text, "Index count, " + kernel.parameters);
    file.launch(name, fmt::format("blocks({}, threads)", count), text, {}, last);
}

void addFinish(KernelFile& file, const ProductUnit& unit, const std::set<std::size_t>& inlined,
               const std::string& partials, const std::string& parts) {
    ElementKernel kernel;
    kernel.comment = "The parts of every sum in their order, and the formulas after it.";
    kernel.words = {"partials", "total"};
    kernel.parameters = "const float* partials";
    kernel.arguments = {partials + ".data_ptr<float>()"};
    kernel.sums = [&](KernelText& text) {
        text.line("float total = 0.0f;");
        text.open(fmt::format("for (int part = 0; part < {}; ++part)", parts));
        text.line("total += partials[part * count + i];");
        text.indent(-1);
        return std::vector<std::string>{"total"};
    };
    addElements(file, unit, inlined, kernel);
}

} // namespace kernelarium::kernelgen::products
