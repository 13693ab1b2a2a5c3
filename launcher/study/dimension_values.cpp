// SPDX-License-Identifier: GPL-3.0-or-later
// Values of dimensions as text, and back; what a mistyped path may have meant.
#include "study/dimensions.h"

#include "base/json_fields.h"

#include <QJsonArray>
#include <QLocale>
#include <QMultiMap>

#include <algorithm>
#include <cmath>
#include <optional>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

/// The shortest text that is read as this number, as people write it: 800000 and 0.0003, not 8e+05
/// and 3e-04; below that 5e-5.
static QString numberText(double number)
{
    constexpr double kMost = 1e15; // whole numbers up to here are exact
    constexpr double kLeast = 1e-4;
    if (std::floor(number) == number && std::abs(number) < kMost)
        return QString::number(qint64(number));
    QLocale plain = QLocale::c();
    plain.setNumberOptions(plain.numberOptions() | QLocale::OmitLeadingZeroInExponent);
    const bool written = std::abs(number) >= kLeast && std::abs(number) < kMost;
    return plain.toString(number, written ? 'f' : 'g', QLocale::FloatingPointShortest);
}

QString valueText(const QString& path, const QJsonValue& value)
{
    if (value.isBool())
        return value.toBool() ? u"on"_s : u"off"_s;
    if (value.isNull() || value.isUndefined())
        return u"none"_s;
    const QString text = value.isDouble()  ? numberText(value.toDouble())
                         : value.isArray() ? exactText(value)
                                           : value.toString();
    const Dimension* known = findDimension(path);
    return known && !known->unit.isEmpty() ? text + u' ' + known->unit : text;
}

QString exactText(const QJsonValue& value)
{
    if (!value.isArray())
        return value.isUndefined() ? QString() : valueText({}, value);
    QStringList items;
    for (const QJsonValue& item : value.toArray())
        items << exactText(item);
    return u'[' + items.join(u' ') + u']';
}

QStringList valuesInText(const QString& text)
{
    QStringList values{QString()};
    int depth = 0;
    for (const QChar c : text) {
        depth += c == u'[' ? 1 : c == u']' ? -1 : 0;
        if (c == u',' && depth <= 0)
            values << QString();
        else
            values.last() += c;
    }
    for (QString& value : values)
        value = value.trimmed();
    return values;
}

/// The items of "[512,256]" or "[512 256]"; none where two commas have nothing between them.
static std::optional<QJsonArray> listFromText(const QString& text)
{
    if (!text.startsWith(u'[') || !text.endsWith(u']'))
        return std::nullopt;
    const QString inside = text.sliced(1, text.size() - 2).simplified();
    QJsonArray list;
    if (inside.isEmpty())
        return list;
    for (const QString& part : inside.split(u',')) {
        const QStringList items = part.split(u' ', Qt::SkipEmptyParts);
        if (items.isEmpty())
            return std::nullopt;
        for (const QString& item : items)
            list << valueFromText({}, item);
    }
    return list;
}

QJsonValue valueFromText(const QString& path, const QString& text)
{
    const Dimension* known = findDimension(path);
    if (known && known->kind == Dimension::Kind::Word)
        return text;
    if (const std::optional<QJsonArray> list = listFromText(text))
        return *list;
    if (text == "on"_L1 || text == "true"_L1)
        return true;
    if (text == "off"_L1 || text == "false"_L1)
        return false;
    bool ok = false;
    const double number = text.toDouble(&ok);
    if (ok && std::isfinite(number))
        return std::floor(number) == number && std::abs(number) < 9e15 ? QJsonValue(qint64(number))
                                                                       : QJsonValue(number);
    return text;
}

QStringList nearestPaths(const Workload& workload, const QString& typed)
{
    static constexpr int kMost = 3;
    const QString lower = typed.toLower();
    const auto distanceTo = [&](const QString& name) {
        if (lower.size() >= 3 && name.startsWith(lower))
            return 1;
        const int distance = editDistance(lower, name);
        // A few letters apart, and never a name of which nothing is left.
        return distance <= int(lower.size()) / 3 && distance < name.size() ? distance : 1000;
    };
    QMultiMap<int, QString> near;
    for (const QString& path : pathsOf(workload)) {
        QStringList names{path.toLower(), path.section(u'.', -1).toLower()};
        if (const Dimension* known = findDimension(path))
            names << known->key << known->option << known->title.toLower();
        names.removeAll(QString());
        int distance = 1000;
        for (const QString& name : std::as_const(names))
            distance = std::min(distance, distanceTo(name));
        if (distance < 1000)
            near.insert(distance, path);
    }
    QStringList paths;
    for (auto it = near.begin(); it != near.end() && paths.size() < kMost; ++it)
        if (it.key() <= near.firstKey() + 1)
            paths << it.value();
    return paths;
}

} // namespace scalebench
