// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/algebra/graph/Graph.h"
#include "core/kernelgen/convolution/Description.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace kernelarium::kernelgen::convolution {

using algebra::Combine;
using algebra::Definition;
using algebra::Graph;
using algebra::Index;
using algebra::Read;
using algebra::Tensor;
using algebra::TensorId;

/// What has no form.
struct Refusal {
    std::string what;
};

/// Goes through a graph from its convolution to its output, and describes what it meets.
class Matcher {
public:
    /// `like`: the same at another size, for what an axis of one point does not show; may be null.
    Matcher(const Graph& graph, const Description* like)
        : m_graph(graph)
        , m_like(like) {}
    Description run();

private:
    /// The one tensor that is a sum of products of two inputs of rank 4 or 5 over channels and a window.
    TensorId theConvolution() const;
    void takeConvolution(TensorId id);

    void takeGroups(TensorId id);

    bool readsLevel(const Tensor& t) const;
    void follow(TensorId id);

    /// The chain that steps are added to.
    Chain& chain();
    [[nodiscard]] Each eachOf(const Operand& operand);
    /// What is read has to be what the chain has come to.
    void needResult(TensorId source, const std::string& reader);
    /// The tensor becomes what the next chain is given; it exists for each of these.
    void nextLevel(TensorId value, Each each);

    /// Whether some tensor is the sum of squared distances of `source` from this mean.
    bool isMeanOfNorm(TensorId mean, TensorId source) const;
    /// The mean, the sum of squared distances and the scale of a norm, which are taken together.
    bool normStatistics(TensorId id, const Definition& d);
    Norm normOf(TensorId id, const Definition& d);
    /// 1 / sqrt(squares / count + epsilon)
    void takeScale(const Tensor& t, const algebra::Expression& e);
    /// Whether a norm's statistic is read as that of the element's image and filter.
    bool readsNorm(const Read& r, int filterAxis);
    [[nodiscard]] Norm& norm() { return m_d.lateNorm ? *m_d.lateNorm : *m_d.norm; }
    /// What the norm is of is stored, and normalised in place. False where the steps do not part there.
    bool makeLate();

    /// How a tensor of the level has its axes.
    struct Axes {
        bool hasFilters = true; ///< an axis of the filters, or of one in their place
        std::size_t places = 2; ///< the first spatial axis
    };
    Axes axesOf(const Tensor& t) const;
    /// After a sum over space: images, filters, and any number of axes of one place.
    Axes summaryAxesOf(const Tensor& t) const;

    /// The sum or mean of a whole plane or volume, or of that and the filters.
    bool overSpace(TensorId id, const Definition& d);
    /// The combination along the slowest axis.
    bool alongLine(TensorId id, const Definition& d);
    /// The sum or mean of all that is left.
    bool overAll(TensorId id, const Definition& d);
    /// A mean over space that is read beside what it is the mean of.
    void takeAverage(TensorId id, const Definition& d);

    /// A formula at each place; with `combine`, over the filters.
    void pointwise(TensorId id, const Definition& d);
    void combination(TensorId id, const Definition& d, const Axes& axes);
    Operand operandOf(const Read& r, const Tensor& reader, const Axes& axes, int filterAxis, std::int64_t range);
    std::size_t parameter(const std::string& name);

    /// A window for each output, side by side.
    void pool(TensorId id, const Definition& d);

    /// Moves what may be behind the pool there, and decides what is stored before it is normalised.
    void move();
    void chooseLate();
    void divide();

    const Graph& m_graph;
    const Description* m_like;
    Description m_d;
    algebra::Extents m_extents;          ///< of the level that the chain is at
    std::map<TensorId, Operand> m_level; ///< tensors of this level
    std::map<TensorId, Operand> m_left;  ///< of levels before a pool
    Each m_value = Each::filter;         ///< what the value that the chain is given exists for
    std::int64_t m_others = 0;
    std::vector<std::int64_t> m_windows;
    std::optional<TensorId> m_mean, m_squares; ///< of the norm
    std::int64_t m_perNorm = 1;                ///< elements that share a mean
    Chain m_after;                             ///< what stood between pools
};

/// The factor of a plain term of this axis; 0 where there is none. Refusal where the term is a quotient.
[[nodiscard]] std::int64_t factorOf(const Index& index, int axis);
[[nodiscard]] bool isConstant(const Index& index);
/// Exactly the value of this axis.
[[nodiscard]] bool isAxis(const Index& index, int axis);

} // namespace kernelarium::kernelgen::convolution
