// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Value or failure, as launcher and gui return it. No exception crosses a signal.

#include <QString>

#include <optional>
#include <utility>

namespace scalebench {

/// What went wrong: a stable code ("data_missing"), one sentence for a person (what, where, likely
/// cause, what to do), and raw text of other programs for "Details".
struct Failure {
    QString code;
    QString message;
    QString details = {};
};

template <typename T>
class [[nodiscard]] Result
{
public:
    Result(T value) : m_value(std::move(value)) {}
    Result(Failure failure) : m_failure(std::move(failure)) {}

    bool ok() const { return m_value.has_value(); }
    explicit operator bool() const { return ok(); }
    const T& value() const { return *m_value; }
    T& value() { return *m_value; }
    const Failure& failure() const { return m_failure; }

private:
    std::optional<T> m_value;
    Failure m_failure;
};

template <>
class [[nodiscard]] Result<void>
{
public:
    Result() = default;
    Result(Failure failure) : m_failure(std::move(failure)) {}

    bool ok() const { return !m_failure.has_value(); }
    explicit operator bool() const { return ok(); }
    const Failure& failure() const { return *m_failure; }

private:
    std::optional<Failure> m_failure;
};

} // namespace scalebench
