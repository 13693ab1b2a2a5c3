// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/verify_model.h"

#include "base/plain_text.h"
#include "models/roles.h"

#include <QLocale>

#include <algorithm>
#include <cmath>

namespace scalebench {

namespace {
QString ratioText(double ratio)
{
    return std::isfinite(ratio) ? QLocale().toString(ratio, 'f', 3) : QString();
}
} // namespace

void VerifyModel::setItems(const QList<VerifiedItem>& items)
{
    beginResetModel();
    m_items = items;
    endResetModel();
}

QList<int> VerifyModel::idleColumns() const
{
    QList<int> idle;
    for (const int column : {Speed, Interval, Causes, Time, Reference, Notes})
        if (std::all_of(m_items.begin(), m_items.end(),
                        [&](const VerifiedItem& item) { return display(item, column).isEmpty(); }))
            idle << column;
    return idle;
}

int VerifyModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_items.size());
}

int VerifyModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QString VerifyModel::display(const VerifiedItem& item, int column) const
{
    switch (column) {
    case Item:
        return item.name;
    case Judged:
        return verdictText(item.verdict);
    case Speed:
        return ratioText(item.told().ratio);
    case Interval:
        return std::isfinite(item.told().low)
                   ? tr("%1 to %2").arg(ratioText(item.speed.low), ratioText(item.speed.high))
                   : QString();
    case Time:
        return std::isfinite(item.timeS) ? formatDuration(item.timeS) : QString();
    case Reference:
        return std::isfinite(item.referenceS) ? formatDuration(item.referenceS) : QString();
    case Runs:
        return QStringLiteral("%1 / %2").arg(QLocale().toString(item.runs),
                                             QLocale().toString(item.referenceRuns));
    case Causes:
        return item.causes.join(u' ');
    case Notes:
        return item.notes.join(QStringLiteral(", "));
    default:
        return {};
    }
}

QVariant VerifyModel::raw(const VerifiedItem& item, int column) const
{
    switch (column) {
    case Judged:
        return static_cast<int>(item.verdict);
    case Speed:
        return item.told().ratio;
    case Interval:
        return item.told().low;
    case Time:
        return item.timeS;
    case Reference:
        return item.referenceS;
    case Runs:
        return item.runs;
    default:
        return display(item, column);
    }
}

QVariant VerifyModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= m_items.size())
        return {};
    const VerifiedItem& item = m_items[index.row()];
    const int column = index.column();
    if (role == Qt::DisplayRole)
        return display(item, column);
    if (role == Qt::ToolTipRole && (column == Item || column == Causes || column == Notes))
        return display(item, column);
    if (role == kSortRole)
        return raw(item, column);
    if (role == kFileRole)
        return column == Interval ? QVariant(display(item, column)) : QVariant();
    const bool number = column == Speed || column == Interval || (column >= Time && column <= Runs);
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(number ? Qt::AlignRight | Qt::AlignVCenter
                                          : Qt::AlignLeading | Qt::AlignVCenter);
    return {};
}

QVariant VerifyModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation == Qt::Horizontal && role == kUnitRole)
        return section == Time || section == Reference ? QStringLiteral("s") : QString();
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    const QString titles[] = {tr("Item"),          tr("Verdict"),      tr("Speed"),
                              tr("95 % interval"), tr("Likely cause"), tr("Time"),
                              tr("Reference"),     tr("Runs"),         tr("Notes")};
    return section >= 0 && section < ColumnCount ? QVariant(titles[section]) : QVariant();
}

} // namespace scalebench
