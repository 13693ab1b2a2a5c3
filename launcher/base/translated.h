// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The launcher's sentences: Launcher::tr("… %1 …").arg(…). The window has a translator installed
// and shows them in its language; the command line and the supervisors have none, so that what they
// print and what they write into files is English.

#include <QCoreApplication>

namespace scalebench {

class Launcher
{
    Q_DECLARE_TR_FUNCTIONS(Launcher)
};

/// A text of a recipe (resources/workloads/*.json): its titles and hints.
inline QString recipeText(const QString& english)
{
    return english.isEmpty() ? english
                             : QCoreApplication::translate("Recipes", english.toUtf8().constData());
}

/// While one is alive, its thread speaks English: for what goes into files.
class EnglishText
{
public:
    EnglishText() { ++depth(); }
    ~EnglishText() { --depth(); }
    EnglishText(const EnglishText&) = delete;
    EnglishText& operator=(const EnglishText&) = delete;

    static bool isOn() { return depth() > 0; }

private:
    static int& depth()
    {
        static thread_local int count = 0;
        return count;
    }
};

} // namespace scalebench
