// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What the two sources of StudyIndex share: its database, and what its errors are called.

#include "library/study_index.h"

#include <QMutex>
#include <QSqlDatabase>
#include <QSqlError>
#include <QSqlQuery>
#include <QStringList>

#include <atomic>

namespace scalebench {

struct StudyIndex::Private {
    QString path;
    QString connectionPrefix;
    QMutex mutex;
    QStringList connections;
    std::atomic<bool> renewed = false;

    ~Private()
    {
        for (const QString& name : connections)
            QSqlDatabase::removeDatabase(name);
    }
    /// A connection of the calling thread: Qt's may not be shared.
    Result<QSqlDatabase> database();
    Result<void> makeSchema();
    Result<void> storeRows(QSqlQuery& query, const Study& study, const QString& held);
};

Failure sqlFailure(const QString& what, const QSqlError& error);
/// A page whose bytes are others may still be one for SQLite, with fewer rows.
QSqlError rowsMissing();

/// Both tables as one; what was done before a failure stays done.
class Transaction
{
public:
    Transaction(QSqlQuery& query, const char* begin) : m_query(query)
    {
        m_query.exec(QLatin1StringView(begin));
        m_query.finish();
    }
    ~Transaction()
    {
        m_query.finish();
        m_query.exec(QStringLiteral("COMMIT"));
    }
    Transaction(const Transaction&) = delete;
    Transaction& operator=(const Transaction&) = delete;

private:
    QSqlQuery& m_query;
};

} // namespace scalebench
