// SPDX-License-Identifier: GPL-3.0-or-later
#include "study/json_schema.h"

#include "base/host_names.h"
#include "base/json_fields.h"
#include "base/plain_text.h"
#include "base/translated.h"

#include <QRegularExpression>
#include <QStringList>

#include <algorithm>
#include <cmath>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

namespace {

bool isOfType(const QJsonValue& value, const QString& type)
{
    if (type == "integer"_L1)
        return value.isDouble() && std::floor(value.toDouble()) == value.toDouble();
    if (type == "number"_L1)
        return value.isDouble();
    if (type == "string"_L1)
        return value.isString();
    if (type == "boolean"_L1)
        return value.isBool();
    if (type == "array"_L1)
        return value.isArray();
    return type == "object"_L1 ? value.isObject() : type == "null"_L1 && value.isNull();
}

QString typeName(const QString& type)
{
    const QMap<QString, QString> names{{u"integer"_s, Launcher::tr("a whole number")},
                                       {u"number"_s, Launcher::tr("a number")},
                                       {u"string"_s, Launcher::tr("a text")},
                                       {u"boolean"_s, Launcher::tr("true or false")},
                                       {u"array"_s, Launcher::tr("a list")},
                                       {u"object"_s, Launcher::tr("an object { … }")}};
    return names.value(type, type);
}

QString number(const QJsonValue& value)
{
    return QString::number(value.toDouble(), 'g', 16);
}

/// "a whole number from 1 to 100", "one of fp32, bf16".
QString allowedBy(const QJsonObject& schema)
{
    if (const QString title = schema.value("title"_L1).toString(); !title.isEmpty())
        return title;
    QStringList words;
    for (const QJsonValue& word : schema.value("enum"_L1).toArray())
        words << word.toString();
    if (!words.isEmpty())
        return Launcher::tr("one of %1").arg(words.join(u", "_s));
    QString text = typeName(schema.value("type"_L1).toString());
    const bool least = schema.contains("minimum"_L1), most = schema.contains("maximum"_L1);
    if (least && most)
        text =
            Launcher::tr("%1 from %2 to %3")
                .arg(text, number(schema.value("minimum"_L1)), number(schema.value("maximum"_L1)));
    else if (least)
        text = Launcher::tr("%1 from %2").arg(text, number(schema.value("minimum"_L1)));
    else if (most)
        text = Launcher::tr("%1 to %2").arg(text, number(schema.value("maximum"_L1)));
    const auto entries = [&](QLatin1StringView fewest, QLatin1StringView mostOf) {
        if (schema.contains(fewest) && !schema.contains(mostOf))
            text = Launcher::tr("%1 with at least %2 entry")
                       .arg(text)
                       .arg(schema.value(fewest).toInt());
        else if (schema.contains(mostOf))
            text = Launcher::tr("%1 of %2 to %3 entries")
                       .arg(text)
                       .arg(schema.value(fewest).toInt())
                       .arg(schema.value(mostOf).toInt());
    };
    entries("minProperties"_L1, "maxProperties"_L1);
    entries("minItems"_L1, "maxItems"_L1);
    return text;
}

class SchemaCheck
{
public:
    explicit SchemaCheck(const QJsonObject& root) : m_root(root) {}

    bool fits(const QJsonValue& value, const QJsonValue& schemaOrBool, const QString& path)
    {
        if (schemaOrBool.isBool())
            return schemaOrBool.toBool() || fail(Launcher::tr("%1 is not allowed here.").arg(path));
        const QJsonObject schema = resolved(schemaOrBool.toObject());
        if (!fitsAlone(value, schema) ||
            (schema.contains("not"_L1) && isOf(value, schema.value("not"_L1))))
            return failAllowing(value, schema, path);
        return fitsAllOf(value, schema, path) && fitsAnyOf(value, schema, path) &&
               fitsEntries(value, schema, path) && fitsItems(value, schema, path);
    }

    QString problem;

private:
    bool fail(const QString& text)
    {
        problem = text;
        return false;
    }

    bool failAllowing(const QJsonValue& value, const QJsonObject& schema, const QString& path)
    {
        const QString found = value.isObject()  ? Launcher::tr("an object")
                              : value.isArray() ? Launcher::tr("a list")
                                                : describeJson(value);
        return fail(Launcher::tr("%1 must be %2, found %3.").arg(path, allowedBy(schema), found));
    }

    /// Whether it fits, which is no problem where it does not.
    bool isOf(const QJsonValue& value, const QJsonValue& schema) const
    {
        SchemaCheck check(m_root);
        return check.fits(value, schema, {});
    }

    QJsonObject resolved(const QJsonObject& schema) const
    {
        const QString reference = schema.value("$ref"_L1).toString();
        if (reference.isEmpty())
            return schema;
        return m_root.value("$defs"_L1).toObject().value(reference.section(u'/', -1)).toObject();
    }

