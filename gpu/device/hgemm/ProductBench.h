// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hgemm/laboratory/Measurement.h"
#include "gpu/device/hgemm/FamilyKernels.h"
#include "gpu/device/timing/TimingQueue.h"
#include "gpu/device/vendor/VendorOperators.h"

#include <functional>
#include <memory>
#include <vector>

namespace kernelarium::device {

/// Where half-precision products of one shape are computed in several ways, checked and timed. Operands stay from
/// request to request of the same shape.
class ProductBench {
public:
    /// Errors: those of TimingQueue::create and FamilyKernels::open.
    static Result<std::unique_ptr<ProductBench>> open(std::shared_ptr<DeviceContext> context,
                                                      std::shared_ptr<DevicePool> pool,
                                                      std::shared_ptr<VendorOperators> vendors,
                                                      const compile::Toolkit& toolkit);
    ~ProductBench();
    ProductBench(const ProductBench&) = delete;
    ProductBench& operator=(const ProductBench&) = delete;

    [[nodiscard]] FamilyKernels& kernels() { return *m_kernels; }
    /// A subject that is refused, wrong or not there has its error in the answer. Errors: "out_of_memory", "timeout",
    /// "cancelled", "device_lost", those of the driver.
    Result<hgemm::MeasureAnswer> measure(const hgemm::MeasureRequest& request, const TimingQueue::Limits& limits);

private:
    using Work = TimingQueue::Work;
    struct Contender {
        std::size_t subject = 0; ///< of the request
        Work work;
        double seconds = 0; ///< of a call, hot, roughly
        std::vector<perf::Sample> samples;
    };
    ProductBench() = default;
    Result<void> place(const hgemm::Shape& shape, const TimingQueue::Limits& limits);
    Result<void> fill(std::uint64_t address, std::int64_t rows, std::int64_t columns, bool turned, unsigned seed);
    void giveBack();
    Result<void> makeRoom(const hgemm::MeasureRequest& request);
    Result<Work> workOf(const hgemm::MeasureRequest& request, const hgemm::Subject& subject,
                        const TimingQueue::Limits& limits, std::string& note);
    Result<Work> familyWork(const hgemm::Configuration& configuration);
    Result<Work> ltWork(const hgemm::MeasureRequest& request, const hgemm::Subject& subject,
                        const TimingQueue::Limits& limits, std::string& note);
    [[nodiscard]] operators::MatrixProduct productOf(hgemm::Layout layout) const;
    Result<double> roughly(const Work& work, bool cold, const TimingQueue::Limits& limits);
    Result<hgemm::Check> check(const Work& work, bool halfSums, const TimingQueue::Limits& limits);
    Result<void> sampleDevice(std::vector<Contender>& contenders, const hgemm::MeasureRequest& request,
                              const TimingQueue::Limits& limits);
    Result<void> sampleOffline(std::vector<Contender>& contenders, const hgemm::MeasureRequest& request,
                               const TimingQueue::Limits& limits);
    Result<void> sampleServer(std::vector<Contender>& contenders, const hgemm::MeasureRequest& request,
                              const TimingQueue::Limits& limits);
    [[nodiscard]] bool allQuiet(const std::vector<Contender>& contenders, const perf::StopRule& rule,
                                double seconds) const;

    std::shared_ptr<DeviceContext> m_context;
    std::shared_ptr<DevicePool> m_pool;
    std::shared_ptr<VendorOperators> m_vendors;
    std::unique_ptr<FamilyKernels> m_kernels;
    std::unique_ptr<TimingQueue> m_queue;
    hgemm::Shape m_shape;
    Slab m_a, m_bTn, m_bNn, m_c, m_other, m_partial, m_judged;
    double m_prefix = 0; ///< the largest partial sum that was seen, of this shape
};

} // namespace kernelarium::device
