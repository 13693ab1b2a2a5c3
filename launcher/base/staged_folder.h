// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Files or a folder that come together: made in a hidden folder inside the one where they go, and
// moved when all are whole.

#include "base/result.h"

#include <QString>
#include <QStringList>
#include <QTemporaryDir>

#include <memory>

namespace scalebench {

class StagedFolder
{
public:
    /// Makes `target`, and removes what killed programs left of this there. Codes "file_exists",
    /// "not_writable".
    static Result<std::unique_ptr<StagedFolder>> in(const QString& target);
    ~StagedFolder();
    StagedFolder(const StagedFolder&) = delete;
    StagedFolder& operator=(const StagedFolder&) = delete;

    QString path() const { return m_folder.path(); }
    /// A sentence with the target where it names the hidden folder, which nobody knows.
    QString told(QString sentence) const { return sentence.replace(path(), m_target); }
    Failure told(Failure failure) const
    {
        failure.message = told(failure.message);
        return failure;
    }
    /// Each file takes the place of an older one as a whole; of `older` names those that are not
    /// among them are removed. Nothing is moved where a folder has the name of one. The names of
    /// what was moved; codes "file_exists", "not_writable".
    Result<QStringList> moveOut(const QStringList& older);
    /// It becomes `folder` of the target, where there is none yet; 0 or an errno.
    int becomes(const QString& folder);

private:
    StagedFolder(const QString& target, bool made);
    QString m_target;
    bool m_made; ///< the target too: it goes again where nothing came into it
    QTemporaryDir m_folder;
    int m_lock = -1; ///< held as long as this lives, which tells it from what was left
};

} // namespace scalebench
