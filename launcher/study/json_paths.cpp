// SPDX-License-Identifier: GPL-3.0-or-later
#include "study/dimensions.h"

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

QJsonValue valueAt(const QJsonObject& object, const QString& path)
{
    const qsizetype dot = path.indexOf(u'.');
    if (dot < 0)
        return object.value(path);
    return valueAt(object.value(path.first(dot)).toObject(), path.mid(dot + 1));
}

QJsonObject withValueAt(QJsonObject object, const QString& path, const QJsonValue& value)
{
    const qsizetype dot = path.indexOf(u'.');
    if (dot < 0) {
        object.insert(path, value);
        return object;
    }
    const QString head = path.first(dot);
    object.insert(head, withValueAt(object.value(head).toObject(), path.mid(dot + 1), value));
    return object;
}

QJsonObject withoutValueAt(QJsonObject object, const QString& path)
{
    const qsizetype dot = path.indexOf(u'.');
    if (dot < 0) {
        object.remove(path);
        return object;
    }
    const QString head = path.first(dot);
    if (object.contains(head))
        object.insert(head, withoutValueAt(object.value(head).toObject(), path.mid(dot + 1)));
    return object;
}

static void addLeaves(const QJsonObject& object, const QString& prefix,
                      QMap<QString, QJsonValue>& leaves)
{
    for (auto it = object.begin(); it != object.end(); ++it) {
        const QString path = prefix + it.key();
        if (it.value().isObject())
            addLeaves(it.value().toObject(), path + u'.', leaves);
        else
            leaves.insert(path, it.value());
    }
}

QMap<QString, QJsonValue> leavesOf(const QJsonObject& object)
{
    QMap<QString, QJsonValue> leaves;
    addLeaves(object, {}, leaves);
    return leaves;
}

} // namespace scalebench
