// SPDX-License-Identifier: GPL-3.0-or-later
#include "mlperf_line.h"
#include "base/translated.h"

#include <QJsonDocument>
#include <QJsonParseError>
#include <QStringList>
#include <QUtf8StringView>

#include <cmath>
#include <optional>
#include <utility>

namespace scalebench::imports {

using namespace Qt::Literals::StringLiterals;

namespace {

/// JSON's strings must be UTF-8; logs are whatever the submitter's terminal wrote.
QByteArray asUtf8(QByteArrayView bytes)
{
    return QUtf8StringView(bytes).isValidUtf8() ? bytes.toByteArray()
                                                : QString::fromLatin1(bytes).toUtf8();
}

/// Python's NaN, Infinity and -Infinity outside strings, as null.
QByteArray withoutNaN(const QByteArray& json)
{
    QByteArray result;
    bool inString = false;
    for (qsizetype i = 0; i < json.size(); ++i) {
        const char c = json[i];
        if (inString) {
            result += c;
            if (c == '\\' && i + 1 < json.size())
                result += json[++i];
            inString = c != '"';
            continue;
        }
        inString = c == '"';
        const QByteArrayView rest = QByteArrayView(json).sliced(i);
        const char* word = nullptr;
        for (const char* name : {"NaN", "Infinity", "-Infinity"})
            if (rest.startsWith(name))
                word = name;
        if (word) {
            result += "null";
            i += qsizetype(qstrlen(word)) - 1;
        } else {
            result += c;
        }
    }
    return result;
}

/// Where the first complete value { … } or [ … ] ends; -1: nowhere.
qsizetype endOfValue(const QByteArray& json)
{
    int depth = 0;
    bool inString = false;
    for (qsizetype i = 0; i < json.size(); ++i) {
        const char c = json[i];
        if (inString) {
            if (c == '\\')
                ++i;
            inString = c != '"';
            continue;
        }
        if (c == '"')
            inString = true;
        else if (c == '{' || c == '[')
            ++depth;
        else if (c == '}' || c == ']')
            if (--depth == 0)
                return i + 1;
        if (depth == 0)
            return -1;
    }
    return -1;
}

/// Any JSON value; QJsonDocument takes objects and lists only.
std::optional<QJsonValue> parseValue(const QByteArray& json, QString& error)
{
    const QByteArray wrapped = json.startsWith('{') ? json : "[" + json + "]";
    QJsonParseError problem;
    const QJsonDocument document = QJsonDocument::fromJson(wrapped, &problem);
    if (problem.error != QJsonParseError::NoError) {
        error = problem.errorString();
        return {};
    }
    if (document.isObject())
        return QJsonValue(document.object());
    if (document[0].isUndefined() || !document[1].isUndefined()) {
        error = Launcher::tr("one value is expected");
        return {};
    }
    return document[0];
}

std::optional<QJsonValue> readJson(QByteArrayView bytes, MlperfLine& line)
{
    const QByteArray json = asUtf8(bytes.trimmed());
    QString error;
    if (std::optional<QJsonValue> value = parseValue(json, error))
        return value;
    QString ignored;
    if (std::optional<QJsonValue> value = parseValue(withoutNaN(json), ignored)) {
        line.remark = Launcher::tr("a number is not finite");
        return value;
    }
    if (const qsizetype end = endOfValue(json); end > 0 && end < json.size())
        if (std::optional<QJsonValue> value = parseValue(withoutNaN(json.first(end)), ignored)) {
            line.problem = Launcher::tr("text follows the record");
            return value;
        }
    line.problem = Launcher::tr("no valid JSON after the token: %1").arg(error);
    return {};
}

/// Milliseconds since 1970 that a clock can show. Some add settings afterwards, at the time 0.
std::optional<double> readTime(double ms)
{
    return std::isfinite(ms) && ms >= 0 && ms < 4e12 ? std::optional(ms) : std::nullopt;
}

/// Of these the time is what counts.
bool needsTime(const QString& key)
{
    return key == "run_start"_L1 || key == "run_stop"_L1 || key == "eval_accuracy"_L1;
}

MlperfLine& broken(MlperfLine& line, const QString& problem)
{
    line.kind = MlperfLine::Kind::Broken;
    if (line.problem.isEmpty())
        line.problem = problem;
    return line;
}

/// The word up to the next blank, which is taken off `text`.
QByteArrayView takeWord(QByteArrayView& text)
{
    text = text.trimmed();
    qsizetype end = 0;
    while (end < text.size() && text[end] != ' ' && text[end] != '\t')
        ++end;
    const QByteArrayView word = text.first(end);
    text = text.sliced(end).trimmed();
    return word;
}

/// `key` or `key: json`.
bool takeKey(QByteArrayView& text, MlperfLine& line)
{
    qsizetype end = 0;
    while (end < text.size() && text[end] != ':' && text[end] != ' ')
        ++end;
    line.key = QString::fromLatin1(text.first(end));
    text = text.sliced(end).trimmed();
    if (text.startsWith(':'))
        text = text.sliced(1).trimmed();
    else if (!text.isEmpty())
        return false;
    return !line.key.isEmpty() && line.key.size() <= 200;
}

MlperfLine& complete(MlperfLine& line)
{
    if (line.timeMs == 0 && needsTime(line.key))
        return broken(line, Launcher::tr("the time of \"%1\" is 0").arg(line.key));
    line.kind = MlperfLine::Kind::Record;
    return line;
}

MlperfLine parseV05(QByteArrayView text, MlperfLine line)
{
    line.benchmark = QString::fromLatin1(takeWord(text));
    bool ok = false;
    const auto time = readTime(takeWord(text).toDouble(&ok) * 1000);
    if (!ok || !time)
        return broken(line, Launcher::tr("the time cannot be read"));
    line.timeMs = *time;
    if (text.startsWith('(')) {
        const qsizetype end = text.indexOf(") ");
        if (end < 0)
            return broken(line, Launcher::tr("the place in the program has no end"));
        text = text.sliced(end + 2).trimmed();
    }
    if (!takeKey(text, line))
        return broken(line, Launcher::tr("the key cannot be read"));
    line.value = QJsonValue(QJsonValue::Undefined);
    if (complete(line).kind == MlperfLine::Kind::Broken || text.isEmpty())
        return line;
    const auto value = readJson(text, line);
    if (value) {
        line.value = *value;
        line.remark += std::exchange(line.problem, {}); // the first writers were not strict
        return line;
    }
    // The first writers printed whatever they had behind keys that nobody reads.
    static const QStringList kRead{u"eval_accuracy"_s, u"eval_target"_s, u"run_stop"_s,
                                   u"train_epoch"_s, u"input_batch_size"_s};
    if (kRead.contains(line.key))
        return broken(line, {});
    line.problem.clear();
    line.remark = Launcher::tr("the value of \"%1\" is no JSON").arg(line.key);
    return line;
}

MlperfLine parseV06(QByteArrayView text, MlperfLine line)
{
    bool ok = false;
    const auto time = readTime(takeWord(text).toDouble(&ok) * 1000);
    if (!ok || !time)
        return broken(line, Launcher::tr("the time cannot be read"));
    line.timeMs = *time;
    if (!takeKey(text, line))
        return broken(line, Launcher::tr("the key cannot be read"));
    const auto value = readJson(text, line);
    if (!value || !value->isObject())
        return broken(line, Launcher::tr("an object with \"value\" is expected"));
    line.value = value->toObject().value("value"_L1);
    line.metadata = value->toObject().value("metadata"_L1).toObject();
    return complete(line);
}

MlperfLine parseV07(QByteArrayView text, MlperfLine line)
{
    const auto json = readJson(text, line);
    if (!json || !json->isObject())
        return broken(line, Launcher::tr("a JSON object is expected after the token"));
    const QJsonObject record = json->toObject();
    line.own = record.value("namespace"_L1).toString() == "scalebench"_L1;
    line.key = record.value("key"_L1).toString();
    line.metadata = record.value("metadata"_L1).toObject();
    line.value = record.value("value"_L1);
    // Written by some as a text, by others in seconds.
    const bool seconds = !record.contains("time_ms"_L1) && record.contains("time_s"_L1);
    const QJsonValue at = record.value(seconds ? "time_s"_L1 : "time_ms"_L1);
    bool ok = at.isDouble();
    const double number = at.isString() ? at.toString().toDouble(&ok) : at.toDouble();
    const auto time = readTime(seconds ? number * 1000 : number);
    if (!ok || !time)
        return broken(line, Launcher::tr("\"time_ms\" is missing or no time"));
    line.timeMs = *time;
    if (line.key.isEmpty() || line.key.size() > 200)
        return broken(line, Launcher::tr("\"key\" is missing"));
    return complete(line);
}

} // namespace

MlperfLine parseMlperfLine(QByteArrayView text)
{
    MlperfLine line;
    const qsizetype token = text.lastIndexOf(":::ML");
    if (token < 0)
        return line;
    const QByteArrayView record = text.sliced(token).trimmed();
    const QByteArrayView rest = record.sliced(5);
    if (rest.startsWith("LOG")) {
        line.generation = MlperfGeneration::V07;
        return parseV07(rest.sliced(3), line);
    }
    if (rest.startsWith("L ")) {
        line.generation = MlperfGeneration::V06;
        return parseV06(rest.sliced(2), line);
    }
    if (rest.startsWith("Pv")) {
        line.generation = MlperfGeneration::V05;
        line.record = record.toByteArray();
        QByteArrayView fields = rest;
        if (const QByteArrayView version = takeWord(fields); version == "Pv0.5.0")
            return parseV05(fields, line);
        return broken(line, Launcher::tr("a version of the format that is not known"));
    }
    // What only looks like a token is other output, unless the line ends in it.
    return rest.isEmpty() || rest == "L" || rest == "P"
               ? broken(line, Launcher::tr("the line is cut off"))
               : line;
}

} // namespace scalebench::imports
