// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/claim.h"

#include "base/translated.h"

#include <QCoreApplication>
#include <QLocale>
#include <QRegularExpression>

#include <cmath>
#include <optional>

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
    u"(?<!\\w)(?<!\\d[.,:])(?:\\d{1,3}(?:,\\d{3})+(?:\\.\\d+)?|\\d+,\\d{1,2}|\\d+(?:\\.\\d+)?)(?![.,:]?\\d)"_s;
const QString kArrow = u"\\s*(?:→|->|–>|=>|\\bto\\b)\\s*"_s;
const QString kTimeUnit = u"(?:min(?:ute)?s?|s(?:ec(?:ond)?s?)?|h(?:(?:ou)?rs?)?|days?)(?![a-z])"_s;

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

const QString kUnits = u"gpus?|accelerators?|nodes?|workers?|processors?|chips?"_s;

/// Two counts with an arrow: 1 from, 2 its unit, 3 to, 4 its unit.
QRegularExpression countPair()
{
    return QRegularExpression(
        u"(%1)\\s*(?:(%2)\\b)?%3(%1)\\s*(%2)\\b"_s.arg(kNumber, kUnits, kArrow),
        QRegularExpression::CaseInsensitiveOption);
}

/// A time with its unit: "31.5 min", "1 h 20 min", "1:20:00".
QString toldTime()
{
    const QString clock = u"(?<![\\w:.,])\\d+(?::\\d{2}){1,2}(?:\\.\\d+)?(?![:\\d])(?:\\s*%1)?"_s;
    const QString parts = u"%2\\s*%1(?:\\s*(?:and\\s+)?\\d+(?:[.,]\\d+)?\\s*%1)*"_s;
    return (clock + u'|' + parts).arg(kTimeUnit, kNumber);
}

/// Two times with an arrow, 1 and 2; the first one may be a number alone.
QRegularExpression timePair()
{
    return QRegularExpression(u"(%1|%2)%3(%1)"_s.arg(toldTime(), kNumber, kArrow),
                              QRegularExpression::CaseInsensitiveOption);
}

/// A count with its time, "8 GPUs in 31.5 minutes": 1 the count, 2 its unit, 3 the time.
QRegularExpression countInTime()
{
    return QRegularExpression(
        u"(%1)\\s*(%2)\\s*(?:in|takes?|needs?|:)\\s*(%3)"_s.arg(kNumber, kUnits, toldTime()),
        QRegularExpression::CaseInsensitiveOption);
}

struct WrittenTime {
    double value = 0;   ///< in `unit`; 0: not readable
    QString unit;       ///< the last one of several; empty: none
    QString text;       ///< as it is written
    bool plain = false; ///< one number
};

/// "1:20:00", "2:30" (minutes, as Scalebench writes them), "2:30 h".
WrittenTime clockTime(const QString& text, const QString& unit)
{
    const QStringList fields = text.split(u':');
    double value = 0;
    for (const QString& field : fields)
        value = 60 * value + field.toDouble();
    // In the unit of the last field.
    const bool hours = fields.size() == 2 && !unit.isEmpty() && secondsIn(unit) == 3600;
    return {hours ? value : value / 60, u"min"_s, {}, false};
}

WrittenTime timeIn(const QString& written)
{
    static const QRegularExpression kPart(u"([\\d.,:]*\\d)\\s*([a-z]*)"_s,
                                          QRegularExpression::CaseInsensitiveOption);
    WrittenTime time;
    QList<std::pair<QString, QString>> parts;
    for (auto it = kPart.globalMatch(written); it.hasNext();) {
        const QRegularExpressionMatch part = it.next();
        parts << std::pair(part.captured(1), part.captured(2));
    }
    if (parts.size() == 1 && parts[0].first.contains(u':')) {
        time = clockTime(parts[0].first, parts[0].second);
    } else if (parts.size() == 1) {
        time = {valueOf(parts[0].first), parts[0].second, {}, true};
    } else {
        time.unit = parts.isEmpty() ? QString() : parts.last().second;
        double above = secondsIn(u"days"_s) + 1;
        for (const auto& [value, unit] : std::as_const(parts)) {
            if (!(secondsIn(unit) < above)) // "20 s 5 min" is no time
                return {};
            above = secondsIn(unit);
            time.value += valueOf(value) * above / secondsIn(time.unit);
        }
    }
    time.text = written.simplified();
    return time;
}

