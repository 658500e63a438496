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

    void earlyProductsAreToldOfLaunchedKernels() {
        const auto source = [](const char* first, const char* second) {
            return bound(std::string(R"(
#line 100 "kernel.cu"
template <int K> __global__ void twice(float* c) {
    __shared__ __align__(128) int s[1024];
    for (int i = threadIdx.x; i < 1024; i += 128) s[i] = 0;
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    float d[4];
    const unsigned long long at = (__cvta_generic_to_shared(s) & 0x3ffff) >> 4 | 8ull << 16 | 16ull << 32;
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0,%1,%2,%3}, %4, %4, 0, 1, 1, 0, 0;" : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "l"(at));
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    )") + first + "\n    " +
                         second + R"(
}
torch::Tensor forward(torch::Tensor a, bool other) {
    auto c = torch::empty({128}, a.options());
    if (other) twice<2><<<1, 128>>>(c.data_ptr<float>());
    else cudaMemset(c.data_ptr<float>(), 0, 512);
    return c;
})");
        };
        const char* wait = "asm volatile(\"wgmma.wait_group.sync.aligned 0;\" ::: \"memory\");";
        const char* store = "c[threadIdx.x] = d[0] + d[1];";
        const auto told = [](const verify::RunResult& r) {
            return std::count_if(r.faults.begin(), r.faults.end(),
                                 [](const verify::Fault& f) { return f.kind == "product_registers"; });
        };
        const auto bad = m_machine.run(source(store, wait), {floats({1}), true});
        expectEnd(bad, RunEnd::finished);
        QCOMPARE(told(bad), 1);
        QCOMPARE(elements(bad.output), std::vector<double>(128, 0));
        const auto fault = std::find_if(bad.faults.begin(), bad.faults.end(),
                                        [](const verify::Fault& f) { return f.kind == "product_registers"; });
        QCOMPARE(fault->kernel, bad.launches.at(0).kernel);
        QCOMPARE(fault->line, 110);
        QVERIFY(fault->other);
        QCOMPARE(fault->other->line, 108);
        QCOMPARE(told(m_machine.run(source(wait, store), {floats({1}), true})), 0);
        QCOMPARE(told(m_machine.run(source(store, wait), {floats({1}), false})), 0);
        verify::RunRequest unchecked;
        unchecked.arguments = {floats({1}), true};
        unchecked.checks = false;
        QCOMPARE(told(m_machine.run(source(store, wait), std::move(unchecked))), 0);
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
