// SPDX-License-Identifier: GPL-3.0-or-later
// The kernels behind the one that convolves.
#include "core/kernelgen/convolution/Pieces.h"

#include "core/kernelgen/text/KernelText.h"

#include <fmt/format.h>

namespace kernelarium::kernelgen::convolution {

namespace {

std::string othersArgument(const Description& d) {
    return d.others ? "s.others, " : "";
}

/// The mean of an image's values takes their number, which the pool or the output says.
std::string placesOf(const Description& d) {
    return forAxes(d, fmt::format("s.{}@A@", storedExtent(d)), " * ");
}

std::string lineSummaryText(const Description& d) {
    const bool two = d.axes.size() == 2;
    const std::string slow = axisLetters(d)[0], volume = two ? "s.outX" : "(s.outY * s.outX)";
    const bool one = d.before.combinesFilters() && d.before.steps.back().each == Each::one;
    const bool together = d.summary.combinesFilters() || d.result == Description::Result::perOther;
    const std::string rows = one ? "1" : "s.filters";
    const std::string combine = combinedText(d.line, "sum", "from[piece * volume]");
    const std::string mean = d.lineMean ? " / float(s.out" + slow + ")" : "";
    const std::string results = d.result == Description::Result::perFilter  ? "s.filters"
                                : d.result == Description::Result::perOther ? "s.others"
                                                                            : "1";
    std::string take, last;
    if (together) {
        take = "*from = sum" + mean + ";\n";
        last = "float* of = sums + int64_t(blockIdx.y) * " + rows + " * pieces * volume + place;\n" +
               "float* to = output + int64_t(blockIdx.y) * " + results + " * volume + place;\n" +
               "finish(of, pieces * volume, to, volume, s.filters, " + othersArgument(d) + "p);\n";
    } else {
        take = "output[(int64_t(blockIdx.y) * " + rows +
               " + filter) * volume + place] = " + called(d.summary, "summarise", "sum" + mean) + ";\n";
    }
    return filled(
        R"(constexpr int summaryThreads = 128;

/// Combines the pieces of each line in their order, and what follows: a thread for each place@of@.
__global__ void __launch_bounds__(summaryThreads) summary(float* sums, float* output, Parameters p, Shape s) {
    const int volume = @volume@, pieces = (s.cells@S@ + column - 1) / column;
    const int place = blockIdx.x * summaryThreads + threadIdx.x;
    if (place >= volume) return;
    for (int filter = 0; filter < @rows@; ++filter) {
        float* from = sums + (int64_t(blockIdx.y) * @rows@ + filter) * pieces * volume + place;
        float sum = *from;
        for (int piece = 1; piece < pieces; ++piece)
            @combine@@take@    }
@last@}

)",
        {{"of", one ? "" : " and all filters"},
         {"S", slow},
         {"volume", volume},
         {"rows", rows},
         {"combine", combine},
         {"take", take},
         {"last", last}});
}

} // namespace

std::string summaryText(const Description& d) {
    if (d.space == Space::kept || d.space == Space::moments) return {};
    if (d.space == Space::line) return lineSummaryText(d);
    const bool together = d.summary.combinesFilters() || d.result == Description::Result::perOther;
    const std::string mean = d.space == Space::mean ? " / (1.0f * " + placesOf(d) + ")" : "";
    const std::string results = d.result == Description::Result::perFilter  ? " * s.filters"
                                : d.result == Description::Result::perOther ? " * s.others"
                                                                            : "";
    std::string out = filled(
        R"(constexpr int summaryThreads = 256;

/// Adds up the sums of an image's blocks, in their order: a block for each image, a warp for each filter.
__global__ void __launch_bounds__(summaryThreads)
    summary(const float* sums, float* output, int blocks, Parameters p, Shape s) {
@memory@    for (int filter = threadIdx.x / 32; filter < s.filters; filter += summaryThreads / 32) {
        float sum = 0.0f;
        for (int b = threadIdx.x % 32; b < blocks; b += 32)
            sum += sums[(int64_t(blockIdx.x) * blocks + b) * s.groups * group + filter];
#pragma unroll
        for (int step = 16; step > 0; step /= 2)
            sum += __shfl_xor_sync(0xffffffffu, sum, step);
        if (threadIdx.x % 32 == 0) @store@;
    }
@rest@}

)",
        {{"memory", together ? "    extern __shared__ float rows[];\n" : ""},
         {"store", together
                       ? "rows[filter] = sum" + mean
                       : "output[blockIdx.x * s.filters + filter] = " + called(d.summary, "summarise", "sum" + mean)},
         {"rest", !together ? std::string()
                            : "    __syncthreads();\n    if (threadIdx.x == 0) finish(rows, 1, output + blockIdx.x" +
                                  results + ", 1, s.filters, " + othersArgument(d) + "p);\n"}});
    if (d.overImages)
        out += filled(R"(/// Adds up what images have come to: one warp.
__global__ void total(const float* ofImages, float* output, int images) {
    float sum = 0.0f;
    for (int i = threadIdx.x; i < images; i += 32)
        sum += ofImages[i];
#pragma unroll
    for (int step = 16; step > 0; step /= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, step);
    if (threadIdx.x == 0) *output = sum@mean@;
}

)",
                      {{"mean", d.imagesMean ? " / float(images)" : ""}});
    return out;
}

