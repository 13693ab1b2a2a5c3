// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/plain_text.h"
#include "cli.h"
#include "machine/this_computer.h"

#include <QJsonArray>
#include <QJsonObject>

#include <algorithm>

namespace scalebench::cli {

using namespace Qt::Literals::StringLiterals;

static QString levelName(Finding::Level level)
{
    switch (level) {
    case Finding::Level::Ok:
        return u"ok"_s;
    case Finding::Level::Warning:
        return u"warning"_s;
    case Finding::Level::Problem:
        break;
    }
    return u"problem"_s;
}

int commandDoctor(const QStringList& arguments)
{
    CommandParser parser(u"doctor [options]"_s,
                         u"Says what this machine has and what would keep a run from starting."_s);
    parser.addJsonOption();
    parser.addLibraryOption();
    if (const std::optional<int> code = parser.parseArguments(arguments))
        return *code;
    if (!parser.positionalArguments().isEmpty())
        return report({u"usage"_s, u"\"%1\" is one word too many."_s.arg(
                                       visibleLine(parser.positionalArguments().constFirst()))});
    const QString library =
        parser.isSet(u"library"_s) ? parser.value(u"library"_s) : Library::defaultDir();
    const QList<Finding> findings = runDoctor(library);
    const bool problem = std::any_of(findings.begin(), findings.end(), [](const Finding& f) {
        return f.level == Finding::Level::Problem;
    });
    if (parser.json()) {
        QJsonArray list;
        for (const Finding& f : findings)
            list << QJsonObject{{u"id"_s, f.id},
                                {u"level"_s, levelName(f.level)},
                                {u"text"_s, f.text},
                                {u"fix"_s, f.fix}};
        printJson(QJsonDocument(list));
        return problem ? kFailed : kOk;
    }
    for (const Finding& f : findings) {
        out(u"%1 %2 %3\n"_s.arg((u'[' + levelName(f.level) + u']').leftJustified(10),
                                f.id.leftJustified(8), f.text));
        if (!f.fix.isEmpty())
            out(QString(20, u' ') + u"-> "_s + f.fix + u'\n');
    }
    out(problem ? u"\nThis machine cannot train yet: see the problems above.\n"_s
                : u"\nThis machine is ready to train.\n"_s);
    return problem ? kFailed : kOk;
}

} // namespace scalebench::cli
