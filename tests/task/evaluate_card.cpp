// SPDX-License-Identifier: GPL-3.0-or-later
// evaluate_card LEVEL/TASK SIZE PRECISION FOLDER: reads tensor i of the card from FOLDER/i.bin (raw elements
// of the card's type, float64 for floating tensors), evaluates, writes the outputs to FOLDER/out_0.bin,
// out_1.bin, ... in float64 or int64 and prints the shape of each on a line. SIZE "-" only prints the shapes
// of all tensors.
#include "core/task/Evaluator.h"

#include <cstdio>
#include <fstream>
#include <string>
#include <thread>

#include <fmt/format.h>

using namespace kernelarium;

namespace {

int fail(const Error& error) {
    fmt::print(stderr, "{}: {}\n", error.code, error.text());
    return 2;
}

bool readTensor(const std::string& file, tensor::Tensor& t) {
    std::ifstream stream(file, std::ios::binary);
    stream.read(reinterpret_cast<char*>(t.bytes().data()), std::streamsize(t.byteCount()));
    return bool(stream);
}

} // namespace

int main(int count, char** words) {
    if (count != 5) return fail({"bad_input", "usage: evaluate_card LEVEL/TASK SIZE float32|float64 FOLDER"});
    const auto key = task::parseTaskKey(words[1]);
    if (!key) return fail(key.error());
    const auto card = task::loadCard(key->level, key->task);
    if (!card) return fail(card.error());
    const auto symbols = card->size(words[2]);
    if (!symbols) return fail(symbols.error());
    const auto shapes = task::tensorShapes(*card, *symbols);
    if (!shapes) return fail(shapes.error());
    const std::string folder = words[4];
    std::vector<tensor::Tensor> tensors;
    for (std::size_t i = 0; i < shapes->size(); ++i) {
        const tensor::DType type = card->tensors[i].dtype;
        tensor::Tensor t(isFloating(type) ? tensor::DType::Float64 : type, (*shapes)[i]);
        if (!readTensor(fmt::format("{}/{}.bin", folder, i), t))
            return fail({"bad_input", fmt::format("{}.bin is missing or short.", i)});
        tensors.push_back(t);
    }
    task::EvaluationOptions options;
    options.precision = std::string(words[3]) == "float32" ? tensor::DType::Float32 : tensor::DType::Float64;
    options.threads = std::thread::hardware_concurrency();
    const auto result = task::evaluate(*card, *symbols, tensors, options);
    if (!result) return fail(result.error());
    std::vector<tensor::Tensor> outputs;
    collectTensors(*result, outputs);
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        const tensor::Tensor t =
            outputs[i].to(isFloating(outputs[i].dtype()) ? tensor::DType::Float64 : tensor::DType::Int64);
        std::ofstream stream(fmt::format("{}/out_{}.bin", folder, i), std::ios::binary);
        stream.write(reinterpret_cast<const char*>(t.bytes().data()), std::streamsize(t.byteCount()));
        fmt::print("{} {}\n", tensor::name(t.dtype()), tensor::toString(t.shape()));
    }
    return 0;
}
