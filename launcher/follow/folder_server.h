// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>

namespace scalebench {

/// Body of `scalebench serve study|run DIR`: sends the folder to who follows it through ssh, on
/// stdin and stdout (resources/protocol/remote_follow.md). `dir` may begin with "~/".
int serveFolder(const QString& kind, const QString& dir);

} // namespace scalebench
