// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A JSON object as two columns, nested keys joined by " › ".

#include <QAbstractTableModel>
#include <QJsonValue>

namespace scalebench {

class KeyValueModel : public QAbstractTableModel
{
    Q_OBJECT
public:
    explicit KeyValueModel(QObject* parent = nullptr) : QAbstractTableModel(parent) {}
    void setJson(const QJsonValue& value);
    void setPairs(const QList<std::pair<QString, QString>>& pairs);
    const QList<std::pair<QString, QString>>& pairs() const { return m_rows; }
    /// What setJson() shows, below `path`.
    static QList<std::pair<QString, QString>> pairsOf(const QJsonValue& value,
                                                      const QString& path = {});

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QList<std::pair<QString, QString>> m_rows;
};

} // namespace scalebench
