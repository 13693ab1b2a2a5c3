// SPDX-License-Identifier: GPL-3.0-or-later
// Values of dimensions as text, and back.
#include "study/dimensions.h"

#include <cmath>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

QString valueText(const QString& path, const QJsonValue& value)
{
    if (value.isBool())
        return value.toBool() ? u"on"_s : u"off"_s;
    if (value.isNull() || value.isUndefined())
        return u"none"_s;
    const QString text =
        value.isDouble() ? QString::number(value.toDouble(), 'g', QLocale::FloatingPointShortest)
                         : value.toVariant().toStringList().join(u' ');
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

QJsonValue valueFromText(const QString& path, const QString& text)
{
    const Dimension* known = findDimension(path);
    if (known && known->kind == Dimension::Kind::Word)
        return text;
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

} // namespace scalebench