std::string lateText(const Description& d) {
    const std::string volume = placesOf(d);
    if (d.late.kind == Late::Kind::none) return {};
    if (d.late.kind == Late::Kind::filters) {
        const std::string results = d.result == Description::Result::perFilter  ? " * s.filters"
                                    : d.result == Description::Result::perOther ? " * s.others"
                                                                                : "";
        return filled(R"(constexpr int lateThreads = 128; // tune: 64, 128, 256

/// What needs all filters of a place: a thread for each place.
__global__ void __launch_bounds__(lateThreads) later(float* stored, float* output, Parameters p, Shape s) {
    const int volume = @volume@, place = blockIdx.x * lateThreads + threadIdx.x;
    if (place >= volume) return;
    float* of = stored + int64_t(blockIdx.y) * s.filters * volume + place;
    float* to = output + int64_t(blockIdx.y)@results@ * volume + place;
    finish(of, volume, to, volume, s.filters, @others@p);
}

)",
                      {{"volume", volume}, {"results", results}, {"others", othersArgument(d)}});
    }
    if (d.late.kind == Late::Kind::norm) {
        const Norm& norm = *d.lateNorm;
        const bool images = norm.over == Norm::Over::images, grouped = norm.over == Norm::Over::filtersOfGroup;
        const bool average = d.late.chain.reads(Operand::Kind::average);
        return filled(
            R"(constexpr int lateThreads = 256; // tune: 128, 256, 512

/// The sum over a block, in every thread.
__device__ float blockTotal(float v) {
    __shared__ float ofWarps[lateThreads / 32];
#pragma unroll
    for (int step = 16; step > 0; step /= 2)
        v += __shfl_xor_sync(0xffffffffu, v, step);
    __syncthreads();
    if (threadIdx.x % 32 == 0) ofWarps[threadIdx.x / 32] = v;
    __syncthreads();
    float sum = 0.0f;
    for (int w = 0; w < lateThreads / 32; ++w)
        sum += ofWarps[w];
    return sum;
}

/// Mean and sum of squared distances from it, of an image and a filter: a block for each.
__global__ void __launch_bounds__(lateThreads) moments(const float* stored, float2* of, int volume) {
    const float* from = stored + int64_t(blockIdx.x) * volume;
    float sum = 0.0f, squares = 0.0f;
    for (int i = threadIdx.x; i < volume; i += lateThreads)
        sum += from[i];
    const float mean = blockTotal(sum) / float(volume);
    for (int i = threadIdx.x; i < volume; i += lateThreads)
        squares = fmaf(from[i] - mean, from[i] - mean, squares);
    squares = blockTotal(squares);
    if (threadIdx.x == 0) of[blockIdx.x] = make_float2(mean, squares);
}

/// Mean and scale of each norm, for all images and filters that share it: a thread for each norm.
__global__ void join(const float2* of, float2* norms, int volume, Shape s) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x, each = @each@; // filters of a norm
    const int first = @first@, images = @images@, step = s.filters; // rows of the norm
    if (i >= @count@) return;
    double mean = 0.0, squares = 0.0;
    for (int image = 0; image < images; ++image)
        for (int filter = 0; filter < each; ++filter)
            mean += of[first + image * step + filter].x;
    mean /= double(images) * each;
    for (int image = 0; image < images; ++image)
        for (int filter = 0; filter < each; ++filter) {
            const float2 row = of[first + image * step + filter];
            squares += row.y + volume * (row.x - mean) * (row.x - mean);
        }
    const double variance = squares / (double(images) * each * volume);
    const float2 norm = make_float2(float(mean), float(1.0 / sqrt(variance + @epsilon@)));
    for (int image = 0; image < images; ++image)
        for (int filter = 0; filter < each; ++filter)
            norms[first + image * step + filter] = norm;
}

/// The norm and what follows it, in place: blocks for each image and filter.
__global__ void __launch_bounds__(lateThreads)
    normalise(float* stored, @ofType@const float2* norms, int volume, Parameters p, Shape s) {
    const int filter = blockIdx.y % s.filters;
    const float2 norm = norms[blockIdx.y];
@average@    const int64_t first = int64_t(blockIdx.y) * volume;
    const int place = blockIdx.x * lateThreads + threadIdx.x;
    if (place < volume) stored[first + place] = @value@;
}

)",
            {{"each", grouped ? fmt::format("s.filters / {}", norm.groups) : "1"},
             {"first", images    ? "i"
                       : grouped ? fmt::format("i / {0} * s.filters + i % {0} * each", norm.groups)
                                 : "i"},
             {"images", images ? "s.batch" : "1"},
             {"count", images    ? "s.filters"
                       : grouped ? fmt::format("s.batch * {}", norm.groups)
                                 : "s.batch * s.filters"},
             {"epsilon", fmt::format("{:.9g}", norm.epsilon)},
             {"ofType", average ? "const float2* of, " : ""},
             {"average", average ? "    const float average = averaged(of[blockIdx.y].x, norm, filter, p);\n" : ""},
             {"value", called(d.late.chain, "normalised", "stored[first + place]", {true, "first + place"})}});
    }
    const bool three = d.axes.size() == 3, pooled = d.late.pool != Pool::none;
    std::string body, constants;
    if (!pooled) {
        body = "const float* from = stored + row * s.outX;\nconst float2 norm = rowNorm(from, s.outX);\n"
               "for (int last = threadIdx.x % 32; last < s.outX; last += 32)\noutput[row * s.outX + last] = " +
               called(d.late.chain, "normalised", "from[last]", {true, "row * s.outX + last"}) + ";\n";
    } else {
        const std::size_t n = d.axes.size();
        const std::vector<std::string> letters = axisLetters(d);
        for (std::size_t i = 0; i < n; ++i)
            constants += fmt::format("{}pool{} = {}", i > 0 ? ", " : "constexpr int ", letters[i], d.late.windows[i]);
        constants += "; // windows\n";
        const bool most = d.late.pool == Pool::maximum;
        const std::string from = three ? "((unit * s.outZ + z * poolZ + i / poolY) * s.outY + y * poolY + i % poolY)"
                                       : "(unit * s.outY + y * poolY + i)";
        const std::string lines = three ? "poolZ * poolY" : "poolY";
        const std::string value = called(d.late.chain, "normalised", "from[last]", {true, "0"});
        body = "constexpr int lines = " + lines + ";\nfloat2 norms[lines];\n#pragma unroll\n" +
               "for (int i = 0; i < lines; ++i)\nnorms[i] = rowNorm(stored + " + from + " * s.outX, s.outX);\n" +
               "for (int x = threadIdx.x % 32; x < s.outX / poolX; x += 32) {\nfloat pooled = " +
               (most ? "-INFINITY" : "0.0f") + ";\n#pragma unroll\nfor (int i = 0; i < lines; ++i)\n#pragma unroll\n" +
               "for (int dx = 0; dx < poolX; ++dx) {\nconst float* from = stored + " + from +
               " * s.outX;\nconst float2 norm = norms[i];\nconst int last = x * poolX + dx;\n" +
               (most ? "pooled = fmaxf(pooled, " + value + ");\n" : "pooled += " + value + ";\n") + "}\n" +
               (most ? "" : "pooled *= 1.0f / (" + forAxes(d, "pool@A@", " * ") + ");\n") +
               "output[row * (s.outX / poolX) + x] = " + called(d.late.after, "afterPool", "pooled") + ";\n}\n";
    }
    const std::string y = pooled ? "(s.outY / poolY)" : "s.outY", z = pooled ? "(s.outZ / poolZ)" : "s.outZ";
    return filled(R"(constexpr int lateThreads = 128; // tune: 64, 128, 256
@constants@
/// Mean and scale of a row, in every lane of the warp.
__device__ float2 rowNorm(const float* from, int extent) {
    float sum = 0.0f, squares = 0.0f;
    for (int i = threadIdx.x % 32; i < extent; i += 32)
        sum += from[i];
#pragma unroll
    for (int step = 16; step > 0; step /= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, step);
    const float mean = sum / float(extent);
    for (int i = threadIdx.x % 32; i < extent; i += 32)
        squares = fmaf(from[i] - mean, from[i] - mean, squares);
#pragma unroll
    for (int step = 16; step > 0; step /= 2)
        squares += __shfl_xor_sync(0xffffffffu, squares, step);
    return make_float2(mean, rsqrtf(squares / float(extent) + @epsilon@));
}

/// Norms of rows and what follows them: a warp for each row of the result.
__global__ void __launch_bounds__(lateThreads) later(const float* stored, float* output, Parameters p, Shape s) {
    const int64_t row = int64_t(blockIdx.x) * (lateThreads / 32) + threadIdx.x / 32;
    const int64_t rows = int64_t(s.batch) * s.filters * @volume@;
    if (row >= rows) return;
    @coordinates@const int64_t unit = row / @volume@; // image and filter
    const int filter = unit % s.filters;
@body@}

)",
                  {{"constants", constants},
                   {"epsilon", floatLiteral(d.lateNorm->epsilon)},
                   {"volume", three ? "(" + z + " * " + y + ")" : y},
                   {"coordinates", !pooled ? ""
                                   : three ? "const int y = row % " + y + ", z = row / " + y + " % " + z + ";\n"
                                           : "const int y = row % " + y + ";\n"},
                   {"body", body}});
}

