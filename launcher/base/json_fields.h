// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Typed reading of one JSON object that remembers the first thing that was wrong and says it in
// words a person can act on: file, key, what was expected, what was found.

#include "base/result.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QJsonValue>
#include <QList>
#include <QString>
#include <QStringList>

#include <optional>

namespace scalebench {

/// Parses a JSON object. Failure "json_damaged" names the place as line:column.
Result<QJsonObject> parseJsonObject(const QByteArray& json, const QString& fileName);

/// JSON that is valid: readers keep the last of two members of one name, but a person who wrote
/// both meant both. Failure "path_twice" with the place of the second.
Result<void> checkKeysOnce(const QByteArray& json, const QString& fileName);

/// How many letters have to be changed, put in or taken out (Levenshtein).
int editDistance(const QString& a, const QString& b);
/// The known word nearest to `word`, or empty when none is near.
QString nearestWord(const QString& word, const QStringList& known);
/// " (did you mean \"x\"?)" or empty.
QString didYouMean(const QString& word, const QStringList& known);
/// What a value is, for messages: `the text "two"`, `the number 1.5`, `null`, `a list`.
QString describeJson(const QJsonValue& value);
/// JSON has neither "unknown" nor NaN: null stands for both.
QJsonValue orNull(const std::optional<double>& value);
/// The same of a number of which 0 tells nothing: a count, a time.
QJsonValue orNullIfZero(double value);

class JsonFields
{
public:
    /// `path` is the object's own key ("options"), empty for the top level.
    JsonFields(QJsonObject object, QString fileName, QString path = {})
        : m_object(std::move(object)), m_fileName(std::move(fileName)), m_path(std::move(path))
    {
    }

    bool has(const QString& key) const { return m_object.contains(key); }
    bool isNull(const QString& key) const { return m_object.value(key).isNull(); }
    const QJsonObject& object() const { return m_object; }

    QString text(const QString& key, const QString& fallback);
    bool boolean(const QString& key, bool fallback);
    qint64 integer(const QString& key, qint64 fallback);
    /// A whole number between `least` and `most`.
    int count(const QString& key, int fallback, int least, int most);
    /// One that fits into an int, for what is checked later.
    int whole(const QString& key, int fallback);
    double number(const QString& key, double fallback);
    /// A text of one line without control characters, 4096 characters at most.
    QString line(const QString& key, const QString& fallback);
    QJsonObject child(const QString& key);
    QStringList textList(const QString& key, const QStringList& fallback);
    QList<int> integerList(const QString& key, const QList<int>& fallback);

    /// Refuses keys that are not in `known`.
    void allowOnly(const QStringList& known);
    /// Refuses another format name or a newer version.
    void checkFormat(const QString& format, int version);
    void fail(const QString& code, const QString& message);
    void take(const JsonFields& other)
    {
        if (!m_failure && other.m_failure)
            m_failure = other.m_failure;
    }

    bool failed() const { return m_failure.has_value(); }
    const Failure& failure() const { return *m_failure; }
    const QString& fileName() const { return m_fileName; }

private:
    QString named(const QString& key) const;
    void wrongType(const QString& key, const QString& expected);

    QJsonObject m_object;
    QString m_fileName;
    QString m_path;
    std::optional<Failure> m_failure;
};

} // namespace scalebench
