// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/check_model.h"

#include "models/roles.h"

#include <QLocale>

namespace scalebench {

QString checkLevelWord(int level)
{
    switch (level) {
    case CheckModel::Ok:
        return CheckModel::tr("OK");
    case CheckModel::Warning:
        return CheckModel::tr("Warn");
    case CheckModel::Problem:
        return CheckModel::tr("Fail");
    case CheckModel::Waiting:
        return QStringLiteral("…");
    default:
        return QStringLiteral("–");
    }
}

CheckModel::CheckModel(QObject* parent) : QAbstractTableModel(parent), m_tests(preflightTests()) {}

void CheckModel::clear()
{
    beginResetModel();
    m_rows.clear();
    m_install = false;
    endResetModel();
}

void CheckModel::setReports(const QList<HostReport>& reports, const QList<bool>& done)
{
    beginResetModel();
    m_rows.clear();
    m_install = false;
    for (int i = 0; i < reports.size(); ++i) {
        Row row;
        row.report = reports[i];
        row.asked = true;
        row.done = done.value(i);
        m_rows << row;
    }
    endResetModel();
}

void CheckModel::setReport(int row, const HostReport& report)
{
    if (row < 0 || row >= m_rows.size())
        return;
    m_rows[row].report = report;
    m_rows[row].done = true;
    Q_EMIT dataChanged(index(row, 0), index(row, columnCount() - 1));
}

void CheckModel::setInstall(const QList<DeployReport>& reports, const QList<bool>& done)
{
    beginResetModel();
    m_install = !reports.isEmpty();
    m_rows.removeIf([](const Row& row) { return !row.asked; });
    for (Row& row : m_rows)
        row.installs = false;
    for (int i = 0; i < reports.size(); ++i) {
        auto row = std::find_if(m_rows.begin(), m_rows.end(), [&](const Row& candidate) {
            return candidate.report.host == reports[i].host && !candidate.installs;
        });
        if (row == m_rows.end()) {
            Row extra;
            extra.report.host = reports[i].host;
            row = m_rows.insert(m_rows.end(), extra);
        }
        row->installs = true;
        row->installed = done.value(i);
        row->install = reports[i];
    }
    endResetModel();
}

HostCheck CheckModel::installCheck(const Row& row) const
{
    HostCheck check;
    check.test = QStringLiteral("install");
    if (!row.installs) {
        check.level = HostCheck::Level::Skipped;
        check.text = tr("Nothing is installed here.");
    } else if (!row.installed) {
        check.level = HostCheck::Level::Skipped;
        check.text = tr("The engine is being copied…");
    } else if (!row.install.ok) {
        check.level = HostCheck::Level::Problem;
        check.code = row.install.failure.code;
        check.text = row.install.failure.message;
        check.details = row.install.failure.details;
    } else if (row.install.unchanged) {
        check.text = tr("Engine %1 was there already; its files are as they should be.")
                         .arg(row.install.version);
    } else {
        check.text =
            tr("Engine %1 is installed, %2 copied.")
                .arg(row.install.version, QLocale().formattedDataSize(row.install.bytesSent, 1,
                                                                      QLocale::DataSizeSIFormat));
    }
    if (!row.install.removed.isEmpty())
        check.text += QLatin1Char(' ') +
                      tr("Removed: %1.").arg(row.install.removed.join(QStringLiteral(", ")));
    return check;
}

HostCheck CheckModel::checkOf(const Row& line, int column) const
{
    if (isInstallColumn(column))
        return installCheck(line);
    if (column == 0) {
        HostCheck worst;
        for (const HostCheck& candidate : line.report.checks) {
            const bool worse = candidate.level == HostCheck::Level::Problem
                                   ? worst.level != HostCheck::Level::Problem
                                   : candidate.level == HostCheck::Level::Warning &&
                                         worst.level == HostCheck::Level::Ok;
            if (worse)
                worst = candidate;
        }
        if (!line.done)
            worst.level = HostCheck::Level::Skipped;
        if (worst.text.isEmpty())
            worst.text = !line.done ? tr("No answer yet.") : tr("Everything is as it should be.");
        return worst;
    }
    const QString& test = m_tests[column - 1];
    for (const HostCheck& candidate : line.report.checks) {
        if (candidate.test == test)
            return candidate;
    }
    HostCheck none;
    none.test = test;
    none.level = HostCheck::Level::Skipped;
    none.text = line.done || !line.asked ? tr("Not checked.") : tr("No answer yet.");
    return none;
}

CheckModel::Level CheckModel::level(const Row& row, int column) const
{
    if (isInstallColumn(column)) {
        if (row.installs && !row.installed)
            return Waiting;
    } else if (!row.done) {
        return row.asked ? Waiting : Skipped;
    }
    return static_cast<Level>(checkOf(row, column).level);
}

QModelIndex CheckModel::firstProblem() const
{
    for (const Level wanted : {Problem, Warning}) {
        for (int row = 0; row < m_rows.size(); ++row) {
            for (int column = 1; column < columnCount(); ++column) {
                if (level(m_rows[row], column) == wanted)
                    return index(row, column);
            }
        }
    }
    return {};
}

QList<int> CheckModel::idleColumns() const
{
    QList<int> idle;
    for (int column = 1; column <= m_tests.size(); ++column) {
        bool any = false, says = false;
        for (const Row& row : m_rows) {
            any |= row.done;
            says |= row.done && level(row, column) != Skipped;
        }
        if (any && !says)
            idle << column;
    }
    return idle;
}

int CheckModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int CheckModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_tests.size()) + 1 + (m_install ? 1 : 0);
}

QVariant CheckModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const Row& row = m_rows[index.row()];
    const int column = index.column();
    switch (role) {
    case Qt::DisplayRole:
        return column == 0 ? row.report.host : checkLevelWord(level(row, column));
    case LevelRole:
        return static_cast<int>(level(row, column));
    case kSortRole:
        return column == 0 ? QVariant(index.row()) : QVariant(static_cast<int>(level(row, column)));
    case Qt::ToolTipRole: {
        const HostCheck cell = check(index.row(), column);
        return cell.fix.isEmpty() ? cell.text : cell.text + QLatin1Char('\n') + cell.fix;
    }
    case Qt::AccessibleTextRole:
        return QStringLiteral("%1, %2: %3")
            .arg(row.report.host, headerData(column, Qt::Horizontal, Qt::DisplayRole).toString(),
                 check(index.row(), column).text);
    default:
        return {};
    }
}

QVariant CheckModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole)
        return {};
    if (orientation == Qt::Vertical)
        return m_rows.value(section).report.host;
    if (section == 0)
        return tr("Host");
    return isInstallColumn(section) ? tr("Install") : preflightTestTitle(m_tests[section - 1]);
}

} // namespace scalebench