Description statisticsOf(const Description& d) {
    Description out;
    out.axes = d.axes;
    for (Axis& a : out.axes) {
        (void)a.divide(a.divisor); // every stride of a transposed convolution divides itself
        a.repeat = 1;
    }
    out.input = d.input;
    out.weight = d.weight;
    out.channels = d.channels;
    out.filters = d.filters;
    out.parameters = d.parameters;
    out.before = d.normed;
    out.space = Space::moments;
    return out;
}

std::string normText(const Description& d, const Norm& norm) {
    const bool pivots = !d.before.steps.empty();
    const bool images = norm.over == Norm::Over::images, grouped = norm.over == Norm::Over::filtersOfGroup;
    return filled(
        R"text(constexpr int normThreads = 256;

/// Mean and scale, by image and filter, from the sums of blocks in their order: a block for each mean.
__global__ void __launch_bounds__(normThreads)
    means(const float2* sums, float2* norms, int blocks, @p@Shape s) {
    __shared__ double2 all[normThreads];
    const int perNorm = @perNorm@; // filters
    const int firstFilter = @firstFilter@, firstImage = @firstImage@, images = @images@;
    double2 sum = make_double2(0.0, 0.0);
    for (int i = threadIdx.x; i < images * blocks * perNorm; i += normThreads) {
        const int64_t block = int64_t(firstImage) * blocks + i / perNorm;
        const int filter = firstFilter + i % perNorm;
        const float2 part = sums[block * s.groups * group + filter];
        sum.x += part.x;
        sum.y += part.y@more@;
    }
    all[threadIdx.x] = sum;
    for (int half = normThreads / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) {
            all[threadIdx.x].x += all[threadIdx.x + half].x;
            all[threadIdx.x].y += all[threadIdx.x + half].y;
        }
    }
    __syncthreads();
    const double perFilter = double(images) * @places@, count = perFilter * perNorm;
    double first = all[0].x, second = all[0].y; // moments
@pivots@    const double mean = first / count, variance = fmax(second / count - mean * mean, 0.0);
    const float2 norm = make_float2(float(mean), float(1.0 / sqrt(variance + @epsilon@)));
    for (int i = threadIdx.x; i < images * perNorm; i += normThreads)
        norms[int64_t(firstImage + i / perNorm) * s.filters + firstFilter + i % perNorm] = norm;
}

)text",
        {{"p", pivots ? "Parameters p, " : ""},
         {"more", pivots ? " + 2.0 * " + called(d.before, "finish", "0.0f") + " * part.x" : ""},
         {"pivots", !pivots ? ""
                            : "for (int filter = firstFilter; filter < firstFilter + perNorm; ++filter) {\n"
                              "const double pivot = " +
                                  called(d.before, "finish", "0.0f") +
                                  "; // what was taken from every value\n"
                                  "first += perFilter * pivot;\nsecond += perFilter * pivot * pivot;\n}\n"},
         {"perNorm", grouped ? fmt::format("s.filters / {}", norm.groups) : "1"},
         {"firstFilter", grouped ? "blockIdx.x * perNorm" : "blockIdx.x"},
         {"firstImage", images ? "0" : "blockIdx.y"},
         {"images", images ? "s.batch" : "1"},
         {"places", forAxes(d, "s.out@A@", " * ")},
         {"epsilon", fmt::format("{:.9g}", norm.epsilon)}});
}

} // namespace kernelarium::kernelgen::convolution
