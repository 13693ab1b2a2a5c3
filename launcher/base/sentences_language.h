// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Which language the launcher's sentences come in, for whoever has to be told.

#include "base/translated.h"

namespace scalebench {

/// "en", "de"
inline QString sentencesLanguage()
{
    return Launcher::tr("language: en").section(QLatin1Char(' '), 1);
}

} // namespace scalebench
