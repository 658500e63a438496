// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/service/Server.h"

#include "gpu/process/AddressSpace.h"
#include "gpu/process/LineBuffer.h"
#include "gpu/service/EventWriter.h"
#include "gpu/service/MemoryBound.h"
#include "gpu/service/RequestQueue.h"

#include <atomic>
#include <exception>
#include <new>
#include <thread>

namespace kernelarium::service {

namespace {

protocol::Event answerTo(const protocol::Request& request, protocol::EventKind kind) {
    protocol::Event event;
    event.kind = kind;
    event.id = request.id;
    event.generation = request.generation;
    return event;
}

protocol::Event failedEvent(Error error) {
    protocol::Event event;
    event.kind = protocol::EventKind::failed;
    event.error = std::move(error);
    return event;
}

/// Reads requests into the queue; answers those that never get to work.
void readRequests(int input, RequestQueue& queue, EventWriter& writer) {
    process::DescriptorLines reader(input, protocol::longestLine);
    while (auto line = reader.read()) {
        if (line->tooLong) {
            writer.write(failedEvent({"too_large", "A request line is longer than 64 MB.", "Send a smaller source."}));
            continue;
        }
        if (line->text.find_first_not_of(" \t") == std::string::npos) continue;
        Result<protocol::Request> request = protocol::parseRequest(line->text);
        if (!request) {
            writer.write(failedEvent(request.error()));
        } else if (request->method == "cancel") {
            if (const auto waiting = queue.cancel(request->id))
                writer.write(answerTo(*waiting, protocol::EventKind::cancelled));
        } else {
            for (const protocol::Request& old : queue.push(std::move(*request)))
                writer.write(answerTo(old, protocol::EventKind::cancelled));
        }
    }
    queue.close();
}

Result<nlohmann::json> handleSafely(Service& service, const RequestQueue::Work& work, const Service::Progress& progress,
                                    std::uint64_t bound) {
    try {
        return service.handle(work.request, progress, work.stop);
    } catch (const std::bad_alloc&) {
        if (bound) return beyondBound(bound);
        return Error{"out_of_memory", "There was not enough memory for this request.",
                     "Use a smaller size, or raise the worker's memory limit."};
    } catch (const std::exception& failure) {
        return Error{"internal", std::string("The worker failed: ") + failure.what()};
    }
}

protocol::Event perform(Service& service, const RequestQueue::Work& work, EventWriter& writer, std::uint64_t memory) {
    MemoryBound bound(memory, answerTo(work.request, protocol::EventKind::failed), writer);
    Service::Progress progress;
    progress.sayStage = [&](const std::string& stage) {
        protocol::Event event = answerTo(work.request, protocol::EventKind::progress);
        event.stage = stage;
        writer.write(event);
    };
    progress.sendPartial = [&](nlohmann::json result) {
        protocol::Event event = answerTo(work.request, protocol::EventKind::partial);
        event.result = std::move(result);
        writer.write(event);
    };
    progress.allowMemory = [&](std::uint64_t bytes) { bound.allowBeside(bytes); };
    Result<nlohmann::json> result = handleSafely(service, work, progress, memory);
    if (!result && result.error().code == "cancelled") return answerTo(work.request, protocol::EventKind::cancelled);
    protocol::Event event =
        answerTo(work.request, result ? protocol::EventKind::finished : protocol::EventKind::failed);
    if (result)
        event.result = std::move(*result);
    else
        event.error = result.error();
    return event;
}

} // namespace

int serve(Service& service, const ServerOptions& options) {
    process::limitAddressSpace(options.addressSpace);
    EventWriter writer(options.output);
    protocol::Event hello;
    hello.childKind = service.kind();
    hello.version = KERNELARIUM_VERSION;
    hello.protocol = protocol::protocolVersion;
    hello.capabilities = service.capabilities();
    if (!writer.write(hello)) return 1;

    RequestQueue queue;
    std::atomic<bool> finished = false;
    std::thread reader([&] {
        readRequests(options.input, queue, writer);
        // Nobody asks any more. Where nobody listens either (a connection that broke), what runs is of no use.
        constexpr std::chrono::milliseconds look(20);
        while (!finished)
            if (!writer.isHeard(look)) std::_Exit(1);
    });
    bool heard = true;
    while (auto work = queue.take()) {
        protocol::Event event = perform(service, *work, writer, options.memory);
        event.childEnds = service.mustEnd();
        queue.done();
        heard = writer.write(event) && heard;
        if (!heard) std::_Exit(1);          // nobody listens; the reader thread may be waiting for input for ever
        if (event.childEnds) std::_Exit(0); // at once: what cannot be used cannot be tidied up either
        // What is made ready for the next takes processors that whoever reads this answer would wait for.
        constexpr std::chrono::milliseconds reading(5);
        queue.awaitNext(reading);
        try {
            service.answered();
        } catch (const std::exception&) { // what is made ready is for speed alone
        }
    }
    finished = true;
    reader.join();
    return 0;
}

} // namespace kernelarium::service
