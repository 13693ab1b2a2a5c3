// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/claim.h"

#include "base/translated.h"

#include <QCoreApplication>
#include <QLocale>
#include <QRegularExpression>

#include <cmath>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr qsizetype kLongest = 2000;

struct Question {
    const char* answered; ///< what a text that tells it has in it
    const char* question;
};
const Question kQuestions[] = {
    {"batch|strong|weak",
     QT_TRANSLATE_NOOP("Launcher", "Which global batch on both sides? A larger one "
                                   "may need more epochs.")},
    {"epoch|target|accuracy|quality|converge",
     QT_TRANSLATE_NOOP("Launcher", "Time to which quality, in how many epochs on both sides?")},
    {"repeat|runs|median|mean|olympic|times each",
     QT_TRANSLATE_NOOP("Launcher", "How many runs of each, and how far apart?")},
    {"node|server|host|nvlink|infiniband|ethernet|switch",
     QT_TRANSLATE_NOOP("Launcher", "Over how many nodes and which network?")},
    {"fp32|fp16|bf16|tf32|precision",
     QT_TRANSLATE_NOOP("Launcher", "Which precision and software version on both sides?")},
};

QString number(double value, int digits = 2)
{
    return QLocale().toString(value, 'f', digits);
}

QString plain(double value)
{
    return QLocale().toString(value, 'g', 6);
}

} // namespace

Result<Claim> checkClaim(const QString& text)
{
    static const QString pair =
        u"(\\d[\\d.]*)\\s*(?:%1)?\\s*(?:→|->|–>|=>|\\bto\\b)\\s*(\\d[\\d.]*)\\s*(%1)\\b"_s;
    static const QString counts = u"gpus?|accelerators?|nodes?|workers?|processors?|chips?"_s;
    static const QString times = u"min(?:utes?)?|s(?:ec(?:onds?)?)?|h(?:ours?)?|days?"_s;
    static const auto option = QRegularExpression::CaseInsensitiveOption;
    static const QRegularExpression count(pair.arg(counts), option), time(pair.arg(times), option);
    const auto c = count.match(text.left(kLongest)), t = time.match(text.left(kLongest));
    Claim claim;
    if (c.hasMatch() && t.hasMatch()) {
        claim = {c.captured(1).toDouble(),
                 c.captured(2).toDouble(),
                 c.captured(3),
                 t.captured(1).toDouble(),
                 t.captured(2).toDouble(),
                 t.captured(3),
                 {},
                 {}};
    }
    if (!(claim.fromCount > 0) || !(claim.toCount > claim.fromCount) || !(claim.fromTime > 0) ||
        !(claim.toTime > 0))
        return Failure{
            u"usage"_s,
            Launcher::tr(
                "A claim has two counts, the smaller one first, and two times, for example "
                "\"8→32 GPUs, 31.5→10.67 min\" or \"1 to 4 nodes, 90 to 26 s\".")};
    for (const Question& question : kQuestions)
        if (!QRegularExpression(QString::fromLatin1(question.answered), option)
                 .match(text)
                 .hasMatch())
            claim.missing << Launcher::tr(question.question);
    claim.fair =
        Launcher::tr(
            "From %1 to %2 %3 the time fell from %4 to %5 %6: %7 times as fast, %8 % of the ideal "
            "%9.")
            .arg(plain(claim.fromCount), plain(claim.toCount), claim.unit, plain(claim.fromTime),
                 plain(claim.toTime), claim.timeUnit, number(claim.speedup()),
                 number(claim.efficiency() * 100, 0), plain(claim.ideal()));
    if (claim.speedup() < 1)
        claim.fair += u' ' + Launcher::tr("It is slower than before.");
    else if (claim.efficiency() > 1.005)
        claim.fair +=
            u' ' + Launcher::tr("More than the ideal: the two sides differ in more than the "
                                "count, or the first one was held back.");
    return claim;
}

} // namespace scalebench
