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

/// "1,200", "31,5", "31.5": commas are thousands where three digits follow each. Nothing that
/// begins or ends inside a longer number or a name.
const QString kNumber =
    u"(?<!\\w)(?<!\\d[.,])(\\d{1,3}(?:,\\d{3})+(?:\\.\\d+)?|\\d+,\\d{1,2}|\\d+(?:\\.\\d+)?)(?![.,]?\\d)"_s;

double valueOf(const QString& number)
{
    static const QRegularExpression kThousands(u",\\d{3}"_s);
    QString plain = number;
    if (kThousands.match(number).hasMatch())
        plain.remove(u',');
    return plain.replace(u',', u'.').toDouble();
}

double secondsIn(const QString& unit)
{
    const QChar first = unit.at(0).toLower();
    return first == u'd' ? 86'400 : first == u'h' ? 3600 : first == u'm' ? 60 : 1;
}

/// "gpu" of "GPUs".
QString kindOf(const QString& unit)
{
    const QString kind = unit.toLower();
    return kind.endsWith(u's') ? kind.chopped(1) : kind;
}

/// A pair of numbers with an arrow: 1 from, 2 its unit, 3 to, 4 its unit.
QRegularExpression pairIn(const QString& units)
{
    const QString pair = u"%2\\s*(?:(%1)\\b)?\\s*(?:→|->|–>|=>|\\bto\\b)\\s*%2\\s*(%1)\\b"_s;
    return QRegularExpression(pair.arg(units, kNumber), QRegularExpression::CaseInsensitiveOption);
}

} // namespace

Result<Claim> checkClaim(const QString& text)
{
    static const auto option = QRegularExpression::CaseInsensitiveOption;
    static const QRegularExpression count =
        pairIn(u"gpus?|accelerators?|nodes?|workers?|processors?|chips?"_s);
    static const QRegularExpression time =
        pairIn(u"min(?:utes?)?|s(?:ec(?:onds?)?)?|h(?:ours?)?|days?"_s);
    const auto c = count.match(text.left(kLongest)), t = time.match(text.left(kLongest));
    Claim claim;
    QString before; // the first time as it is written
    if (c.hasMatch() && t.hasMatch()) {
        const QString unit = c.captured(2), timeUnit = t.captured(2);
        if (!unit.isEmpty() && kindOf(unit) != kindOf(c.captured(4)))
            return Failure{u"usage"_s,
                           Launcher::tr("\"%1\" counts %2 on one side and %3 on the other: give "
                                        "both in the same unit.")
                               .arg(c.captured(0), unit, c.captured(4))};
        claim.fromCount = valueOf(c.captured(1));
        claim.toCount = valueOf(c.captured(3));
        claim.unit = c.captured(4);
        claim.timeUnit = t.captured(4);
        claim.toTime = valueOf(t.captured(3));
        claim.fromTime = valueOf(t.captured(1));
        before = plain(claim.fromTime);
        if (!timeUnit.isEmpty() && secondsIn(timeUnit) != secondsIn(claim.timeUnit)) {
            before += u' ' + timeUnit;
            claim.fromTime *= secondsIn(timeUnit) / secondsIn(claim.timeUnit);
        }
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
            .arg(plain(claim.fromCount), plain(claim.toCount), claim.unit, before,
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
