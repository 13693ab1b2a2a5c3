// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/json_fields.h"

#include "base/host_names.h"
#include "base/plain_text.h"
#include "base/translated.h"

#include <QJsonDocument>
#include <QSet>

#include <algorithm>
#include <cctype>
#include <cmath>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

/// "FILE:LINE:COLUMN"
static QString placeOf(const QByteArray& json, qsizetype offset, const QString& fileName)
{
    const QByteArray before = json.left(offset);
    const auto column = before.size() - (before.lastIndexOf('\n') + 1) + 1;
    return u"%1:%2:%3"_s.arg(fileName).arg(before.count('\n') + 1).arg(column);
}

Result<QJsonObject> parseJsonObject(const QByteArray& json, const QString& fileName)
{
    QJsonParseError error;
    const QJsonDocument document = QJsonDocument::fromJson(json, &error);
    if (error.error != QJsonParseError::NoError)
        return Failure{u"json_damaged"_s,
                       Launcher::tr("%1: this is not valid JSON: %2.")
                           .arg(placeOf(json, error.offset, fileName), error.errorString())};
    if (!document.isObject())
        return Failure{u"json_damaged"_s,
                       Launcher::tr("%1:1:1: a JSON object { … } is expected here.").arg(fileName)};
    return document.object();
}

Result<void> checkKeysOnce(const QByteArray& json, const QString& fileName)
{
    QList<QSet<QString>> open; // the keys of every object around, none of a list
    for (qsizetype i = 0; i < json.size(); ++i) {
        const char c = json[i];
        if (c == '{' || c == '[')
            open << QSet<QString>();
        else if ((c == '}' || c == ']') && !open.isEmpty())
            open.removeLast();
        if (c != '"')
            continue;
        const qsizetype begin = i;
        for (++i; i < json.size() && json[i] != '"'; ++i)
            i += json[i] == '\\' ? 1 : 0;
        qsizetype next = i + 1;
        while (next < json.size() && std::isspace(uchar(json[next])))
            ++next;
        if (next >= json.size() || json[next] != ':' || open.isEmpty())
            continue; // a text, not a key
        const QByteArray quoted = '[' + json.sliced(begin, i + 1 - begin) + ']';
        const QString key = QJsonDocument::fromJson(quoted).array().first().toString();
        if (open.last().contains(key))
            return Failure{u"path_twice"_s,
                           Launcher::tr("%1: \"%2\" is given twice. Leave one of them out.")
                               .arg(placeOf(json, begin, fileName), visibleLine(key.left(100)))};
        open.last().insert(key);
    }
    return {};
}

