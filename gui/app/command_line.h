// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What the program was asked to do.

#include "base/result.h"
#include "figures/study_charts.h"
#include "settings/theme.h"

#include <QSize>
#include <QString>
#include <QStringList>

#include <optional>

namespace scalebench {

struct CommandLine {
    QStringList files; ///< a study.json, a study's folder, or results
    QString libraryDir;
    QString page;
    QString screenshot;
    QSize size; ///< of the window; invalid: as remembered
    std::optional<ThemeChoice> theme;
    QString language;            ///< --language; empty: as set
    bool importsResults = false; ///< --import: asks which
    bool start = false;
    QString replayDir; ///< --replay STUDYDIR
    double speed = 10; ///< of that: --speed N
    QString exportDir; ///< --export STUDYDIR
    ScalingView view;  ///< of --export: --quantity, --baseline, --reference
    QString printFile; ///< --print FILE
    QString chartFile; ///< --draw FILE
    QString outDir;    ///< of these: a folder, the PDF, the picture
    bool help = false;
    bool version = false;
    QString helpText;

    /// Failure code "usage". Needs a QCoreApplication.
    static Result<CommandLine> parse(const QStringList& arguments);
};

} // namespace scalebench
