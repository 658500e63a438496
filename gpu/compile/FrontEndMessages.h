// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/process/Descriptor.h"

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <sys/types.h>

namespace kernelarium::compile {

/// What NVRTC's front end says, while NVRTC goes on to generate code.
///
/// NVRTC asks between its stages whether to go on (nvrtcSetFlowCallback), for the first time when its front end is
/// through. Some releases give the program's log there already: it is read and handed on. No manual promises that, so
/// that it is found out first, in a copy of the process (fork) which may hang. With other releases the process is
/// copied in every run: in the copy the answer is no, so that NVRTC ends in it and gives the messages that it has,
/// which the copy sends here before it ends itself. Where NVRTC may not go on because of a stop, the answer is no as
/// well.
///
/// One object serves one run. askedOn(), isCopy(), endCopy() and noMore() belong to NVRTC's thread, messages() to
/// another.
class FrontEndMessages {
public:
    enum class Way {
        ended,   ///< from a copy in which NVRTC has ended
        asked,   ///< from the log when NVRTC asks
        finding, ///< that, from a copy: empty, or no text, where NVRTC does not give the log so early
        none     ///< messages() is empty
    };
    FrontEndMessages(Way way, std::stop_token stop);
    ~FrontEndMessages();
    FrontEndMessages(const FrontEndMessages&) = delete;
    FrontEndMessages& operator=(const FrontEndMessages&) = delete;

    /// How the program's log is read; set before NVRTC runs.
    void setLog(std::function<std::string()> log) { m_log = std::move(log); }

    /// The function for nvrtcSetFlowCallback, with the object as its payload: 1 ends NVRTC.
    static int askedOn(void* object, void*);

    [[nodiscard]] bool isCopy() const { return m_isCopy; } ///< whether this is the copied process
    [[noreturn]] void endCopy(const std::string& messages);

    /// NVRTC has ended: what has not been said by now will not be. A copy that comes here ends.
    void noMore();

    /// Waits for them, or for noMore(). Empty where they did not come whole.
    std::optional<std::string> messages();

private:
    void copy();
    void find();
    bool send(const std::string& messages);

    Way m_way;
    process::DescriptorPair m_pipe;
    std::function<std::string()> m_log;
    std::stop_token m_stop;
    pid_t m_copy = -1;
    bool m_isCopy = false;
};

} // namespace kernelarium::compile
