// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/operators/DeviceComparison.h"

#include "gpu/operators/Elementwise.h"

#include <cmath>

#include <fmt/format.h>

namespace kernelarium::operators {

using tensor::DType;
using tensor::Shape;
using tensor::Tensor;

namespace {

/// A reference tensor, wherever it is: `tile` gives the device address of elements from `first` on.
struct ComparedReference {
    DType dtype = DType::Float64;
    Shape shape;
    std::function<Address(std::int64_t first, std::int64_t count)> tile;
};

/// Launches over a tile and merges what its blocks found.
class TileReader {
public:
    TileReader(Device& device, std::int64_t tileElements)
        : m_device(device)
        , m_tile(std::max<std::int64_t>(tileElements, 1)) {}

    /// Calls f(part) for every block's part, f(address, first, count) having been set into the arguments.
    template <class Part, class Set, class Take>
    void run(const std::string& function, std::int64_t elements, CompareArguments a, Set set, Take take) {
        for (std::int64_t first = 0; first < elements; first += m_tile) {
            m_device.checkStop();
            a.first = first;
            a.count = std::min(m_tile, elements - first);
            set(a);
            const std::int64_t blocks = std::clamp<std::int64_t>(a.count / 1024, 1, 1024);
            const DeviceTensor parts = m_device.make(DType::UInt8, {blocks * std::int64_t(sizeof(Part))});
            a.parts = parts.address();
            m_device.launch({"checks", function, "CompareArguments", true}, {std::uint32_t(blocks), 1, 1},
                            Device::threadsPerBlock, a);
            std::vector<Part> found(static_cast<std::size_t>(blocks));
            valueOf(m_device.machine().read(a.parts, std::as_writable_bytes(std::span(found))));
            for (const Part& p : found)
                take(p);
        }
    }

private:
    Device& m_device;
    std::int64_t m_tile;
};

struct Squares {
    double sum = 0;
    std::int64_t finite = 0;
    [[nodiscard]] double rms() const { return finite ? std::sqrt(sum / double(finite)) : 0.0; }
};
Squares squaresOf(Device& device, const ComparedReference& reference, std::int64_t tileElements) {
    Squares s;
    TileReader(device, tileElements)
        .run<SquaresPart>(
            fmt::format("squaresOf<{}>", cudaName(reference.dtype)), tensor::elementCount(reference.shape), {},
            [&](CompareArguments& a) { a.expected = reference.tile(a.first, a.count); },
            [&](const SquaresPart& p) { s.sum += p.sum, s.finite += p.finite; });
    return s;
}

/// Why the outputs cannot be compared; fills in the remarks.
std::string structureError(std::size_t o, const DeviceTensor& got, const ComparedReference& reference, DType expected,
                           bool typesKnown, verify::Comparison& result) {
    const std::string where = "output " + std::to_string(o);
    if (got.shape != reference.shape) {
        if (verify::withoutUnits(got.shape) != verify::withoutUnits(reference.shape))
            return where + " has shape " + tensor::toString(got.shape) + ", the reference " +
                   tensor::toString(reference.shape);
        result.unitDimensions = true;
    }
    const bool exact = !tensor::isFloating(expected);
    const std::string types =
        fmt::format("{} is {}, the reference {}", where, tensor::name(got.dtype), tensor::name(expected));
    if (exact == tensor::isFloating(got.dtype)) return types;
    if (got.dtype != expected && !(exact && !typesKnown)) result.dtypeRemarks.push_back(types);
    return {};
}

/// The element of a dense tensor on the device, as a double.
double elementAt(Device& device, Address tensor, DType type, std::int64_t index) {
    tensor::Tensor one(type, {});
    valueOf(device.machine().read(tensor + std::uint64_t(index) * tensor::byteSize(type), one.bytes()));
    return one.at(0);
}

/// The first mismatches of one output, in the comparison that a caller sees.
void noteMismatch(Device& device, std::size_t output, Long element, const DeviceTensor& got,
                  const ComparedReference& reference, std::optional<verify::Mismatch>& into) {
    if (element < 0 || into) return;
    Shape index(reference.shape.size());
    std::int64_t flat = element;
    for (std::size_t d = index.size(); d-- > 0; flat /= reference.shape[d])
        index[d] = flat % reference.shape[d];
    const double expected = elementAt(device, reference.tile(element, 1), reference.dtype, 0);
    into = verify::Mismatch{output, index, expected, elementAt(device, got.address(), got.dtype, element)};
}

struct Judged {
    ComparePart part{0, 0, 0, -1, -1, 0, 0, 0};
    void take(const ComparePart& p) {
        part.beyondStrict += p.beyondStrict;
        part.beyondLegacy += p.beyondLegacy;
        part.unexpectedNan += p.unexpectedNan;
        for (auto first : {&ComparePart::firstStrict, &ComparePart::firstLegacy})
            if (p.*first >= 0 && (part.*first < 0 || p.*first < part.*first)) part.*first = p.*first;
        part.largestAbsolute = std::max(part.largestAbsolute, p.largestAbsolute);
        part.largestRelative = std::max(part.largestRelative, p.largestRelative);
        part.squaredError += p.squaredError;
    }
};

verify::Comparison comparedAll(Device& device, std::span<const DeviceTensor> got,
                               const std::vector<ComparedReference>& reference, const std::vector<DType>& expectedTypes,
                               const CompareOptions& options) {
    verify::Comparison result;
    if (got.size() != reference.size()) {
        result.structureError = "forward returned " + std::to_string(got.size()) + " tensors, the reference has " +
                                std::to_string(reference.size());
        return result;
    }
    device.setStop(options.stop);
    double total = 0, done = 0, squaredError = 0, squaredReference = 0;
    for (const ComparedReference& r : reference)
        total += double(tensor::elementCount(r.shape));
    for (std::size_t o = 0; o < reference.size(); ++o) {
        const ComparedReference& r = reference[o];
        const DType expected = o < expectedTypes.size() ? expectedTypes[o] : r.dtype;
        result.structureError = structureError(o, got[o], r, expected, !expectedTypes.empty(), result);
        if (!result.structureError.empty()) return result;
        const DeviceTensor own = dense(device, got[o]);
        const Squares squares = squaresOf(device, r, options.tileElements);
        CompareArguments a{};
        a.scale = std::max(squares.rms(), verify::Tolerance::smallestScale);
        a.strict = options.tolerance.strict;
        a.legacy = options.tolerance.legacy;
        a.largest = verify::largestFinite(expected);
        a.exact = !tensor::isFloating(expected);
        Judged judged;
        TileReader(device, options.tileElements)
            .run<ComparePart>(
                fmt::format("compareTile<{}, {}>", cudaName(own.dtype), cudaName(r.dtype)),
                tensor::elementCount(r.shape), a,
                [&](CompareArguments& tile) {
                    tile.got = own.address() + std::uint64_t(tile.first) * tensor::byteSize(own.dtype);
                    tile.expected = r.tile(tile.first, tile.count);
                    if (options.progress) options.progress((done + double(tile.first)) / std::max(total, 1.0));
                },
                [&](const ComparePart& p) { judged.take(p); });
        const ComparePart& p = judged.part;
        result.beyondStrict += p.beyondStrict;
        result.beyondLegacy += p.beyondLegacy;
        result.unexpectedNan += p.unexpectedNan;
        result.maxAbsoluteError = std::max(result.maxAbsoluteError, p.largestAbsolute);
        result.maxRelativeError = std::max(result.maxRelativeError, p.largestRelative);
        noteMismatch(device, o, p.firstStrict, own, r, result.firstBeyondStrict);
        noteMismatch(device, o, p.firstLegacy, own, r, result.firstBeyondLegacy);
        squaredError += p.squaredError;
        const std::int64_t count = tensor::elementCount(r.shape);
        squaredReference += squares.rms() * squares.rms() * double(count);
        result.elements += count;
        done += double(count);
    }
    if (result.elements) {
        result.rmsError = std::sqrt(squaredError / double(result.elements));
        result.referenceRms = std::sqrt(squaredReference / double(result.elements));
    }
    if (options.progress) options.progress(1.0);
    return result;
}

ComparedReference onDevice(const DeviceTensor& t) {
    return {t.dtype, t.shape, [t](std::int64_t first, std::int64_t) {
                return t.address() + std::uint64_t(first) * tensor::byteSize(t.dtype);
            }};
}
/// One tile at a time is on the device, in a buffer that the next one overwrites.
ComparedReference inHost(Device& device, const Tensor& t, std::int64_t tileElements) {
    const DeviceTensor buffer =
        device.make(t.dtype(), {std::min<std::int64_t>(std::max<std::int64_t>(tileElements, 1), t.count())});
    return {t.dtype(), t.shape(), [&device, t, buffer](std::int64_t first, std::int64_t count) {
                const std::size_t size = tensor::byteSize(t.dtype());
                valueOf(device.machine().write(
                    buffer.address(), t.bytes().subspan(std::size_t(first) * size, std::size_t(count) * size)));
                return Address(buffer.address());
            }};
}

} // namespace

Result<verify::Comparison> compare(Device& device, std::span<const DeviceTensor> got,
                                   std::span<const DeviceTensor> reference, const std::vector<DType>& expectedTypes,
                                   const CompareOptions& options) {
    try {
        std::vector<ComparedReference> all;
        for (const DeviceTensor& t : reference)
            all.push_back(onDevice(dense(device, t)));
        return comparedAll(device, got, all, expectedTypes, options);
    } catch (const Failure& failure) {
        return failure.error;
    }
}
Result<verify::Comparison> compare(Device& device, std::span<const DeviceTensor> got, std::span<const Tensor> reference,
                                   const std::vector<DType>& expectedTypes, const CompareOptions& options) {
    try {
        std::vector<ComparedReference> all;
        for (const Tensor& t : reference)
            all.push_back(inHost(device, t, options.tileElements));
        return comparedAll(device, got, all, expectedTypes, options);
    } catch (const Failure& failure) {
        return failure.error;
    }
}

Result<double> rootMeanSquare(Device& device, const DeviceTensor& t) {
    try {
        return squaresOf(device, onDevice(dense(device, t)), 1 << 24).rms();
    } catch (const Failure& failure) {
        return failure.error;
    }
}

} // namespace kernelarium::operators
