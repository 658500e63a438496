// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernelgen/graphs/Kernels.h"

#include "core/kernelgen/graphs/Products.h"
#include "core/kernelgen/graphs/Structs.h"
#include "core/kernelgen/text/Layout.h"

#include <algorithm>

#include <fmt/format.h>

namespace kernelarium::kernelgen::graphs {

namespace {

class Kernels {
public:
    explicit Kernels(Code& code)
        : m_code(code)
        , m_s(code.subject())
        , m_plan(code.plan())
        , m_file(code.file()) {}

    void run() {
        addConstants(m_code);
        m_file.helper(laidOut(sizesText(m_code) + placeText(m_code)));
        for (const bool isSecond : {false, true})
            if (hasTiles(isSecond)) m_file.helper(laidOut(tilesText(m_code, isSecond)));
        helpers();
        for (const bool isSecond : {false, true})
            for (const Action& action : m_plan.actions(isSecond))
                m_file.helper(laidOut(functionOf(action, isSecond).text));
        host();
    }

private:
    [[nodiscard]] static bool isProduct(const Action& a) {
        return a.kind == Action::Kind::product || a.kind == Action::Kind::keep;
    }
    [[nodiscard]] BlockFunction functionOf(const Action& action, bool isSecond) const {
        BlockFunction f =
            isProduct(action) ? productFor(m_code, action, isSecond) : functionFor(m_code, action, isSecond);
        // An input that both launches load has one function, and other tiles there.
        return f;
    }
    [[nodiscard]] bool hasTiles(bool isSecond) const { return m_plan.sharedBytes(isSecond) > 0; }

    void helpers() {
        std::set<std::string> pieces;
        bool copies = m_s.hasLoop();
        std::set<tensor::DType> halves;
        for (const bool isSecond : {false, true})
            for (const Action& action : m_plan.actions(isSecond)) {
                if (action.kind == Action::Kind::product) pieces.insert(piecesText(m_code, action.product));
                if (action.kind != Action::Kind::load) continue;
                copies = copies || isCopied(m_code, action.made);
                if (m_code.tileType(action.made) != "float") halves.insert(m_s.problem.inputs[action.made].dtype);
            }
        if (copies) m_file.helper(copyText);
        if (halves.size() > 1) throw Refusal("inputs of two types of 16 bits");
        if (!halves.empty()) m_file.helper(valueText(*halves.begin()));
        if (pieces.empty()) return;
        m_file.helper(productHelpers(m_s.usesTensorCores()));
        std::string all;
        for (const std::string& one : pieces)
            all += one;
        m_file.helper(all + "\n");
    }

    /// A kernel's text: what the actions of a phase do, with barriers between who writes a tile and who reads it.
    class Body {
    public:
        Body(const Kernels& kernels, KernelText& text, bool isSecond)
            : m_k(kernels)
            , m_text(text)
            , m_isSecond(isSecond) {}

        void add(const Action& action) {
            bool waits = false;
            for (const std::size_t leaf : m_k.m_plan.leaves(action))
                waits = waits || (m_written.contains(leaf) && !m_k.m_plan.isReadInPlace(action, leaf));
            if (waits) barrier();
            m_text.line(m_k.functionOf(action, m_isSecond).call);
            if (action.kind == Action::Kind::load) m_isLoading = true;
            const bool isRegister = action.kind == Action::Kind::product && action.isAdded;
            if (action.kind != Action::Kind::pass && action.kind != Action::Kind::store && !isRegister)
                m_written.insert(action.made);
        }
        void barrier() {
            if (m_isLoading) m_text.line("endOfStage();"), m_text.line("waitForCopies<0>();");
            m_isLoading = false;
            m_text.line("__syncthreads();");
            m_written.clear();
        }
        /// Someone else waits: what was written is there.
        void forget() { m_written.clear(), m_isLoading = false; }
        [[nodiscard]] bool isLoading() const { return m_isLoading; }
        [[nodiscard]] bool hasWritten() const { return !m_written.empty(); }

    private:
        const Kernels& m_k;
        KernelText& m_text;
        bool m_isSecond;
        bool m_isLoading = false;
        std::set<std::size_t> m_written;
    };

    void begin(KernelText& text, bool isSecond) const {
        if (hasTiles(isSecond)) {
            const std::string type = isSecond ? "SecondTiles" : "Tiles";
            text.line("extern __shared__ __align__(16) unsigned char bytes[];");
            text.line(fmt::format("{0}& tiles = *reinterpret_cast<{0}*>(bytes);", type));
        }
        text.line(fmt::format("{}Place at = placeOf(size);", m_s.hasLoop() && !isSecond ? "" : "const "));
    }

