// SPDX-License-Identifier: GPL-3.0-or-later
// Host lists as people type them: "a:2,b:2", and Slurm's ranges "gpu[01-04,7]:8".
#include "base/translated.h"
#include "machine/machines.h"

#include "base/host_names.h"

#include <QSet>

#include <algorithm>
#include <optional>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

namespace {

Failure wrong(const QString& word, const QString& reason)
{
    return {u"host_list_invalid"_s,
            Launcher::tr("\"%1\" in the list of hosts is not understood: %2")
                .arg(printable(word), reason)};
}

/// Splits at commas and white space that are not inside brackets.
Result<QStringList> splitWords(const QString& text)
{
    QStringList words;
    QString word;
    int depth = 0;
    for (const QChar c : text) {
        if (depth == 0 && (c == u',' || c.isSpace())) {
            words << word;
            word.clear();
            continue;
        }
        depth += c == u'[' ? 1 : c == u']' ? -1 : 0;
        word += c;
        if (depth < 0 || depth > 1)
            return wrong(word,
                         Launcher::tr("its brackets do not match. Write for example gpu[01-04]."));
    }
    if (depth != 0)
        return wrong(word,
                     Launcher::tr("the closing \"]\" is missing. Write for example gpu[01-04]."));
    words << word;
    words.removeAll(QString());
    return words;
}

std::optional<qint64> wholeNumber(const QString& text)
{
    const auto digit = [](QChar c) { return c >= u'0' && c <= u'9'; };
    if (text.isEmpty() || text.size() > 9 || !std::all_of(text.begin(), text.end(), digit))
        return {};
    return text.toLongLong();
}

/// "01-04,7" to "01" "02" "03" "04" "7". The width of the first number is kept, as Slurm does.
Result<QStringList> expandRange(const QString& word, const QString& range)
{
    QStringList numbers;
    for (const QString& part : range.split(u',')) {
        const QString first = part.section(u'-', 0, 0);
        const QString last = part.contains(u'-') ? part.section(u'-', 1) : first;
        const std::optional<qint64> from = wholeNumber(first), to = wholeNumber(last);
        if (!from || !to)
            return wrong(word,
                         Launcher::tr("\"%1\" in the brackets is no number or range such as 01-04.")
                             .arg(printable(part)));
        if (*to < *from)
            return wrong(word, Launcher::tr("the range %1 goes backwards.").arg(part));
        if (*to - *from >= kMostHosts)
            return wrong(
                word,
                Launcher::tr("the range %1 has more than %2 hosts.").arg(part).arg(kMostHosts));
        for (qint64 n = *from; n <= *to; ++n)
            numbers << QString::number(n).rightJustified(first.size(), u'0');
    }
    return numbers;
}

/// All names of "rack[1-2]n[01-04]".
Result<QStringList> expandName(const QString& word, const QString& name)
{
    QStringList names{QString()};
    QString rest = name;
    while (!rest.isEmpty()) {
        const qsizetype open = rest.indexOf(u'[');
        const QString literal = open < 0 ? rest : rest.left(open);
        QStringList choices{QString()};
        if (open >= 0) {
            const qsizetype close = rest.indexOf(u']', open);
            const Result<QStringList> numbers =
                expandRange(word, rest.mid(open + 1, close - open - 1));
            if (!numbers)
                return numbers.failure();
            choices = numbers.value();
            rest = rest.mid(close + 1);
        } else {
            rest.clear();
        }
        if (names.size() * choices.size() > kMostHosts)
            return wrong(word, Launcher::tr("it stands for more than %1 hosts.").arg(kMostHosts));
        QStringList longer;
        for (const QString& begin : names)
            for (const QString& choice : choices)
                longer << begin + literal + choice;
        names = longer;
    }
    return names;
}

} // namespace

QString hostListOf(const QList<HostSlots>& hosts)
{
    QStringList words;
    for (const HostSlots& host : hosts)
        words << (host.count > 0 ? u"%1:%2"_s.arg(host.name).arg(host.count) : host.name);
    return words.join(u',');
}

Result<QList<HostSlots>> parseHostList(const QString& text)
{
    const Result<QStringList> words = splitWords(text);
    if (!words)
        return words.failure();
    QHash<QString, int> places; // a list of 65536 hosts must not take seconds
    QList<HostSlots> hosts;
    for (const QString& word : words.value()) {
        QString name = word;
        int count = 0;
        if (word.count(u':') > 1)
            return checkHostName(word).failure();
        if (const qsizetype colon = word.lastIndexOf(u':'); colon >= 0) {
            name = word.left(colon);
            const std::optional<qint64> given = wholeNumber(word.mid(colon + 1));
            if (!given || *given < 1 || *given > kMostHosts)
                return wrong(word, Launcher::tr("\"%1\" is not a number of slots. Write e.g. %2:8.")
                                       .arg(printable(word.mid(colon + 1)), printable(name)));
            count = int(*given);
        }
        const Result<QStringList> names = expandName(word, name);
        if (!names)
            return names.failure();
        for (const QString& one : names.value()) {
            if (Result<void> ok = checkHostName(one); !ok)
                return ok.failure();
            if (const auto place = places.constFind(one); place != places.constEnd()) {
                int& known = hosts[*place].count;
                known = std::max(1, known) + std::max(1, count);
                continue;
            }
            places.insert(one, int(hosts.size()));
            hosts << HostSlots{one, count};
        }
        if (hosts.size() > kMostHosts)
            return wrong(word, Launcher::tr("the list has more than %1 hosts.").arg(kMostHosts));
    }
    return hosts;
}

} // namespace scalebench
