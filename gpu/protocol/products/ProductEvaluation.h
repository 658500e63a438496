// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hgemm/laboratory/Measurement.h"
#include "core/tuning/search/Search.h"
#include "core/tuning/space/Space.h"
#include "gpu/protocol/KernelClient.h"

namespace kernelarium::protocol {

/// A space with one parameter, `configuration`: these, by their keys.
[[nodiscard]] tuning::Space configurationSpace(const std::vector<hgemm::Configuration>& configurations);
/// Of a point's key in such a space.
[[nodiscard]] std::optional<hgemm::Configuration> configurationAt(const tuning::Space& space, const std::string& key);

/// Judges configurations of the HGEMM family by their measured seconds on one shape: a short look first, then a full
/// one, which checks the result as well. One at a time: they share a GPU.
class ProductEvaluation : public tuning::Evaluation {
public:
    ProductEvaluation(KernelClient& client, const tuning::Space& space, hgemm::Shape shape, hgemm::Mode mode,
                      double fullSeconds)
        : m_client(client)
        , m_space(space)
        , m_shape(shape)
        , m_mode(mode)
        , m_fullSeconds(fullSeconds) {}

    static constexpr double shortEffort = 0.1;
    [[nodiscard]] std::vector<double> efforts() const override { return {shortEffort, 1}; }
    [[nodiscard]] Result<tuning::Outcome> evaluate(const tuning::Candidate& candidate, std::stop_token stop) override;
    [[nodiscard]] const std::string& device() const { return m_device; } ///< that measured; empty before

private:
    KernelClient& m_client;
    const tuning::Space& m_space;
    hgemm::Shape m_shape;
    hgemm::Mode m_mode;
    double m_fullSeconds;
    std::string m_device;
};

/// What is to be tuned.
struct ProductSearch {
    hgemm::Shape shape;
    hgemm::Mode mode = hgemm::Mode::hot;
    std::vector<hgemm::Configuration> configurations; ///< those of which most is hoped first
    std::filesystem::path store;                      ///< a file of its own; empty: nothing is kept
    double fullSeconds = 0.05;                        ///< of a full look
    double fullLooks = 12;                            ///< besides a short one of each
    std::optional<double> secondsAtMost;              ///< after which no further look is begun
    std::function<void(const tuning::Progress&)> progress;
};
/// Successive halving over the configurations; those that are right, the fastest first. Errors: those of tuning::Store
/// and KernelClient::measureProducts.
[[nodiscard]] Result<std::vector<hgemm::Configuration>>
searchProducts(KernelClient& client, const ProductSearch& search, std::stop_token stop);

} // namespace kernelarium::protocol