    void firstBody(KernelText& text) {
        begin(text, false);
        Body body(*this, text, false);
        const auto addAll = [&](Phase phase) {
            for (const Action& action : m_plan.actions(false))
                if (action.phase == phase) body.add(action);
        };
        addAll(Phase::before);
        if (m_s.hasLoop()) {
            loopText(text, body);
        } else if (body.isLoading()) {
            body.barrier();
        }
        addAll(Phase::after);
    }

    void clear(KernelText& text, std::size_t tensor) const {
        text.line(fmt::format("for (int e = threadIdx.x; e < {}; e += threads)", m_code.sizeName(tensor)));
        text.line(fmt::format("    tiles.{}[e] = 0.0f;", m_code.name(tensor)));
    }

    void loopText(KernelText& text, Body& body) {
        if (body.isLoading()) text.line("endOfStage();");
        std::vector<Action> loads, others;
        for (const Action& action : m_plan.actions(false))
            if (action.phase == Phase::during) (action.kind == Action::Kind::load ? loads : others).push_back(action);
        for (const Action& action : others) {
            if (!action.isAdded) continue;
            if (action.kind == Action::Kind::product)
                text.line(fmt::format("Pieces{}::Sums {} = {{}};", action.product, sumsName(action.made)));
            else
                clear(text, action.made);
        }
        text.line("const Place start = at;");
        text.line("const Index steps = stepsFrom(size, start);");
        const auto load = [&](const std::string& step) {
            text.line(fmt::format("at = placeOfStep(size, start, {});", step));
            for (const Action& action : loads)
                text.line(functionOf(action, false).call);
        };
        if (!loads.empty()) {
            text.open("for (int stage = 0; stage < stages - 1; ++stage) {");
            text.open("if (stage < steps) {");
            load("stage");
            text.close();
            text.line("endOfStage();");
            text.close();
        }
        text.line("int stage = 0;");
        text.open("for (Index step = 0; step < steps; ++step) {");
        if (!loads.empty()) {
            text.line("waitForCopies<stages - 2>();");
            text.line("__syncthreads(); // the step's tiles are there, and those of the step before are read");
            text.line("const Index next = step + stages - 1;");
            text.open("if (next < steps) {");
            text.line("const int free = (stage + stages - 1) % stages;");
            text.line("at = placeOfStep(size, start, next);");
            for (const Action& action : loads) {
                std::string call = functionOf(action, false).call;
                const std::size_t place = call.find("[stage]");
                if (place != std::string::npos) call.replace(place, 7, "[free]");
                text.line(call);
            }
            text.close();
            text.line("endOfStage();");
        } else {
            text.line("__syncthreads();");
        }
        text.line("at = placeOfStep(size, start, step);");
        body.forget();
        for (const Action& action : others)
            body.add(action);
        if (!loads.empty()) text.line("stage = (stage + 1) % stages;");
        text.close();
        text.line("waitForCopies<0>();");
        text.line("__syncthreads();");
        text.line("at = start;");
        body.forget();
    }

    void secondBody(KernelText& text) {
        begin(text, true);
        Body body(*this, text, true);
        for (const Action& action : m_plan.actions(true))
            body.add(action);
    }

    /// Inputs that a launch reads, as the kernel's parameters; the output where it stores it.
    [[nodiscard]] std::string parametersOf(KernelText& text, bool isSecond) const {
        std::set<std::size_t> inputs, passed;
        bool stores = false;
        for (const Action& action : m_plan.actions(isSecond)) {
            stores = stores || action.kind == Action::Kind::store;
            if (action.kind == Action::Kind::load) inputs.insert(action.made);
            if (action.kind == Action::Kind::pass) passed.insert(action.made);
            if (action.kind == Action::Kind::gather) passed.insert(m_s.step(action.made).a);
            for (const std::size_t leaf : m_plan.leaves(action)) {
                if (m_s.isInput(leaf) && !m_plan.isShared(leaf)) inputs.insert(leaf);
                if (m_plan.isReadInPlace(action, leaf)) passed.insert(leaf);
            }
        }
        const algebra::Graph& graph = m_file.full();
        for (const std::size_t k : inputs) {
            const mugraph::Problem::Tensor& t = m_s.problem.inputs[k];
            const auto at = std::find_if(graph.tensors.begin(), graph.tensors.end(),
                                         [&](const algebra::Tensor& own) { return own.input() && own.name == t.name; });
            const std::string name =
                text.pointer(std::size_t(at - graph.tensors.begin()), t.dtype, m_code.name(k), false);
            if (name != m_code.name(k)) throw Refusal(fmt::format("the name {}", t.name));
        }
        if (stores) (void)text.pointer(graph.outputs.front(), m_s.problem.output.dtype, "out", true);
        std::string last;
        for (const std::size_t k : passed)
            last += fmt::format("{}float* {}, ", isSecond ? "const " : "", m_code.partsName(k));
        return last + "Sizes size";
    }

