// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Text of two bytes a letter, as spreadsheets and shells of Windows write it.

#include <QByteArray>
#include <QStringConverter>

#include <optional>

namespace scalebench::imports {

/// The encoding that a byte order mark at the beginning tells, or zeros where Latin letters have
/// them; nothing for UTF-8 and Latin-1.
std::optional<QStringConverter::Encoding> wideEncoding(const QByteArray& head);

} // namespace scalebench::imports
