// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/service/RunSubject.h"

#include "core/quantities/Quantities.h"
#include "core/task/Cost.h"
#include "core/task/MemoryNeed.h"
#include "core/verify/inputs/ArgumentText.h"
#include "gpu/operators/DeviceWorkplace.h"
#include "gpu/service/CardReferences.h"
#include "gpu/service/GpuTarget.h"

#include <algorithm>
#include <fmt/format.h>
#include <thread>

namespace kernelarium::service {

namespace {

Result<verify::InputPlan> planAt(const protocol::RunParameters& p, const std::string& size) {
    Result<verify::InputPlan> plan = verify::planOf(*p.card, size);
    if (plan) plan->outputs.places = p.outputs;
    return plan;
}

/// The card's odd size, if it has one; beside the small size only, which ends as soon.
std::optional<verify::OtherShape> otherShapeOf(const task::Card& card, const protocol::RunParameters& p) {
    constexpr std::string_view odd = "odd";
    if (p.size != "small" || !card.size(odd)) return std::nullopt;
    auto plan = planAt(p, std::string(odd));
    auto reference = verify::CardReference::create(card, std::string(odd), jobsOf(p));
    if (!plan || !reference) return std::nullopt;
    return verify::OtherShape{std::string(odd), std::move(*plan), std::move(*reference)};
}

double bytesOfPlan(const verify::InputPlan& plan) {
    double bytes = 0;
    for (const verify::TensorPlan& t : plan.tensors)
        bytes += double(tensor::elementCount(t.shape)) * double(tensor::byteSize(t.dtype));
    return bytes;
}

std::optional<verify::PublishedSize> publishedSizeOf(const task::Card& card, const protocol::RunParameters& p) {
    Result<verify::InputPlan> plan = planAt(p, "full");
    const Result<task::Symbols> symbols = card.size("full");
    if (!plan || !symbols) return std::nullopt;
    const Result<task::Cost> cost = task::costOf(card, *symbols);
    if (!cost) return std::nullopt;
    return verify::PublishedSize{std::move(*plan), cost->compulsoryBytes, cost->flops};
}

} // namespace

unsigned jobsOf(const protocol::RunParameters& p) {
    return p.jobs ? p.jobs : std::max(1u, std::thread::hardware_concurrency());
}

Result<void> checkFits(const verify::InputPlan& plan, std::uint64_t capacity, const std::string& backend) {
    const double bytes = bytesOfPlan(plan);
    if (bytes <= double(capacity)) return {};
    const bool emulated = backend == "emulator";
    return Error{"out_of_memory",
                 fmt::format("The arguments alone need {}; the {} has {}.", quantities::bytes(bytes),
                             emulated ? "emulated device" : "GPU", quantities::bytes(double(capacity))),
                 emulated ? "Use a smaller size, or give the run worker more memory (--memory)."
                          : "Use a smaller size, or end other programs that use the GPU."};
}

double heldByVerification(double inputBytes, double outputBytes) {
    constexpr double mostWide = double(std::uint64_t(1) << 30); // operators::ReferenceSettings::mostWideBytes
    const double reference = 2 * outputBytes > mostWide ? outputBytes : 2 * outputBytes;
    return 2 * inputBytes + 2 * outputBytes + 4 * reference;
}

TaskBytes bytesOfTask(const protocol::RunParameters& p) {
    const Result<verify::InputPlan> plan = planOf(p);
    if (!plan) return {};
    const double inputs = bytesOfPlan(*plan);
    if (!p.card) return {inputs, inputs};
    const Result<task::Symbols> symbols = p.card->size(p.size);
    if (!symbols) return {inputs, inputs};
    const Result<task::Cost> cost = task::costOf(*p.card, *symbols);
    return {inputs, cost ? std::max(0.0, cost->compulsoryBytes - inputs) : inputs};
}

Result<void> checkHostRoom(double needed, double available, const std::string& task) {
    if (needed <= available) return {};
    return Error{
        "out_of_memory",
        fmt::format("Verifying task {} at this size takes about {} of this machine's memory, for inputs, outputs and "
                    "references; {} are free.",
                    task, quantities::bytes(needed), quantities::bytes(available)),
        "Use a smaller size, or end other programs."};
}

namespace {

/// Only of a verification on a GPU: the emulator's own memory is limited before.
Result<void> checkRoomFor(const protocol::RunParameters& p, const task::Card& card, const verify::InputPlan& plan) {
    const Result<task::Symbols> symbols = card.size(p.size);
    const std::optional<std::uint64_t> available = task::availableMemory();
    if (!symbols || !available) return {};
    const Result<task::Cost> cost = task::costOf(card, *symbols);
    const double inputs = bytesOfPlan(plan);
    const double outputs = cost ? std::max(0.0, cost->compulsoryBytes - inputs) : 0;
    return checkHostRoom(heldByVerification(inputs, outputs), double(*available), card.key());
}

/// Where a kernel is held against another one: small tensors are drawn and compared here before a GPU is made ready for
/// it.
verify::Workplace* placeFor(const verify::InputPlan& plan, GpuTarget* gpu) {
    constexpr double worthwhile = 256e6;
    return gpu && bytesOfPlan(plan) > worthwhile ? gpu->workplace() : nullptr;
}

} // namespace

Result<verify::InputPlan> planOf(const protocol::RunParameters& p) {
    return p.card ? planAt(p, p.size) : verify::parseArguments(p.arguments);
}

std::optional<Error> wantsArguments(const protocol::RunParameters& p, const std::string& reason) {
    constexpr std::string_view before = "incompatible function arguments: ", after = " takes ";
    const auto begin = reason.find(before);
    const auto end = reason.find(after, begin == std::string::npos ? 0 : begin);
    if (p.card || !p.arguments.empty() || begin == std::string::npos || end == std::string::npos) return std::nullopt;
    const std::string call = reason.substr(begin + before.size(), end - begin - before.size());
    return Error{"bad_input", "It was called without arguments, but needs some: " + call + ".",
                 "Choose its task (--task LEVEL/TASK), or give each argument (--arg \"float32[128,256]\"); in the "
                 "window: Kernel, Task and reference (Ctrl+T).",
                 reason};
}

Result<RunSubject> subjectOf(const protocol::RunParameters& p, std::uint64_t capacity,
                             std::shared_ptr<verify::Runner> reference, GpuTarget* gpu) {
    RunSubject subject;
    Result<verify::InputPlan> plan = planOf(p);
    if (!plan) return plan.error();
    subject.plan = std::move(*plan);
    if (const task::Card* card = p.card.get()) {
        subject.tolerance = card->tolerance;
        subject.published = publishedSizeOf(*card, p);
        subject.whyWeak = card->degenerate;
        if (!p.referenceUnit) {
            subject.otherShape = otherShapeOf(*card, p);
            Result<ChosenReference> chosen = referenceFor(*card, p.size, jobsOf(p), gpu);
            if (!chosen) return chosen.error();
            subject.reference = std::move(chosen->reference);
            subject.place = chosen->place;
            subject.remark = std::move(chosen->remark);
        } else {
            subject.place = placeFor(subject.plan, gpu);
        }
        if (gpu && !subject.place)
            if (Result<void> room = checkRoomFor(p, *card, subject.plan); !room) return room.error();
    }
    if (Result<void> fits = checkFits(subject.plan, capacity, p.backend); !fits) return fits.error();
    if (p.referenceUnit)
        subject.reference = std::make_unique<verify::KernelReference>(std::move(reference), p.referenceName,
                                                                      p.timeLimit, verify::outputsOf(subject.plan));
    return subject;
}

} // namespace kernelarium::service