    void launch(bool isSecond) {
        KernelText text = m_file.kernel();
        const std::string last = parametersOf(text, isSecond);
        if (isSecond)
            secondBody(text);
        else
            firstBody(text);
        const std::string kernel =
            m_file.addKernel(isSecond ? "second" : "block",
                             isSecond ? "What the parts have left is put together in their order, and what follows."
                                      : "A tile of the result for each block.",
                             text, last);
        std::vector<std::string> arguments;
        for (std::size_t from = 0; from < last.size();) {
            const std::size_t comma = std::min(last.find(", ", from), last.size());
            const std::string one = last.substr(from, comma - from);
            const std::string name = one.substr(one.rfind(' ') + 1);
            arguments.push_back(name == "size" ? name : name + ".data_ptr<float>()");
            from = comma + 2;
        }
        std::string grid;
        for (const Axis& axis : m_s.axes)
            if (axis.kind == Axis::Kind::grid)
                grid += fmt::format("{}blocks({}, {})", grid.empty() ? "" : " * ", m_file.number(axis.extents),
                                    axis.tileName());
        if (m_s.hasSplit() && !isSecond) grid += (grid.empty() ? "" : " * ") + std::string("parts");
        if (grid.empty()) grid = "1";
        std::string threads = "threads";
        if (hasTiles(isSecond)) {
            const std::string type = isSecond ? "SecondTiles" : "Tiles";
            m_file.hostLine(fmt::format(
                "cudaFuncSetAttribute({}, cudaFuncAttributeMaxDynamicSharedMemorySize, sizeof({}));", kernel, type));
            threads += fmt::format(", sizeof({})", type);
        }
        m_file.launch(kernel, grid, text, {}, arguments, threads);
        Launch& launched = m_file.levels().launches.back();
        launched.blockText = "threads";
        launched.block = {Amount{"threads", m_s.sizes.threads}, Amount{"1", 1}, Amount{"1", 1}};
    }

    void host() {
        for (const Axis& axis : m_s.axes)
            if (axis.kind == Axis::Kind::whole)
                m_file.hostLine(fmt::format("TORCH_CHECK({} <= {}, \"{}: more than a block takes\");",
                                            m_file.number(axis.extents), axis.tileName(), axis.name));
        if (const Axis* split = m_s.splitAxis())
            m_file.hostLine(fmt::format("const int64_t parts = blocks({}, {}{});", m_file.number(split->extents),
                                        split->tileName(), m_s.walkedAxis() ? " * stepsEach" : ""));
        std::string members;
        for (const Axis& axis : m_s.axes)
            members += fmt::format("{}Index({})", members.empty() ? "" : ", ", m_file.number(axis.extents));
        if (m_s.hasSplit()) members += ", Index(parts)";
        for (const auto& [member, value] : m_code.sizedConstants())
            members += fmt::format(", float({})", value);
        m_file.hostLine(fmt::format("const Sizes size{{{}}};", members));
        m_file.declare(m_file.full().outputs.front());
        for (const std::size_t k : m_plan.passed()) {
            const std::string parts = m_s.tiles[k].partial ? "parts * " : "";
            m_file.hostLine(fmt::format("const auto {} = torch::empty({{{}{}}}, options.dtype(torch::kFloat32));",
                                        m_code.partsName(k), parts, m_code.passedCount(k, true)));
        }
        launch(false);
        if (m_plan.hasSecond()) launch(true);
    }

    Code& m_code;
    const Subject& m_s;
    const Plan& m_plan;
    KernelFile& m_file;
};

} // namespace

void writeKernels(Code& code) {
    Kernels(code).run();
}

} // namespace kernelarium::kernelgen::graphs
