// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cassert>
#include <string>
#include <utility>
#include <variant>

namespace kernelarium {

/// What went wrong, in the words a person needs: what happened, and what to do about it.
/// `code` is a stable machine-readable name ("missing_component", "bad_input", "unsupported", ...).
struct Error {
    std::string code;
    std::string message;
    std::string action = {}; ///< what the reader can do; may be empty
    std::string detail = {}; ///< log or context on demand; may be empty

    /// One sentence or two: the message, then the action.
    [[nodiscard]] std::string text() const { return action.empty() ? message : message + " " + action; }
};

/// A value or the error that stands in its place. Across library borders only; no exception crosses one.
template <class T> class [[nodiscard]] Result {
public:
    Result(T value)
        : m_state(std::in_place_index<0>, std::move(value)) {}
    Result(Error error)
        : m_state(std::in_place_index<1>, std::move(error)) {}

    [[nodiscard]] bool ok() const { return m_state.index() == 0; }
    explicit operator bool() const { return ok(); }

    [[nodiscard]] T& value() & {
        assert(ok());
        return std::get<0>(m_state);
    }
    [[nodiscard]] const T& value() const& {
        assert(ok());
        return std::get<0>(m_state);
    }
    [[nodiscard]] T&& value() && {
        assert(ok());
        return std::get<0>(std::move(m_state));
    }
    T* operator->() { return &value(); }
    const T* operator->() const { return &value(); }
    T& operator*() & { return value(); }
    const T& operator*() const& { return value(); }
    /// By value, so that `for (x : *f())` keeps what it walks through.
    T operator*() && { return std::move(*this).value(); }

    [[nodiscard]] const Error& error() const {
        assert(!ok());
        return std::get<1>(m_state);
    }

private:
    std::variant<T, Error> m_state;
};

template <> class [[nodiscard]] Result<void> {
public:
    Result() = default;
    Result(Error error)
        : m_failed(true)
        , m_error(std::move(error)) {}
    [[nodiscard]] bool ok() const { return !m_failed; }
    explicit operator bool() const { return ok(); }
    [[nodiscard]] const Error& error() const {
        assert(m_failed);
        return m_error;
    }

private:
    bool m_failed = false;
    Error m_error;
};

} // namespace kernelarium
