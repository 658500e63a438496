// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernelgen/graphs/Kernels.h"

#include "core/kernelgen/graphs/Products.h"
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
        constants();
        m_file.helper(laidOut(sizesText() + placeText()));
        for (const bool isSecond : {false, true})
            if (hasTiles(isSecond)) m_file.helper(laidOut(tilesText(isSecond)));
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

    void constants() {
        m_file.constant(
            fmt::format("constexpr int threads = {}; // of a block; tune: pow2 64..512", m_s.sizes.threads));
        for (std::size_t k = 0; k < m_s.axes.size(); ++k) {
            const Axis& axis = m_s.axes[k];
            const std::string& where = m_s.problem.axisNames[k];
            const auto line = [&](const std::string& what) {
                m_file.constant(fmt::format("constexpr int {} = {}; // {}", axis.tileName(), axis.tile, what));
            };
            switch (axis.kind) {
            case Axis::Kind::grid:
                line(axis.tile == 1 ? fmt::format("of {}, in a block", where)
                                    : fmt::format("of {}, in a block; tune: pow2 8..128", where));
                break;
            case Axis::Kind::loop:
            case Axis::Kind::walked: line(fmt::format("of {}, in a step; tune: pow2 16..128", where)); break;
            case Axis::Kind::split: line(fmt::format("of {}, in a part; tune: pow2 16..256", where)); break;
            case Axis::Kind::whole:
                line(fmt::format("of {}, all of which a block has: no more are taken", where));
                break;
            }
        }
        if (walked())
            m_file.constant(
                fmt::format("constexpr int stepsEach = {}; // of a part; tune: pow2 1..64", m_s.sizes.stepsEach));
        if (m_s.hasLoop())
            m_file.constant(
                fmt::format("constexpr int stages = {}; // of what a step loads; tune: 2..4", m_s.sizes.stages));
        for (std::size_t i = 0; i < m_s.tiles.size(); ++i) {
            if (!m_plan.isShared(i) && !m_plan.isLoadedAgain(i)) continue;
            const std::vector<int> axes = m_s.axesOf(i);
            const int pad = m_code.tileType(i) == "float" ? 4 : 8;
            std::string size = axes.empty() ? "1" : m_s.axes[std::size_t(axes.back())].tileName();
            if (axes.size() > 1) {
                m_file.constant(fmt::format("constexpr int {} = {} + {}; // from one line of a tile to the next",
                                            m_code.lineName(i), size, pad));
                size = m_code.elements({axes.begin(), axes.end() - 1}) + " * " + m_code.lineName(i);
            }
            m_file.constant(fmt::format("constexpr int {} = {};", m_code.sizeName(i), size));
        }
    }
    [[nodiscard]] const Axis* axisOf(int number) const { return number < 0 ? nullptr : &m_s.axes[std::size_t(number)]; }
    [[nodiscard]] const Axis* walked() const {
        const Axis* loop = axisOf(m_s.graph.roles.loop);
        return loop && loop->kind == Axis::Kind::walked ? loop : nullptr;
    }
    [[nodiscard]] const Axis* loop() const { return axisOf(m_s.graph.roles.loop); }

    [[nodiscard]] std::string sizesText() const {
        std::string text = "/// Extents of the axes, and what follows from them.\nstruct Sizes {\n";
        for (const Axis& axis : m_s.axes)
            text += fmt::format("Index {};\n", axis.name);
        if (m_s.hasSplit()) text += "Index parts; // of the split axis\n";
        for (const auto& [member, host] : m_code.sizedConstants())
            text += fmt::format("float {};\n", member);
        return text + "};\n\n";
    }

    [[nodiscard]] std::string placeText() const {
        std::string text =
            "/// Where a block stands, and how many indices there are from there on in its tile.\nstruct Place {\n";
        bool isAny = false;
        for (const Axis& axis : m_s.axes)
            if (axis.isPlaced()) text += fmt::format("Index first{}, count{};\n", axis.name, axis.name), isAny = true;
        if (m_s.hasSplit()) text += "Index part;\n";
        if (!isAny) text += "Index none;\n";
        text += "};\n\n__device__ Place placeOf(const Sizes& size) {\nPlace at{};\nIndex block = blockIdx.x;\n";
        std::vector<const Axis*> grid;
        for (const Axis& axis : m_s.axes)
            if (axis.kind == Axis::Kind::grid) grid.insert(grid.begin(), &axis);
        for (std::size_t k = 0; k < grid.size(); ++k) {
            const Axis& a = *grid[k];
            text += fmt::format("const Index blocks{0} = ({1} + {2} - 1) / {2};\n", a.name, a.extent(), a.tileName());
            text += fmt::format(
                "at.first{0} = block % blocks{0} * {1};\nat.count{0} = min(Index({1}), {2} - at.first{0});\n", a.name,
                a.tileName(), a.extent());
            text += fmt::format("block /= blocks{};\n", a.name);
        }
        if (m_s.hasSplit()) text += "at.part = block;\n";
        for (const Axis& a : m_s.axes) {
            const auto count = [&] {
                text += fmt::format("at.count{0} = min(Index({1}), {2} - at.first{0});\n", a.name, a.tileName(),
                                    a.extent());
            };
            if (a.kind == Axis::Kind::split)
                text += fmt::format("at.first{} = at.part * {};\n", a.name, a.tileName()), count();
            if (a.kind == Axis::Kind::walked)
                text += fmt::format("at.first{} = at.part * (stepsEach * {});\n", a.name, a.tileName()), count();
            if (a.kind == Axis::Kind::loop) count();
        }
        text += "return at;\n}\n\n";
        if (const Axis* a = loop()) {
            const std::string end =
                walked() ? fmt::format("min({}, at.first{} + stepsEach * {})", a->extent(), a->name, a->tileName())
                         : a->extent();
            text += fmt::format("/// How many steps the block's loop has.\n"
                                "__device__ Index stepsFrom(const Sizes& size, const Place& at) {{\n"
                                "const Index end = {1};\nreturn (end - at.first{0} + {2} - 1) / {2};\n}}\n\n",
                                a->name, end, a->tileName());
            text += fmt::format("/// The place of a step, from that of the first.\n"
                                "__device__ Place placeOfStep(const Sizes& size, Place at, Index step) {{\n"
                                "const Index end = {1};\nat.first{0} += step * {2};\n"
                                "at.count{0} = min(Index({2}), end - at.first{0});\nreturn at;\n}}\n\n",
                                a->name, end, a->tileName());
        }
        return text;
    }

    [[nodiscard]] std::string tileLine(std::size_t i) const {
        const bool isStaged = m_s.isInput(i) && m_plan.spanOf(i) == Plan::Span::loop;
        return fmt::format("alignas(16) {} {}{}[{}];\n", m_code.tileType(i), m_code.name(i), isStaged ? "[stages]" : "",
                           m_code.sizeName(i));
    }
    [[nodiscard]] std::string tilesText(bool isSecond) const {
        std::string always, during, after;
        if (isSecond) {
            std::set<std::size_t> made;
            for (const Action& action : m_plan.actions(true))
                if (action.kind != Action::Kind::store && made.insert(action.made).second)
                    always += fmt::format("alignas(16) {} {}[{}];\n", m_code.tileType(action.made),
                                          m_code.name(action.made), m_code.sizeName(action.made));
            return "/// The tiles of the second launch's block in shared memory.\nstruct SecondTiles {\n" + always +
                   "};\n\n";
        }
        for (std::size_t i = 0; i < m_s.tiles.size(); ++i) {
            if (!m_plan.isShared(i)) continue;
            switch (m_plan.spanOf(i)) {
            case Plan::Span::always: always += tileLine(i); break;
            case Plan::Span::loop: during += tileLine(i); break;
            case Plan::Span::after: after += tileLine(i); break;
            case Plan::Span::second: break;
            }
        }
        std::string text = "/// The block's tiles in shared memory.\nstruct Tiles {\n" + always;
        if (!during.empty()) text += "struct Loop {\n" + during + "};\n";
        if (!after.empty()) text += "struct After {\n" + after + "};\n";
        if (!during.empty() && !after.empty())
            text += "union { // the loop's are no longer needed after it\nLoop loop;\nAfter after;\n};\n";
        else if (!during.empty())
            text += "Loop loop;\n";
        else if (!after.empty())
            text += "After after;\n";
        return text + "};\n\n";
    }

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
        if (const Axis* split = axisOf(m_s.graph.roles.split))
            m_file.hostLine(fmt::format("const int64_t parts = blocks({}, {}{});", m_file.number(split->extents),
                                        split->tileName(), walked() ? " * stepsEach" : ""));
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
