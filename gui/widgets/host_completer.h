// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Offers the hosts of the user's ssh config while a host or a list of hosts is typed.

#include <QCompleter>

class QLineEdit;

namespace scalebench {

/// Names of "Host" lines, patterns left out, files named by Include read too. Empty `path`:
/// ~/.ssh/config.
QStringList sshConfigHosts(const QString& path = {});

class HostCompleter : public QCompleter
{
    Q_OBJECT
public:
    /// `list`: completes the last of several, separated by commas or white space.
    HostCompleter(const QStringList& hosts, bool list, QObject* parent = nullptr);
    static void attach(QLineEdit* edit, const QStringList& hosts, bool list);

    QString pathFromIndex(const QModelIndex& index) const override;
    QStringList splitPath(const QString& path) const override;

private:
    bool m_list;
};

} // namespace scalebench
