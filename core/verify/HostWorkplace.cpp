// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verify/Workplace.h"

#include "core/verify/Chunks.h"
#include "core/verify/TensorHash.h"

#include <cmath>

namespace kernelarium::verify {

namespace {

using tensor::Tensor;

class HostWorkplace final : public Workplace {
public:
    Result<Tensor> draw(const TensorPlan& plan, std::size_t index, std::uint64_t seed, std::uint32_t stream) override {
        return drawTensor(plan, index, seed, stream);
    }
    Result<Tensor> scaled(const Tensor& t, double factor) override {
        Tensor result = Tensor::uninitialised(t.dtype(), t.shape());
        for (std::int64_t e = 0; e < t.count(); ++e)
            result.set(e, factor * t.at(e));
        return result;
    }
    Result<Tensor> mixed(const Tensor& t, const Tensor& other, const std::vector<Sampling>& changed) override {
        Tensor result = t.clone();
        for (const Sampling& s : changed)
            for (std::int64_t i = 0; i < s.count; ++i)
                result.set(s.first + i * s.step, other.at(s.first + i * s.step));
        return result;
    }
    Result<Tensor> filled(const Tensor& like, double value) override {
        Tensor t = Tensor::uninitialised(like.dtype(), like.shape());
        for (std::int64_t i = 0; i < t.count(); ++i)
            t.set(i, value);
        return t;
    }
    Result<Tensor> converted(const Tensor& t, tensor::DType type, tensor::Shape shape) override {
        return t.to(type).reshaped(std::move(shape));
    }

    Result<std::vector<double>> elements(const Tensor& t, const Sampling& which) override {
        std::vector<double> found;
        for (std::int64_t i = 0; i < which.count; ++i)
            found.push_back(t.at(which.first + i * which.step));
        return found;
    }
    Result<double> rms(const Tensor& t) override { return rootMeanSquare(t); }
    Result<double> mean(const Tensor& t) override {
        const auto sumOf = [&](std::int64_t from, std::int64_t to) {
            double sum = 0;
            const auto add = [&](const auto& element) {
                for (std::int64_t i = from; i < to; ++i)
                    sum += element(i);
            };
            if (t.dtype() == tensor::DType::Float64)
                add([values = t.data<double>()](std::int64_t i) { return values[i]; });
            else
                add([&](std::int64_t i) { return t.at(i); });
            return sum;
        };
        double sum = 0;
        for (const double part : chunkwise<double>(t.count(), sumOf))
            sum += part;
        return t.count() ? sum / double(t.count()) : 0;
    }
    Result<bool> allFinite(const Tensor& t) override {
        for (std::int64_t i = 0; i < t.count(); ++i)
            if (!std::isfinite(t.at(i))) return false;
        return true;
    }
    Result<bool> sameBits(const Tensor& a, const Tensor& b) override {
        if (a.dtype() != b.dtype() || a.shape() != b.shape()) return false;
        return a.sharesElements(b) || hashOf(a) == hashOf(b);
    }
    Result<Comparison> compare(const tensor::Value& got, const tensor::Value& reference,
                               const std::vector<tensor::DType>& expectedTypes, const Tolerance& tolerance) override {
        return verify::compare(got, reference, expectedTypes, tolerance);
    }
    Result<MovementSums> movement(const Tensor& output0, const Tensor& output1, const Tensor& reference0,
                                  const Tensor& reference1) override {
        return movementOf(output0, output1, reference0, reference1);
    }
    Result<ErrorMap> errorMap(const tensor::Value& got, const tensor::Value& reference, std::size_t output,
                              const std::vector<tensor::DType>& expectedTypes, const Tolerance& tolerance) override {
        return verify::errorMap(got, reference, output, expectedTypes, tolerance);
    }
};

} // namespace

Workplace& hostWorkplace() {
    static HostWorkplace place;
    return place;
}

} // namespace kernelarium::verify
