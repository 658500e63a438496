// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/TestRegistry.h"
#include "tests/host/EndToEnd.h"

#include <QtTest>
#include <cmath>
#include <thread>

namespace kernelarium::test {

using verify::RunEnd;

/// Whole files, compiled and run: what host code may do, and how each way of going wrong ends.
class TestEndToEnd : public QObject {
    Q_OBJECT

private:
    EndToEnd m_machine;

    void expectEnd(const verify::RunResult& result, RunEnd end) {
        if (result.end != end) QFAIL(qPrintable("ended otherwise: " + QString::fromStdString(result.reason)));
    }
    static tensor::Tensor cell() {
        tensor::Tensor c(tensor::DType::Float32, {1, 1, 1});
        c.set(0, 2.0);
        return c;
    }
    static constexpr const char* scaleKernel = R"(
        __global__ void scale(const float* x, float* y, float a, int n) {
            int i = blockIdx.x * blockDim.x + threadIdx.x;
            if (i < n) y[i] = a * x[i];
        }
    )";

private slots:
    void initTestCase() {
        const std::string why = m_machine.unavailable();
        if (!why.empty()) QSKIP(why.c_str());
    }

    void addsVectors() {
        const auto r = m_machine.run(bound(R"(
            __global__ void add(const float* a, const float* b, float* c, int n) {
                int i = blockIdx.x * blockDim.x + threadIdx.x;
                if (i < n) c[i] = a[i] + b[i];
            }
            torch::Tensor forward(torch::Tensor a, torch::Tensor b) {
                auto c = torch::empty_like(a);
                int n = a.numel();
                add<<<(n + 127) / 128, 128>>>(a.data_ptr<float>(), b.data_ptr<float>(), c.data_ptr<float>(), n);
                return c;
            })"),
                                     {floats({1, 2, 3}), floats({10, 20, 30})});
        expectEnd(r, RunEnd::finished);
        QCOMPARE(elements(r.output), (std::vector<double>{11, 22, 33}));
        QCOMPARE(r.launches.size(), std::size_t(1));
        QCOMPARE(r.launches[0].kernel, std::string("add"));
        QCOMPARE(r.launches[0].block[0], 128u);
        QCOMPARE(r.firstUnwritten.size(), std::size_t(1));
        QVERIFY(!r.firstUnwritten[0]);
        QVERIFY(r.faults.empty());
        QVERIFY(r.guardViolations.empty());
        QCOMPARE(elements(r.argumentsAfter.at(1)), (std::vector<double>{10, 20, 30}));
    }
    void namesTheFirstUnwrittenElement() {
        const auto r = m_machine.run(bound(std::string(scaleKernel) + R"(
            torch::Tensor forward(torch::Tensor x) {
                auto y = torch::empty_like(x);
                scale<<<1, 32>>>(x.data_ptr<float>(), y.data_ptr<float>(), 2.f, 2);
                return y;
            })"),
                                     {floats({1, 2, 3, 4})});
        expectEnd(r, RunEnd::finished);
        QCOMPARE(r.firstUnwritten.at(0), std::optional<std::int64_t>(2));
    }
    void failedChecksReachPython() {
        const auto r = m_machine.run(bound(R"(
            torch::Tensor forward(torch::Tensor x) {
                TORCH_CHECK(x.dim() == 2, "x must have 2 dimensions, not ", x.dim());
                return x;
            })"),
                                     {floats({1})});
        expectEnd(r, RunEnd::host_exception);
        QCOMPARE(r.reason, std::string("RuntimeError: x must have 2 dimensions, not 1"));
    }
    void wrongElementTypesAreRaised() {
        const auto r = m_machine.run(bound(R"(
            torch::Tensor forward(torch::Tensor x) { x.data_ptr<double>(); return x; })"),
                                     {floats({1})});
        expectEnd(r, RunEnd::host_exception);
        QCOMPARE(r.reason, std::string("RuntimeError: expected scalar type Double but found Float"));
    }
    void handlersCatchWhatIsThrown() {
        const auto r = m_machine.run(bound(R"(
            int inner(int n) { if (n > 2) throw std::invalid_argument("too large"); return n; }
            torch::Tensor forward(torch::Tensor x) {
                int code = 0;
                try { inner(5); code = 100; } catch (const std::runtime_error& e) { code = 200; }
                catch (const std::exception& e) { code = std::string(e.what()) == "too large" ? 1 : 2; }
                try { x.size(7); } catch (const c10::Error& e) { code += 10; }
                try { try { throw 5; } catch (int v) { code += 100 * v; throw; } } catch (...) { code += 1000; }
                return torch::full({1}, code, x.options());
            })"),
                                     {floats({1})});
        expectEnd(r, RunEnd::finished);
        QCOMPARE(elements(r.output), (std::vector<double>{1511}));
    }
    void localsChangedInATryBlockKeepTheirValue_data() {
        QTest::addColumn<QString>("before");
        QTest::addColumn<QString>("body");
        QTest::addColumn<double>("expected");
        const auto row = [](const char* name, const char* before, const char* body, double expected) {
            QTest::newRow(name) << before << body << expected;
        };
        row("counter", "", R"(int code = 1;
            try { code = 2; fail(); } catch (const std::exception&) { code += 10; } return code;)",
            12);
        row("no exception", "", R"(int code = 1; int other = 4;
            try { code = 2; ++other; if (x.numel() == 100) fail(); } catch (...) { code = 0; } return code * 10 + other;)",
            25);
        row("uninitialised", "", "int code; try { code = 2; fail(); } catch (...) { ++code; } return code;", 3);
        row("accumulated", "", R"(float sum = 0; int steps = 0;
            try { for (int i = 0; i < 10; ++i) { sum += 0.5f * i; ++steps; if (i == 4) fail(); } } catch (...) { sum += 100; }
            for (int i = 0; i < 2; ++i) sum += 1000; return sum + steps * 10000;)",
            52105);
        row("tensor", "",
            "torch::Tensor y = x; try { y = x * 2; y.size(7); } catch (...) { y = y + 1; } return y.item<float>();", 7);
        row("vector", "", R"(std::vector<int> seen; int a = 0, b = 5;
            try { for (a = 0; a < 40; ++a) { seen.push_back(a); b = a; if (a == 30) fail(); } } catch (...) { seen.push_back(7); }
            return seen.size() * 10000 + seen[30] * 100 + seen[31] * 10 + b;)",
            323100);
        row("nested", "", R"(int code = 0;
            try { code = 1; try { code += 10; throw 5; } catch (int v) { code += 100 * v; throw; } } catch (...) { code += 1000; }
            return code;)",
            1511);
        row("caught inside", "", R"(int code = 0;
            try { try { code = 3; fail(); } catch (...) { code *= 2; } code += 1; fail(); } catch (...) { code *= 10; } return code;)",
            70);
        row("lambda", "", R"(int code = 1; auto bump = [&](int by) { code += by; };
            try { bump(4); fail(); } catch (...) { bump(10); } return code;)",
            15);
        row("try in a lambda", "", R"(int code = 1; const int by = 4;
            auto guarded = [&] { try { code += by; fail(); } catch (...) { code *= 2; } }; guarded(); return code;)",
            10);
        row("by reference", "void set(int& out, int v) { out = v; if (v > 2) throw std::runtime_error(\"v\"); }", R"(
            int first, second; try { set(first, 1); set(second, 3); } catch (...) { second += 10; } return first * 100 + second;)",
            113);
        row("reference", "",
            "int code = 1; int& r = code; try { r = 6; fail(); } catch (...) { r += 10; } return code;", 16);
        row("member of a local", "struct State { int a = 1; float b = 2; };", R"(State s;
            try { s.a = 5; s.b += 3; fail(); } catch (...) { s.a += 10; } return s.a * 100 + s.b;)",
            1505);
        row("own members", R"(struct Machine {
                int count = 0, more = 0;
                void bump() { count += 1; }
                int go() { try { bump(); more = 7; fail(); } catch (...) { count += 10; } return count * 10 + more; }
            };)",
            "Machine m; int r = m.go(); return r * 1000 + m.count;", 117011);
        row("members out of line", R"(class Machine { public: int go(); int other = 0; private: int m_count = 0; };
            int Machine::go() { try { m_count = 4; this->other = 2; fail(); } catch (...) { m_count *= 2; } return m_count * 10 + other; })",
            "Machine m; return m.go();", 82);
        row("binding", "", R"(std::pair<int, int> p(1, 2); auto [a, b] = p;
            try { a = 5; b = 6; fail(); } catch (...) { a += 10; } return a * 10 + b;)",
            156);
        row("macro in the block", "#define COUNT_UP code += 3",
            "int code = 1; try { COUNT_UP; fail(); } catch (...) {} return code;", 4);
        row("template",
            "template <class T> T go(T v) { T w = v; try { w += 2; fail(); } catch (...) { w *= 2; } return w; }",
            "return go(1) * 100 + go(2.5f);", 609);
        row("shadowed later", "", R"(int v = 1;
            try { [](int v) { return v; }(3); v = 5; fail(); } catch (...) { v += 10; } return v;)",
            15);
        row("array", "",
            "int a[3] = {1, 2, 3}; try { for (int i = 0; i < 3; ++i) a[i] = 7; fail(); } catch (...) {} return a[0] + "
            "a[1] + a[2];",
            21);
        row("in a switch and a loop", "", R"(int n = 0; int last = 0;
            for (int i = 0; i < 5; ++i) try { last = i; n += 1; if (i % 2) fail(); n += 10; } catch (...) { n += 100 + last; }
            return n;)",
            239);
    }
    void localsChangedInATryBlockKeepTheirValue() {
        QFETCH(QString, before);
        QFETCH(QString, body);
        QFETCH(double, expected);
        const auto r =
            m_machine.run(bound("#include <stdexcept>\nvoid fail() { throw std::runtime_error(\"after\"); }\n" +
                                before.toStdString() + "\ndouble value(torch::Tensor x) {" + body.toStdString() + R"(}
            torch::Tensor forward(torch::Tensor x) { return torch::full({1}, value(x), x.options()); })"),
                          {floats({3})});
        expectEnd(r, RunEnd::finished);
        QCOMPARE(elements(r.output), (std::vector<double>{expected}));
    }
    void uncaughtExceptionsHavePythonsClass() {
        const auto r = m_machine.run(bound(R"(
            torch::Tensor forward(torch::Tensor x) { throw std::invalid_argument("no"); return x; })"),
                                     {floats({1})});
        expectEnd(r, RunEnd::host_exception);
        QCOMPARE(r.reason, std::string("ValueError: no"));
    }
    void copiesThroughTheRuntime() {
        const auto r = m_machine.run(bound(std::string(scaleKernel) + R"(
            torch::Tensor forward(torch::Tensor x) {
                int n = x.numel();
                float* scratch = nullptr;
                if (cudaMalloc(&scratch, n * sizeof(float)) != cudaSuccess) throw std::runtime_error("no memory");
                scale<<<1, 32>>>(x.data_ptr<float>(), scratch, 3.f, n);
                std::vector<float> host(n);
                cudaMemcpy(host.data(), scratch, n * sizeof(float), cudaMemcpyDeviceToHost);
                host[0] += 100;
                auto y = torch::empty_like(x);
                cudaMemcpy(y.data_ptr<float>(), host.data(), n * sizeof(float), cudaMemcpyHostToDevice);
                cudaFree(scratch);
                return y;
            })"),
                                     {floats({1, 2})});
        expectEnd(r, RunEnd::finished);
        QCOMPARE(elements(r.output), (std::vector<double>{103, 6}));
    }
    void freedMemoryIsNamed() {
        const auto r = m_machine.run(bound(R"(
            torch::Tensor forward(torch::Tensor x) {
                float* p = nullptr;
                cudaMalloc(&p, 16);
                auto y = torch::from_blob(p, {4}, x.options());
                cudaFree(p);
                return y;
            })"),
                                     {floats({1})});
        expectEnd(r, RunEnd::host_exception);
        QVERIFY2(r.reason.find("cudaMalloc, 16 bytes") != std::string::npos &&
                     r.reason.find("which was freed") != std::string::npos,
                 r.reason.c_str());
    }
    /// Blocks that wait for one another are all there at a time, or the launch is refused.
    void cooperativeLaunchesHaveToFit() {
        const auto launched = [&](int blocks) {
            return m_machine.run(bound(R"(
                __global__ void one(float* y) { if (blockIdx.x == 0 && threadIdx.x == 0) y[0] = 1; }
                torch::Tensor forward(torch::Tensor x) {
                    auto y = torch::zeros({1}, x.options());
                    float* p = y.data_ptr<float>();
                    void* arguments[] = {&p};
                    auto e = cudaLaunchCooperativeKernel((void*)one, dim3(int(x.size(0))), dim3(1024), arguments, 0, 0);
                    if (e != cudaSuccess) throw std::runtime_error(cudaGetErrorString(e));
                    return y;
                })"),
                                 {tensor::Tensor(tensor::DType::Float32, {blocks})});
        };
        expectEnd(launched(264), RunEnd::finished); // two on each of 132 multiprocessors
        const auto refused = launched(265);
        QVERIFY2(refused.end != RunEnd::finished &&
                     refused.reason.find("too many blocks in cooperative launch") != std::string::npos,
                 refused.reason.c_str());
    }
    void constantMemoryIsSetByItsSymbol() {
        const auto r = m_machine.run(bound(R"(
            __constant__ float weights[4];
            __global__ void weigh(float* x, int n) { if (threadIdx.x < n) x[threadIdx.x] *= weights[threadIdx.x]; }
            torch::Tensor forward(torch::Tensor x) {
                float host[4] = {1, 10, 100, 1000};
                cudaMemcpyToSymbol(weights, host, sizeof(host));
                auto y = x.clone();
                weigh<<<1, 32>>>(y.data_ptr<float>(), 4);
                return y;
            })"),
                                     {floats({1, 2, 3, 4})});
        expectEnd(r, RunEnd::finished);
        QCOMPARE(elements(r.output), (std::vector<double>{1, 20, 300, 4000}));
    }
    void cublasIsALibraryCall() {
        const auto r = m_machine.run(bound(R"(
            #include <cublas_v2.h>
            torch::Tensor forward(torch::Tensor a, torch::Tensor b) {
                auto c = torch::empty({2, 2}, a.options());
                cublasHandle_t handle;
                cublasCreate(&handle);
                const float one = 1.f, zero = 0.f;
                cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, b.data_ptr<float>(), 2, a.data_ptr<float>(), 2,
                            &zero, c.data_ptr<float>(), 2);
                cublasDestroy(handle);
                return c;
            })"),
                                     {floats({1, 2, 3, 4}), floats({5, 6, 7, 8})});
        expectEnd(r, RunEnd::finished);
        QCOMPARE(elements(r.output), (std::vector<double>{19, 22, 43, 50}));
        QCOMPARE(r.libraryCalls, std::vector<std::string>{"cublasSgemm_v2"});
    }
    void dictsAndListsArrive() {
        const tensor::Dict parameters{{"weight", floats({2, 2})}, {"bias", tensor::Value()}};
        const auto r =
            m_machine.run(bound(R"(
            torch::Tensor forward(torch::Tensor x, py::dict parameters, std::vector<torch::Tensor> more, double factor) {
                auto y = x * parameters["weight"].cast<torch::Tensor>() * factor;
                if (!parameters["bias"].is_none()) y = y + 1000;
                for (auto& t : more) y = y + t;
                return parameters.contains("gamma") ? x : y;
            })"),
                          {floats({1, 2}), parameters, tensor::List{floats({10, 10}), floats({100, 100})}, 3});
        expectEnd(r, RunEnd::finished);
        QCOMPARE(elements(r.output), (std::vector<double>{116, 122}));
    }
    void severalOutputsComeInOrder() {
        const auto r = m_machine.run(bound(R"(
            std::tuple<torch::Tensor, torch::Tensor> forward(torch::Tensor x) { return {x + 1, x.sum()}; })"),
                                     {floats({1, 2})});
        expectEnd(r, RunEnd::finished);
        const auto* both = r.output.as<tensor::List>();
        QVERIFY(both && both->size() == 2);
        QCOMPARE(elements((*both)[0]), (std::vector<double>{2, 3}));
        QCOMPARE(elements((*both)[1]), (std::vector<double>{3}));
        QCOMPARE(r.firstUnwritten.size(), std::size_t(2));
    }
    void recurrentModulesHaveNamedParameters() {
        const auto r = m_machine.run(bound(R"(
            #include <torch/torch.h>
            torch::Tensor forward(torch::Tensor x, torch::Tensor c0) {
                torch::nn::LSTM lstm(torch::nn::LSTMOptions(1, 1).num_layers(1).batch_first(true));
                lstm->to(x.device());
                for (auto name : {"weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0"})
                    lstm->named_parameters()[name].zero_();
                auto made = lstm->forward(x, std::make_tuple(torch::zeros_like(c0), c0));
                torch::nn::GRU gru(torch::nn::GRUOptions(1, 1));
                gru->to(x.device());
                if (gru->named_parameters().size() != 4) throw std::runtime_error("parameters");
                try { lstm->named_parameters()["weight_ih_l1"]; return x; } catch (const c10::Error&) {}
                return std::get<0>(made).reshape({2});
            })"),
                                     {tensor::Tensor(tensor::DType::Float32, {1, 2, 1}), cell()});
        expectEnd(r, RunEnd::finished);
        // All gates are 1/2 and the candidate is 0: c halves at each step, h is half its tanh.
        const std::vector<double> h = elements(r.output);
        QCOMPARE(h.size(), std::size_t(2));
        QVERIFY(std::abs(h[0] - 0.5 * std::tanh(1.0)) < 1e-6 && std::abs(h[1] - 0.5 * std::tanh(0.5)) < 1e-6);
    }
    void dispatchPicksTheElementType() {
        tensor::Tensor x(tensor::DType::Float64, {2});
        x.set(0, 1.0);
        x.set(1, 1e-300);
        const auto r = m_machine.run(bound(R"(
            template <class T> __global__ void twice(T* x, int n) { if (threadIdx.x < n) x[threadIdx.x] *= 2; }
            torch::Tensor forward(torch::Tensor x) {
                auto y = x.clone();
                AT_DISPATCH_FLOATING_TYPES(y.scalar_type(), "twice", [&] { twice<scalar_t><<<1, 32>>>(y.data_ptr<scalar_t>(), 2); });
                return y;
            })"),
                                     {x});
        expectEnd(r, RunEnd::finished);
        QCOMPARE(elements(r.output), (std::vector<double>{2, 2e-300}));
    }
    void argumentsThatDoNotFitAreTypeErrors() {
        const std::string source = bound("torch::Tensor forward(torch::Tensor x, int n) { return x; }");
        expectEnd(m_machine.run(source, {floats({1}), 2}), RunEnd::finished);
        const auto r = m_machine.run(source, {floats({1}), 2.5});
        expectEnd(r, RunEnd::host_exception);
        QVERIFY2(r.reason.starts_with("TypeError: forward(): incompatible function arguments"), r.reason.c_str());
        expectEnd(m_machine.run(source, {floats({1})}), RunEnd::host_exception);
    }
    void launchesOverTheLimitsAreRefused() {
        const std::string launch = std::string(scaleKernel) + R"(
            torch::Tensor forward(torch::Tensor x) {
                auto y = torch::zeros_like(x);
                scale<<<1, 2048>>>(x.data_ptr<float>(), y.data_ptr<float>(), 2.f, 1);
                CHECK
                return y;
            })";
        const auto silent = m_machine.run("#define CHECK\n" + bound(launch), {floats({1})});
        expectEnd(silent, RunEnd::launch_refused);
        QVERIFY2(silent.reason.find("invalid configuration argument") != std::string::npos, silent.reason.c_str());
        const auto checked = m_machine.run("#include <c10/cuda/CUDAException.h>\n"
                                           "#define CHECK C10_CUDA_CHECK(cudaGetLastError());\n" +
                                               bound(launch),
                                           {floats({1})});
        expectEnd(checked, RunEnd::launch_refused);
    }
    void endlessLoopsEndInTime() {
        verify::RunRequest request;
        request.arguments = {floats({1})};
        request.timeLimit = std::chrono::milliseconds(300);
        expectEnd(m_machine.run(bound(R"(
            torch::Tensor forward(torch::Tensor x) { volatile int i = 0; while (i >= 0) i = i ^ 1; return x; })"),
                                request),
                  RunEnd::timeout);
        expectEnd(m_machine.run(bound(R"(
            __global__ void spin(volatile float* x) { while (x[0] == 1.f) {} }
            torch::Tensor forward(torch::Tensor x) { spin<<<1, 1>>>(x.data_ptr<float>()); return x; })"),
                                request),
                  RunEnd::timeout);
    }
    void libraryOperatorsEndInTime() {
        verify::RunRequest request;
        request.arguments = {tensor::Tensor(tensor::DType::Float32, {8, 64, 128, 128}),
                             tensor::Tensor(tensor::DType::Float32, {64, 64, 7, 7})};
        request.timeLimit = std::chrono::milliseconds(400);
        const auto r = m_machine.run(bound(R"(
            torch::Tensor forward(torch::Tensor x, torch::Tensor w) {
                for (int i = 0; i < 1000; ++i) x = torch::conv2d(x, w, {}, 1, 3);
                return x;
            })"),
                                     request);
        expectEnd(r, RunEnd::timeout);
        QVERIFY2(r.reason.find("time limit") != std::string::npos, r.reason.c_str());
    }
    void hostCodeMayNotReadDeviceMemory() {
        const auto r = m_machine.run(bound(R"(
            torch::Tensor forward(torch::Tensor x) { if (x.data_ptr<float>()[0] > 5) throw std::runtime_error("large"); return x; })"),
                                     {floats({1})});
        expectEnd(r, RunEnd::crashed);
        QVERIFY2(r.reason.find("segmentation fault") != std::string::npos, r.reason.c_str());
    }
    void kernelsMayNotReadHostMemory() {
        const auto r = m_machine.run(bound(std::string(scaleKernel) + R"(
            torch::Tensor forward(torch::Tensor x) {
                auto y = torch::zeros({1});
                scale<<<1, 1>>>(y.data_ptr<float>(), x.data_ptr<float>(), 2.f, 1);
                return x;
            })"),
                                     {floats({1})});
        QVERIFY(!r.faults.empty() || r.end == RunEnd::crashed);
        const std::string text = r.faults.empty() ? r.reason : r.faults[0].kind + r.faults[0].message;
        QVERIFY2(text.find("host") != std::string::npos || text.find("illegal memory access") != std::string::npos,
                 text.c_str());
    }
    void modulesOfAnotherNameAreNotImported() {
        const auto r = m_machine.run(R"(
            torch::Tensor forward(torch::Tensor x) { return x; }
            PYBIND11_MODULE(other, m) { m.def("forward", &forward); })",
                                     {floats({1})});
        expectEnd(r, RunEnd::import_error);
        QVERIFY2(r.reason.starts_with("ImportError: dynamic module does not define module export function"),
                 r.reason.c_str());
    }
    void namedArgumentsHaveDefaults() {
        const auto r = m_machine.run(R"(
            torch::Tensor forward(torch::Tensor x, double scale, bool twice) { return x * scale * (twice ? 2 : 1); }
            PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
                m.def("forward", &forward, py::arg("x"), py::arg("scale") = 1.5, py::arg("twice") = true);
            })",
                                     {floats({1, 2})});
        expectEnd(r, RunEnd::finished);
        QCOMPARE(elements(r.output), (std::vector<double>{3, 6}));
    }
    void uninitialisedOperandsAreFaults() {
        const auto r = m_machine.run(bound(R"(
            torch::Tensor forward(torch::Tensor x) { return torch::relu(torch::empty_like(x)) + x; })"),
                                     {floats({1})});
        QVERIFY(!r.faults.empty());
        QCOMPARE(r.faults[0].kind, std::string("uninitialised_read"));
        QVERIFY(r.faults[0].message.find("aten.relu.default") != std::string::npos);
    }
    void memoryEndsInTorchsWords() {
        verify::RunRequest request;
        request.arguments = {floats({1})};
        host::EmulatorSettings settings;
        settings.capacity = 64 << 20;
        const auto r = m_machine.run(bound(R"(
            torch::Tensor forward(torch::Tensor x) { return torch::zeros({1 << 28}, x.options()); })"),
                                     request, settings);
        expectEnd(r, RunEnd::host_exception);
        QVERIFY2(r.reason.find("CUDA out of memory. Tried to allocate 1.00 GiB") != std::string::npos,
                 r.reason.c_str());
    }
    void unknownCallsAreNamed() {
        const auto r = m_machine.run(bound(R"(
            torch::Tensor forward(torch::Tensor x) {
                kl::cuda("cudaMemPoolTrimTo", {}); return x;
            })"),
                                     {floats({1})});
        expectEnd(r, RunEnd::unsupported);
        QCOMPARE(r.reason, std::string("cudaMemPoolTrimTo"));
    }
    void printedTextIsKept() {
        const auto r = m_machine.run(bound(R"(
            __global__ void hello() { printf("device %d\n", int(threadIdx.x)); }
            torch::Tensor forward(torch::Tensor x) {
                std::cout << "host " << 1.5 << std::endl;
                printf("%s %d\n", "printf", 7);
                hello<<<1, 1>>>();
                return x;
            })"),
                                     {floats({1})});
        expectEnd(r, RunEnd::finished);
        QCOMPARE(r.printed, std::string("host 1.5\nprintf 7\ndevice 0\n"));
    }
    void cancelledRunsSaySo() {
        std::stop_source source;
        verify::RunRequest request;
        request.arguments = {floats({1})};
        request.stop = source.get_token();
        std::jthread later([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
            source.request_stop();
        });
        expectEnd(m_machine.run(bound(R"(
            torch::Tensor forward(torch::Tensor x) { volatile int i = 0; while (i >= 0) i = i ^ 1; return x; })"),
                                request),
                  RunEnd::cancelled);
    }
};

} // namespace kernelarium::test

KERNELARIUM_TEST(kernelarium::test::TestEndToEnd);
#include "TestEndToEnd.moc"
