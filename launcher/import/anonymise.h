// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Takes out of a study's files who and where: names of hosts and users, paths, processes, commands,
// addresses. What was measured, on which kind of hardware, stays.

#include "run/study.h"

#include <QByteArray>
#include <QHash>
#include <QJsonValue>
#include <QString>

namespace scalebench::imports {

class Anonymiser
{
public:
    /// Learns the study's hosts from its runs.
    explicit Anonymiser(const Study& study);

    /// A file of the study without them: JSON, or a results stream, of which only records stay.
    QByteArray file(const QString& name, const QByteArray& bytes);
    /// An id without the study's own name.
    QString studyId() const { return m_studyId; }

private:
    QJsonValue value(const QString& key, const QJsonValue& value);
    QString text(const QString& key, const QString& text);
    QString host(const QString& name);

    QHash<QString, QString> m_hosts; ///< "login.example.org" -> "node1"
    QString m_study, m_studyId;
};

} // namespace scalebench::imports
