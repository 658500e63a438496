// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/compile/NamedParts.h"

#include "gpu/compile/PreludeCache.h"
#include "gpu/compile/Toolkit.h"
#include "resources/ShimHeaders.h"
#include "tests/TestRegistry.h"

#include <QtTest>

#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

using namespace kernelarium::compile;
using Prelude = PreludeCache::Prelude;

/// What the shim is compiled without where a source does not name it.
class NamedPartsTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void names_data();
    void names();
    void includes();
    void unitsAreTheSameWithoutThem_data();
    void unitsAreTheSameWithoutThem();
    void headersAreCompleteWithoutThem();

private:
    static Nvrtc* nvrtc();
    static const std::vector<std::string>& options();
};

Nvrtc* NamedPartsTest::nvrtc() {
    static kernelarium::Result<std::unique_ptr<Nvrtc>> loaded = Nvrtc::load(Toolkit::find().nvrtc);
    return loaded ? loaded->get() : nullptr;
}

/// Those of a compile, but for the toolkit's headers.
const std::vector<std::string>& NamedPartsTest::options() {
    static const std::vector<std::string> all{"-arch=compute_90", "-std=c++17", "-default-device", "-rdc=true",
                                              "-lineinfo"};
    return all;
}

void NamedPartsTest::names_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("named");
    const auto row = [](const char* text, bool named) { QTest::newRow(text) << QString::fromUtf8(text) << named; };
    row("torch::Tensor forward(torch::Tensor x) { return torch::empty_like(x); }", false);
    row("if (cudaGetLastError() != cudaSuccess) throw std::runtime_error(cudaGetErrorString(e));", false);
    row("int n, nnn, inner_nn, kl_div, cudaMallocs;", false);
    row("auto y = torch::nn::functional::relu(x);", true);
    row("#include <torch/nn.h>", true);
    row("struct F : torch::autograd::Function<F> {};", true);
    row("c10::InferenceMode guard;", true);
    row("TORCH_LIBRARY(mine, m) {}", true);
    row("cudaMalloc(&p, n);", true);
    row("cudaMemcpy(p, q, n, cudaMemcpyDeviceToHost);", true);
    row("cudaDeviceProp p; cudaGetDeviceProperties(&p, 0);", true);
    row("#define CALL(name) cuda##name", true);
    row("cudaMa\\\nlloc(&p, n);", true);
    row("cudaMa\\\r\nlloc(&p, n);", true);
    row("#define MAX(a, b) \\\n    ((a) > (b) ? (a) : (b))", false);
}

void NamedPartsTest::names() {
    QFETCH(QString, text);
    QFETCH(bool, named);
    QCOMPARE(namesParts(text.toStdString()), named);
}

void NamedPartsTest::includes() {
    const auto reaches = [](const char* name, Prelude prelude) {
        return includesParts({name}, PreludeCache::headerOf(prelude));
    };
    for (const char* name : {"torch/extension.h", "cuda_runtime.h", "cuda.h", "vector", "ATen/ATen.h", "cmath",
                             "c10/cuda/CUDAException.h", "c10/cuda/CUDAStream.h", "pybind11/stl.h"})
        QVERIFY2(!reaches(name, Prelude::torch), name);
    for (const char* name : {"ATen/cuda/CUDAContext.h", "c10/cuda/CUDACachingAllocator.h", "mine.h", "MACRO"})
        QVERIFY2(reaches(name, Prelude::torch), name);
    QVERIFY(!reaches("cuda_runtime.h", Prelude::plain));
    QVERIFY(reaches("torch/types.h", Prelude::plain));
}

void NamedPartsTest::unitsAreTheSameWithoutThem_data() {
    QTest::addColumn<QString>("file");
    for (const char* file : {"level_1/001/shared_tiles.cu", "level_1/023/naive.cu", "level_1/036/naive.cu"})
        QTest::newRow(file) << QString::fromUtf8(file);
}

/// The very same PTX: that of the parts is all inline, and a module's variables are in its PTX whether used or not.
void NamedPartsTest::unitsAreTheSameWithoutThem() {
    if (!nvrtc()) QSKIP("there is no CUDA toolkit");
    QFETCH(QString, file);
    std::ifstream in(std::string(KERNELARIUM_SOURCE_DIR "/archive_data/kernels/") + file.toStdString());
    const std::string source{std::istreambuf_iterator<char>(in), {}};
    QVERIFY(!source.empty() && !namesParts(source));
    PreludeCache cache;
    const Nvrtc::Output whole = cache.compile(*nvrtc(), source, options(), Prelude::torch);
    const Nvrtc::Output without = cache.compile(*nvrtc(), source, options(), Prelude::shortTorch);
    QVERIFY2(whole.ok && without.ok, (whole.log + without.log).c_str());
    QVERIFY(whole.ptx.find(".entry") != std::string::npos);
    QVERIFY(whole.ptx == without.ptx);
    QCOMPARE(whole.log, without.log);
}

/// Whatever may be included behind it has what it needs of the parts.
void NamedPartsTest::headersAreCompleteWithoutThem() {
    if (!nvrtc()) QSKIP("there is no CUDA toolkit");
    PreludeCache cache;
    for (const Prelude prelude : {Prelude::shortTorch, Prelude::shortPlain}) {
        std::string source;
        int count = 0;
        for (const kernelarium::resources::ShimHeader& header : kernelarium::resources::shimHeaders()) {
            const std::string name = header.name, text = header.text;
            const bool ofToolkit = text.find("#include <") != std::string::npos || name.starts_with("cub/") ||
                                   name.starts_with("cuda/") || name.starts_with("cuda_awb") ||
                                   name.starts_with("cuda_pip");
            if (name.starts_with("kernelarium/") || ofToolkit) continue;
            if (includesParts({name}, PreludeCache::headerOf(prelude))) continue;
            source += "#include <" + name + ">\n";
            ++count;
        }
        QVERIFY(count > 50);
        source += "__global__ void k(float* x) { x[0] = 1; }\n";
        const Nvrtc::Output out = cache.compile(*nvrtc(), source, options(), prelude);
        QVERIFY2(out.ok, out.log.c_str());
    }
}

KERNELARIUM_TEST(NamedPartsTest);
#include "NamedPartsTest.moc"
