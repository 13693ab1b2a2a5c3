// SPDX-License-Identifier: GPL-3.0-or-later
#include "settings/workbench_init.h"

#include "base/english_plurals.h"

#include "base/file_io.h"

#include <QCoreApplication>

// Resources of a static library are not found unless asked for, outside of any namespace.
static void initAllResources()
{
    Q_INIT_RESOURCE(workbench);
    Q_INIT_RESOURCE(translations);
}

namespace scalebench {

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
