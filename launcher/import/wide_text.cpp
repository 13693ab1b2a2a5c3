// SPDX-License-Identifier: GPL-3.0-or-later
#include "wide_text.h"

namespace scalebench::imports {

std::optional<QStringConverter::Encoding> wideEncoding(const QByteArray& head)
{
    if (head.startsWith("\xff\xfe"))
        return QStringConverter::Utf16LE;
    if (head.startsWith("\xfe\xff"))
        return QStringConverter::Utf16BE;
    // Without its mark: every other byte of Latin letters is 0.
    constexpr qsizetype kLooked = 32;
    qsizetype zeros[2] = {};
    for (qsizetype i = 0; i < kLooked && i < head.size(); ++i)
        zeros[i % 2] += head[i] == '\0';
    if (zeros[0] + zeros[1] != kLooked / 2 || (zeros[0] != 0 && zeros[1] != 0))
        return {};
    return zeros[0] == 0 ? QStringConverter::Utf16LE : QStringConverter::Utf16BE;
}

} // namespace scalebench::imports