int editDistance(const QString& a, const QString& b)
{
    QList<int> previous(b.size() + 1), current(b.size() + 1);
    for (int j = 0; j <= b.size(); ++j)
        previous[j] = j;
    for (int i = 1; i <= a.size(); ++i) {
        current[0] = i;
        for (int j = 1; j <= b.size(); ++j) {
            const int change = previous[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            current[j] = std::min({previous[j] + 1, current[j - 1] + 1, change});
        }
        std::swap(previous, current);
    }
    return previous[b.size()];
}

QString nearestWord(const QString& word, const QStringList& known)
{
    const QString lower = word.toLower();
    QString best;
    int bestDistance = std::max(2, int(word.size()) / 3) + 1;
    for (const QString& candidate : known) {
        int distance = editDistance(lower, candidate.toLower());
        if (lower.size() >= 3 && candidate.toLower().startsWith(lower))
            distance = std::min(distance, 1);
        if (distance < bestDistance && distance < candidate.size()) {
            bestDistance = distance;
            best = candidate;
        }
    }
    return best;
}

QString didYouMean(const QString& word, const QStringList& known)
{
    const QString near = nearestWord(word, known);
    return near.isEmpty() ? QString() : u' ' + Launcher::tr("(did you mean \"%1\"?)").arg(near);
}

QJsonValue orNull(const std::optional<double>& value)
{
    return value && std::isfinite(*value) ? QJsonValue(*value) : QJsonValue(QJsonValue::Null);
}

QJsonValue orNullIfZero(double value)
{
    return orNull(value > 0 ? std::optional(value) : std::nullopt);
}

QString describeJson(const QJsonValue& value)
{
    switch (value.type()) {
    case QJsonValue::Null:
        return u"null"_s;
    case QJsonValue::Bool:
        return value.toBool() ? u"true"_s : u"false"_s;
    case QJsonValue::Double:
        return Launcher::tr("the number %1").arg(QString::number(value.toDouble(), 'g', 12));
    case QJsonValue::String:
        return Launcher::tr("the text \"%1\"").arg(printable(value.toString().left(60)));
    case QJsonValue::Array:
        return Launcher::tr("a list");
    case QJsonValue::Object:
        return Launcher::tr("an object");
    case QJsonValue::Undefined:
        break;
    }
    return u"nothing"_s;
}

QString JsonFields::named(const QString& key) const
{
    return m_path.isEmpty() ? key : m_path + u'.' + key;
}

void JsonFields::fail(const QString& code, const QString& message)
{
    if (!m_failure) // keys and values of the file are in it
        m_failure = Failure{code, visibleLine(message)};
}

void JsonFields::wrongType(const QString& key, const QString& expected)
{
    fail(u"wrong_type"_s,
         Launcher::tr("%1: \"%2\" must be %3, found %4.")
             .arg(m_fileName, named(key), expected, describeJson(m_object.value(key))));
}

QString JsonFields::text(const QString& key, const QString& fallback)
{
    if (!has(key))
        return fallback;
    if (!m_object.value(key).isString()) {
        wrongType(key, Launcher::tr("a text"));
        return fallback;
    }
    return m_object.value(key).toString();
}

bool JsonFields::boolean(const QString& key, bool fallback)
{
    if (!has(key))
        return fallback;
    if (!m_object.value(key).isBool())
        wrongType(key, Launcher::tr("true or false"));
    return m_object.value(key).toBool(fallback);
}

static bool isWhole(const QJsonValue& value)
{
    return value.isDouble() && std::floor(value.toDouble()) == value.toDouble() &&
           std::abs(value.toDouble()) < 9.1e18;
}

qint64 JsonFields::integer(const QString& key, qint64 fallback)
{
    if (!has(key))
        return fallback;
    if (!isWhole(m_object.value(key))) {
        wrongType(key, Launcher::tr("a whole number"));
        return fallback;
    }
    return m_object.value(key).toInteger(qint64(m_object.value(key).toDouble()));
}

int JsonFields::count(const QString& key, int fallback, int least, int most)
{
    const qint64 value = integer(key, fallback);
    if (value >= least && value <= most)
        return int(value);
    fail(u"out_of_range"_s, Launcher::tr("%1: \"%2\" must be between %3 and %4, found %5.")
                                .arg(m_fileName, named(key), QString::number(least),
                                     QString::number(most), QString::number(value)));
    return fallback;
}

int JsonFields::whole(const QString& key, int fallback)
{
    const qint64 value = integer(key, fallback);
    if (std::abs(value) <= 2'000'000'000)
        return int(value);
    fail(u"out_of_range"_s, Launcher::tr("%1: \"%2\" cannot be %3: that is out of all range.")
                                .arg(m_fileName, named(key), QString::number(value)));
    return fallback;
}

QString JsonFields::line(const QString& key, const QString& fallback)
{
    const QString value = text(key, fallback);
    if (!hasControlCharacters(value) && value.size() <= 4096)
        return value;
    fail(u"wrong_type"_s, Launcher::tr("%1: \"%2\" must be one line of text, found \"%3\".")
                              .arg(m_fileName, named(key), printable(value)));
    return fallback;
}

double JsonFields::number(const QString& key, double fallback)
{
    if (!has(key))
        return fallback;
    if (!m_object.value(key).isDouble())
        wrongType(key, Launcher::tr("a number"));
    return m_object.value(key).toDouble(fallback);
}

QJsonObject JsonFields::child(const QString& key)
{
    if (has(key) && !m_object.value(key).isObject())
        wrongType(key, Launcher::tr("an object { … }"));
    return m_object.value(key).toObject();
}

QStringList JsonFields::textList(const QString& key, const QStringList& fallback)
{
    if (!has(key))
        return fallback;
    QStringList list;
    const QJsonValue value = m_object.value(key);
    if (!value.isArray()) {
        wrongType(key, Launcher::tr("a list of texts"));
        return fallback;
    }
    for (const QJsonValue& item : value.toArray()) {
        if (!item.isString())
            fail(u"wrong_type"_s,
                 Launcher::tr("%1: \"%2\" must be a list of texts, found %3 in it.")
                     .arg(m_fileName, named(key), describeJson(item)));
        list << item.toString();
    }
    return list;
}

QList<int> JsonFields::integerList(const QString& key, const QList<int>& fallback)
{
    if (!has(key))
        return fallback;
    QList<int> list;
    const QJsonValue value = m_object.value(key);
    if (!value.isArray()) {
        wrongType(key, Launcher::tr("a list of whole numbers"));
        return fallback;
    }
    for (const QJsonValue& item : value.toArray()) {
        if (!isWhole(item) || std::abs(item.toDouble()) > 2e9)
            fail(u"wrong_type"_s,
                 Launcher::tr("%1: \"%2\" must be a list of whole numbers, found %3 in it.")
                     .arg(m_fileName, named(key), describeJson(item)));
        list << item.toInt();
    }
    return list;
}

void JsonFields::allowOnly(const QStringList& known)
{
    for (const QString& key : m_object.keys())
        if (!known.contains(key))
            fail(u"unknown_key"_s,
                 Launcher::tr("%1: the key \"%2\" is not known%3.")
                     .arg(m_fileName, printable(named(key)), didYouMean(key.left(100), known)));
}

void JsonFields::checkFormat(const QString& format, int version)
{
    const QString found = text(u"format"_s, format);
    if (found != format)
        fail(u"wrong_format"_s, Launcher::tr("%1: this is a \"%2\" file; \"%3\" is expected.")
                                    .arg(m_fileName, printable(found), format));
    const qint64 foundVersion = integer(u"version"_s, version);
    if (foundVersion > version)
        fail(u"newer_version"_s, Launcher::tr("%1: the file has version %2; this program reads up "
                                              "to version %3. Update Scalebench.")
                                     .arg(m_fileName)
                                     .arg(foundVersion)
                                     .arg(version));
}

} // namespace scalebench
