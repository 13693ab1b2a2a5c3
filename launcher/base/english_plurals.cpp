// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/english_plurals.h"

#include <cstring>

namespace scalebench {

QString EnglishPlurals::translate(const char*, const char* sourceText, const char*, int n) const
{
    if (n < 0 || !sourceText || !std::strstr(sourceText, "(s)"))
        return {};
    return QString::fromUtf8(sourceText)
        .replace(QLatin1String("(s)"), n == 1 ? QString() : QStringLiteral("s"));
}

} // namespace scalebench
