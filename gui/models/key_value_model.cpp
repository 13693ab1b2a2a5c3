// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/key_value_model.h"

#include "models/roles.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QLocale>

#include <algorithm>

namespace scalebench {

namespace {

using Pairs = QList<std::pair<QString, QString>>;

QString scalarText(const QJsonValue& value)
{
    switch (value.type()) {
    case QJsonValue::Bool:
        return value.toBool() ? KeyValueModel::tr("yes") : KeyValueModel::tr("no");
    case QJsonValue::Double:
        return QLocale().toString(value.toDouble(), 'g', 10);
    case QJsonValue::Null:
        return QStringLiteral("–");
    default:
        return value.toString();
    }
}

void flatten(const QString& path, const QJsonValue& value, Pairs& out)
{
    if (value.isObject()) {
        const QJsonObject object = value.toObject();
        for (auto it = object.begin(); it != object.end(); ++it)
            flatten(path.isEmpty() ? it.key() : path + QStringLiteral(" › ") + it.key(), it.value(),
                    out);
        return;
    }
    if (!value.isArray()) {
        out.append({path, scalarText(value)});
        return;
    }
    const QJsonArray array = value.toArray();
    QStringList scalars;
    for (int i = 0; i < array.size(); ++i) {
        if (array[i].isObject() || array[i].isArray())
            flatten(QStringLiteral("%1 %2").arg(path).arg(i + 1), array[i], out);
        else
            scalars << scalarText(array[i]);
    }
    if (!scalars.isEmpty() || array.isEmpty())
        out.append({path, scalars.join(QStringLiteral(", "))});
}

} // namespace

QList<std::pair<QString, QString>> KeyValueModel::pairsOf(const QJsonValue& value,
                                                          const QString& path)
{
    Pairs pairs;
    flatten(path, value, pairs);
    return pairs;
}

void KeyValueModel::setJson(const QJsonValue& value)
{
    setPairs(pairsOf(value));
}

void KeyValueModel::setPairs(const QList<std::pair<QString, QString>>& pairs)
{
    // A table that is filled with news of the same things stays where a person scrolled it.
    const bool same =
        std::equal(m_rows.begin(), m_rows.end(), pairs.begin(), pairs.end(),
                   [](const auto& before, const auto& now) { return before.first == now.first; });
    if (same && !pairs.isEmpty()) {
        m_rows = pairs;
        Q_EMIT dataChanged(index(0, 1), index(static_cast<int>(m_rows.size()) - 1, 1));
        return;
    }
    beginResetModel();
    m_rows = pairs;
    endResetModel();
}

int KeyValueModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int KeyValueModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : 2;
}

QVariant KeyValueModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() ||
        (role != Qt::DisplayRole && role != kSortRole && role != Qt::ToolTipRole))
        return {};
    const auto& row = m_rows[index.row()];
    return index.column() == 0 ? row.first : row.second;
}

QVariant KeyValueModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    return section == 0 ? tr("Key") : tr("Value");
}

} // namespace scalebench
