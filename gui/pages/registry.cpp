// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/registry.h"

#include "pages/advice/advice_page.h"
#include "pages/compare/compare_page.h"
#include "pages/home/home_page.h"
#include "pages/machines/machines_page.h"
#include "pages/plan/plan_page.h"
#include "pages/results/results_page.h"
#include "pages/run/run_page.h"
#include "pages/scaling/scaling_page.h"
#include "pages/settings/settings_page.h"
#include "pages/verify/verify_page.h"

#include <QCoreApplication>

namespace scalebench {

namespace {

template <class P>
Page* make(Session* session)
{
    return new P(session);
}

struct Line {
    const char *id, *title, *icon;
    Page* (*make)(Session* session);
};

constexpr Line kPages[] = {
    {"home", QT_TRANSLATE_NOOP("Pages", "&Home"), "home", make<HomePage>},
    {"machines", QT_TRANSLATE_NOOP("Pages", "M&achines"), "server", make<MachinesPage>},
    {"plan", QT_TRANSLATE_NOOP("Pages", "&Plan"), "plan", make<PlanPage>},
    {"run", QT_TRANSLATE_NOOP("Pages", "&Run"), "run", make<RunPage>},
    {"results", QT_TRANSLATE_NOOP("Pages", "Re&sults"), "results", make<ResultsPage>},
    {"compare", QT_TRANSLATE_NOOP("Pages", "&Compare"), "compare", make<ComparePage>},
    {"scaling", QT_TRANSLATE_NOOP("Pages", "Scal&ing"), "scaling", make<ScalingPage>},
    {"advice", QT_TRANSLATE_NOOP("Pages", "Ad&vice"), "advice", make<AdvicePage>},
    {"verify", QT_TRANSLATE_NOOP("Pages", "Verif&y"), "verify", make<VerifyPage>},
    {"settings", QT_TRANSLATE_NOOP("Pages", "Settin&gs"), "settings", make<SettingsPage>},
};

} // namespace

QList<PageEntry> pageRegistry()
{
    QList<PageEntry> pages;
    for (const Line& line : kPages)
        pages << PageEntry{QString::fromLatin1(line.id),
                           QCoreApplication::translate("Pages", line.title),
                           QString::fromLatin1(line.icon), line.make};
    return pages;
}

QStringList pageIds()
{
    QStringList ids;
    for (const Line& line : kPages)
        ids << QString::fromLatin1(line.id);
    return ids;
}

} // namespace scalebench
