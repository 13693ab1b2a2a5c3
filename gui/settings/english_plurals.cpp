// SPDX-License-Identifier: GPL-3.0-or-later
#include "settings/english_plurals.h"

#include "base/file_io.h"

#include <QCoreApplication>

#include <cstring>

// Resources of a static library are not found unless asked for, outside of any namespace.
static void initAllResources()
{
    Q_INIT_RESOURCE(workbench);
    Q_INIT_RESOURCE(translations);
}

namespace scalebench {

QString EnglishPlurals::translate(const char*, const char* sourceText, const char*, int n) const
{
    if (n < 0 || !sourceText || !std::strstr(sourceText, "(s)"))
        return {};
    return QString::fromUtf8(sourceText)
        .replace(QLatin1String("(s)"), n == 1 ? QString() : QStringLiteral("s"));
}

void initResources()
{
    initAllResources();
}

void initWorkbench()
{
    initResources();
    static bool done = false;
    if (done)
        return;
    done = true;
    keepSystemTextsEnglish();
    QCoreApplication::installTranslator(new EnglishPlurals(QCoreApplication::instance()));
}

} // namespace scalebench