    /// All but what concerns the parts of a value.
    static bool fitsAlone(const QJsonValue& value, const QJsonObject& schema)
    {
        const QJsonValue type = schema.value("type"_L1);
        const QJsonArray types = type.isString() ? QJsonArray{type} : type.toArray();
        if (!types.isEmpty() && std::none_of(types.begin(), types.end(), [&](const QJsonValue& t) {
                return isOfType(value, t.toString());
            }))
            return false;
        if (schema.contains("enum"_L1) && !schema.value("enum"_L1).toArray().contains(value))
            return false;
        if (schema.contains("const"_L1) && schema.value("const"_L1) != value)
            return false;
        if (value.isString())
            return textFits(value.toString(), schema);
        if (value.isDouble())
            return std::isfinite(value.toDouble()) &&
                   value.toDouble() >= schema.value("minimum"_L1).toDouble(-1e300) &&
                   value.toDouble() <= schema.value("maximum"_L1).toDouble(1e300);
        const auto size = value.isObject() ? value.toObject().size() : value.toArray().size();
        const bool isObject = value.isObject();
        return size >= schema.value(isObject ? "minProperties"_L1 : "minItems"_L1).toInt(0) &&
               size <= schema.value(isObject ? "maxProperties"_L1 : "maxItems"_L1).toInt(1 << 20);
    }

    static bool textFits(const QString& text, const QJsonObject& schema)
    {
        if (hasControlCharacters(text) ||
            text.size() > schema.value("maxLength"_L1).toInteger(1 << 20))
            return false;
        const QString pattern = schema.value("pattern"_L1).toString();
        return pattern.isEmpty() || QRegularExpression(pattern).match(text).hasMatch();
    }

    /// What holds besides, always or on a condition: it says more than what holds for all.
    bool fitsAllOf(const QJsonValue& value, const QJsonObject& schema, const QString& path)
    {
        for (const QJsonValue& part : schema.value("allOf"_L1).toArray())
            if (!fits(value, part, path))
                return false;
        return !schema.contains("if"_L1) || !isOf(value, schema.value("if"_L1)) ||
               fits(value, schema.value("then"_L1), path);
    }

    bool fitsAnyOf(const QJsonValue& value, const QJsonObject& schema, const QString& path)
    {
        const QJsonArray choices = schema.value("anyOf"_L1).toArray();
        if (choices.isEmpty() ||
            std::any_of(choices.begin(), choices.end(),
                        [&](const QJsonValue& choice) { return fits(value, choice, path); }))
            return true;
        if (const QString inner = problem; inner.startsWith(path + u'.'))
            return fail(inner); // of a part, which says more
        return failAllowing(value, schema, path);
    }

    bool fitsEntries(const QJsonValue& value, const QJsonObject& schema, const QString& path)
    {
        if (!value.isObject())
            return true;
        const QJsonObject object = value.toObject();
        const QJsonObject known = schema.value("properties"_L1).toObject();
        for (const QJsonValue& key : schema.value("required"_L1).toArray())
            if (!object.contains(key.toString()))
                return fail(Launcher::tr("%1.%2 is missing.").arg(path, key.toString()));
        const QJsonValue others = schema.value("additionalProperties"_L1);
        for (auto it = object.begin(); it != object.end(); ++it) {
            const QString inner = path + u'.' + visibleLine(it.key().left(80));
            if (schema.contains("propertyNames"_L1) &&
                !fits(it.key(), schema.value("propertyNames"_L1), inner))
                return fail(Launcher::tr("%1: the name of an entry must be %2.")
                                .arg(inner, allowedBy(resolved(
                                                schema.value("propertyNames"_L1).toObject()))));
            if (known.contains(it.key())) {
                if (!fits(it.value(), known.value(it.key()), inner))
                    return false;
            } else if (others.isBool() && !others.toBool()) {
                const QString near = didYouMean(it.key().left(100), known.keys());
                return fail(near.isEmpty() && !known.isEmpty()
                                ? Launcher::tr("%1 is not known. Allowed: %2.")
                                      .arg(inner, known.keys().join(u", "_s))
                                : Launcher::tr("%1 is not known%2.").arg(inner, near));
            } else if (others.isObject() && !fits(it.value(), others, inner)) {
                return false;
            }
        }
        return true;
    }

    bool fitsItems(const QJsonValue& value, const QJsonObject& schema, const QString& path)
    {
        if (!value.isArray() || !schema.contains("items"_L1))
            return true;
        const QJsonArray items = value.toArray();
        for (qsizetype i = 0; i < items.size(); ++i)
            if (!fits(items[i], schema.value("items"_L1), u"%1[%2]"_s.arg(path).arg(i)))
                return false;
        return true;
    }

    const QJsonObject& m_root;
};

} // namespace

QString schemaProblem(const QJsonValue& value, const QJsonObject& schema)
{
    SchemaCheck check(schema);
    return check.fits(value, schema, u"$"_s) ? QString() : check.problem;
}

} // namespace scalebench