/// "1→4→8 GPUs": of more than two numbers no two are the claim.
bool goesOn(const QString& text, const QRegularExpressionMatch& pair)
{
    static const QRegularExpression before(kNumber + u"\\s*[a-z]*"_s + kArrow + u'$',
                                           QRegularExpression::CaseInsensitiveOption),
        after(u'^' + kArrow + u"\\d"_s, QRegularExpression::CaseInsensitiveOption);
    return before.match(text.left(pair.capturedStart())).hasMatch() ||
           after.match(text.mid(pair.capturedEnd())).hasMatch();
}

/// One side as it is written; the unit of the first one's count may be missing.
struct Side {
    QString count, unit, time;
};
struct Sides {
    Side from, to;
    QString counts; ///< where both counts are told
};

std::optional<Sides> sidesIn(const QString& text)
{
    static const QRegularExpression count = countPair(), time = timePair(), both = countInTime();
    const auto c = count.match(text), t = time.match(text);
    if (c.hasMatch() && t.hasMatch() && !goesOn(text, c) && !goesOn(text, t))
        return Sides{{c.captured(1), c.captured(2), t.captured(1)},
                     {c.captured(3), c.captured(4), t.captured(2)},
                     c.captured(0)};
    QList<Side> sides;
    for (auto it = both.globalMatch(text); it.hasNext();) {
        const QRegularExpressionMatch side = it.next();
        sides << Side{side.captured(1), side.captured(2), side.captured(3)};
    }
    return sides.size() == 2 ? std::optional(Sides{sides[0], sides[1], text}) : std::nullopt;
}

bool isCount(double value)
{
    return value > 0 && value == std::floor(value);
}

} // namespace

Result<Claim> checkClaim(const QString& text)
{
    static const auto option = QRegularExpression::CaseInsensitiveOption;
    Claim claim;
    QString before, after; // the times as they are written
    if (const std::optional<Sides> sides = sidesIn(text.left(kLongest))) {
        const QString unit = sides->from.unit;
        if (!unit.isEmpty() && kindOf(unit) != kindOf(sides->to.unit))
            return Failure{u"usage"_s,
                           Launcher::tr("\"%1\" counts %2 on one side and %3 on the other: give "
                                        "both in the same unit.")
                               .arg(sides->counts, unit, sides->to.unit)};
        claim.fromCount = valueOf(sides->from.count);
        claim.toCount = valueOf(sides->to.count);
        claim.unit = sides->to.unit;
        const WrittenTime from = timeIn(sides->from.time), to = timeIn(sides->to.time);
        claim.timeUnit = to.unit;
        claim.toTime = to.value;
        claim.fromTime = from.value;
        before = from.plain ? plain(from.value) : from.text;
        after = to.plain ? plain(to.value) + u' ' + to.unit : to.text;
        if (!from.unit.isEmpty() && !to.unit.isEmpty() &&
            secondsIn(from.unit) != secondsIn(to.unit)) {
            claim.fromTime *= secondsIn(from.unit) / secondsIn(to.unit);
            if (from.plain)
                before += u' ' + from.unit;
        }
    }
    if (!isCount(claim.fromCount) || !isCount(claim.toCount) ||
        !(claim.toCount > claim.fromCount) || !(claim.fromTime > 0) || !(claim.toTime > 0))
        return Failure{
            u"usage"_s,
            Launcher::tr(
                "A claim has two whole counts, the smaller one first, and two times, for example "
                "\"8→32 GPUs, 31.5→10.67 min\" or \"1 to 4 nodes, 90 to 26 s\".")};
    for (const Question& question : kQuestions)
        if (!QRegularExpression(QString::fromLatin1(question.answered), option)
                 .match(text)
                 .hasMatch())
            claim.missing << Launcher::tr(question.question);
    claim.fair =
        Launcher::tr(
            "From %1 to %2 %3 the time went from %4 to %5: %6 times as fast, %7 % of the ideal %8.")
            .arg(plain(claim.fromCount), plain(claim.toCount), claim.unit, before, after,
                 number(claim.speedup()), number(claim.efficiency() * 100, 0),
                 plain(claim.ideal()));
    if (claim.speedup() < 1)
        claim.fair += u' ' + Launcher::tr("It is slower than before.");
    else if (claim.efficiency() > 1.005)
        claim.fair +=
            u' ' + Launcher::tr("More than the ideal: the two sides differ in more than the "
                                "count, or the first one was held back.");
    return claim;
}

} // namespace scalebench
