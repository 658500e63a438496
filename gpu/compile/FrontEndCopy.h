// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/process/Descriptor.h"

#include <optional>
#include <stop_token>
#include <string>
#include <sys/types.h>

namespace kernelarium::compile {

/// What NVRTC's front end says, while NVRTC goes on to generate code.
///
/// NVRTC gives its messages only when it has ended. But it asks between its stages whether to go on
/// (nvrtcSetFlowCallback), for the first time when its front end is through. There this process is copied (fork): in
/// the copy the answer is no, so that NVRTC ends in it and gives the messages that it has, which the copy sends here
/// before it ends itself. Where NVRTC may not go on because of a stop, the answer is no as well.
///
/// One object serves one run. askedOn(), isCopy(), endCopy() and noMore() belong to NVRTC's thread, messages() to
/// another.
class FrontEndCopy {
public:
    /// Without `copies` nothing is copied: messages() is empty.
    FrontEndCopy(bool copies, std::stop_token stop);
    ~FrontEndCopy();
    FrontEndCopy(const FrontEndCopy&) = delete;
    FrontEndCopy& operator=(const FrontEndCopy&) = delete;

    /// The function for nvrtcSetFlowCallback, with the object as its payload: 1 ends NVRTC.
    static int askedOn(void* object, void*);

    [[nodiscard]] bool isCopy() const { return m_isCopy; } ///< whether this is the copied process
    [[noreturn]] void endCopy(const std::string& messages);

    /// NVRTC has ended: what has not been copied by now will not be. A copy that comes here ends.
    void noMore();

    /// Waits for them, or for noMore(). Empty where they did not come whole.
    std::optional<std::string> messages();

private:
    void copy();

    process::DescriptorPair m_pipe;
    std::stop_token m_stop;
    pid_t m_copy = -1;
    bool m_isCopy = false;
};

} // namespace kernelarium::compile
