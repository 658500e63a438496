// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/service/ProductService.h"

#include "gpu/device/hgemm/ProductBench.h"
#include "gpu/device/run/RunOperators.h"

#include <chrono>

namespace kernelarium::service {

ProductService::ProductService(GpuTarget& gpu)
    : m_gpu(gpu) {}
ProductService::~ProductService() = default;

void ProductService::forget() {
    m_bench.reset();
}

Result<void> ProductService::open() {
    if (m_bench) return {};
    if (Result<void> opened = m_gpu.open(); !opened) return opened;
    const device::OperatorParts& parts = m_gpu.operatorParts();
    if (!parts.vendors) return Error{"missing_component", parts.missing, "Install the CUDA Toolkit."};
    Result<std::unique_ptr<device::ProductBench>> bench =
        device::ProductBench::open(m_gpu.context(), m_gpu.pool(), parts.vendors, compile::Toolkit::find());
    if (!bench) return bench.error();
    m_bench = std::move(*bench);
    return {};
}

Result<nlohmann::json> ProductService::handle(const protocol::Request& request, const Service::Progress& progress,
                                              const std::stop_token& stop) {
    if (Result<void> opened = open(); !opened) return opened.error();
    if (request.method == "hgemm.prepare") {
        std::vector<hgemm::Configuration> configurations;
        for (const nlohmann::json& key : request.params.value("configurations", nlohmann::json::array()))
            if (const auto c = hgemm::configurationOf(key.is_string() ? key.get<std::string>() : std::string()))
                configurations.push_back(*c);
            else
                return Error{"bad_request", "There is no such configuration: " + key.dump()};
        progress("compiling");
        m_bench->kernels().prepare(configurations, stop);
        return nlohmann::json::object();
    }
    if (request.method != "hgemm.measure")
        return Error{"bad_request", "The run worker has no method " + request.method + "."};
    const Result<hgemm::MeasureRequest> wanted = hgemm::measureRequestFromJson(request.params);
    if (!wanted) return wanted.error();
    const auto longest = std::chrono::milliseconds(std::int64_t(wanted->timeLimit * 1000));
    const Result<hgemm::MeasureAnswer> answer =
        m_bench->measure(*wanted, {std::chrono::steady_clock::now() + longest, stop});
    if (!answer) return answer.error();
    return hgemm::toJson(*answer);
}

} // namespace kernelarium::service
