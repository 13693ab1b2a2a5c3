// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Names that end up in paths and command words on other computers. Each is a type of its own with
// one parser, so a value of the type cannot hold what would lead out of its folder, be read as an
// option or end a line: whoever has one need not ask again.

#include "base/result.h"

#include <QString>

namespace scalebench {

/// A text that `Rule::check` found right. There is no other way to make one.
template <typename Rule>
class CheckedText
{
public:
    /// Fails with the rule's sentence.
    static Result<CheckedText> parse(const QString& text)
    {
        if (Result<void> ok = Rule::check(text); !ok)
            return ok.failure();
        return CheckedText(text);
    }
    const QString& text() const { return m_text; }
    bool operator==(const CheckedText&) const = default;

private:
    explicit CheckedText(QString text) : m_text(std::move(text)) {}
    QString m_text;
};

struct RunIdRule {
    static Result<void> check(const QString& text);
};
struct StudyIdRule {
    static Result<void> check(const QString& text);
};
struct HostNameRule {
    static Result<void> check(const QString& text);
};
struct RemotePathRule {
    static Result<void> check(const QString& text);
};
struct JobIdRule {
    static Result<void> check(const QString& text);
};

/// One folder name of ASCII letters, digits, ".", "_", "-", "+", "=", "," (the first a letter or a
/// digit), 200 at most.
using RunId = CheckedText<RunIdRule>;
using StudyId = CheckedText<StudyIdRule>;
/// As in machines/host_names.h.
using HostName = CheckedText<HostNameRule>;
/// A folder on another computer: begins with "/" or "~/" (or is "~"), no "..", no control
/// character, 1000 bytes at most.
using RemotePath = CheckedText<RemotePathRule>;
/// A job's number at Slurm: digits only, so no word of scancel's can be anything else.
using JobId = CheckedText<JobIdRule>;

/// Where a run's files are on hosts that do not share the supervisor's:
/// FOLDER/remote/STUDY/runs/RUN. Fails only where that is too long.
Result<RemotePath> remoteRunFolder(const RemotePath& folder, const StudyId& study,
                                   const RunId& run);
/// "~/" replaced by `home`, which must be absolute itself.
Result<RemotePath> withHome(const RemotePath& path, const RemotePath& home);

} // namespace scalebench
