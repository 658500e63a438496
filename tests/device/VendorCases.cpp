// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/device/VendorCases.h"

#include "tests/device/Gpu.h"

#include <cmath>
#include <fmt/format.h>

namespace kernelarium::test {

tensor::Tensor values(tensor::DType type, tensor::Shape shape, int seed) {
    tensor::Tensor t(type, std::move(shape));
    for (std::int64_t i = 0; i < t.count(); ++i)
        t.set(i, double((i * 37 + seed * 11) % 101) / 50.0 - 1.0);
    return t;
}

double difference(operators::Device& device, const operators::DeviceTensor& got,
                  const operators::DeviceTensor& expected) {
    const tensor::Tensor g = device.download(operators::dense(device, got)),
                         e = device.download(operators::dense(device, expected));
    double worst = 0, largest = 0;
    for (std::int64_t i = 0; i < e.count(); ++i) {
        largest = std::max(largest, std::abs(e.at(i)));
        worst = std::max(worst, std::isfinite(g.at(i)) ? std::abs(g.at(i) - e.at(i)) : 1e30);
    }
    return worst / std::max(largest, 1e-30);
}

QByteArray notAsEmulated(const std::string& source, const std::vector<tensor::Value>& arguments, double allowed) {
    const verify::RunResult there = Gpu::instance().run(source, arguments),
                            here = Gpu::instance().emulate(source, arguments);
    if (here.end != verify::RunEnd::finished) return QByteArray::fromStdString("in the emulator: " + here.reason);
    if (there.end != verify::RunEnd::finished) return QByteArray::fromStdString("on the GPU: " + there.reason);
    for (const std::string& remark : there.remarks)
        if (remark.find("processor") != std::string::npos) return QByteArray::fromStdString(remark);
    if (!there.guardViolations.empty()) return QByteArray::fromStdString(there.guardViolations.front());
    const std::vector<double> got = elements(there.output), expected = elements(here.output);
    if (got.size() != expected.size()) return "another number of elements";
    for (std::size_t i = 0; i < got.size(); ++i)
        if (!(std::abs(got[i] - expected[i]) <= allowed + 2e-3 * std::abs(expected[i])))
            return QByteArray::fromStdString(fmt::format("element {}: {} instead of {}", i, got[i], expected[i]));
    return {};
}

} // namespace kernelarium::test
