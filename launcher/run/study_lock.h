// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Who may write the states of a study's runs.
#include <QString>

#include <optional>

namespace scalebench {

/// Exclusive right to write the states of a study: flock on STUDY/supervisor.lock, whose text names
/// the holder. Kept over exec() by inheriting the descriptor on purpose.
class StudyLock
{
public:
    StudyLock() = default;
    ~StudyLock();
    StudyLock(const StudyLock&) = delete;
    StudyLock& operator=(const StudyLock&) = delete;

    /// Waits up to `timeoutMs`; false when another holds it.
    bool acquire(const QString& studyDir, int timeoutMs);
    /// Takes over descriptor `fd` that this process had before exec(), if it is this study's lock.
    bool adopt(const QString& studyDir, int fd);
    void release();
    /// The descriptor, now inheritable.
    int passOn();
    bool held() const { return m_fd >= 0; }

private:
    int m_fd = -1;
};

/// The process that holds the study's lock (0: held, but not certain by whom: such a one gets no
/// signal); nothing: nobody does.
std::optional<qint64> lockHolder(const QString& studyDir);
/// Another text whenever somebody took or gave back the lock: what was read before may be old.
QString lastHeld(const QString& studyDir);
/// Somebody, a supervisor or who follows it from elsewhere, works on the study.
bool isStudyHeld(const QString& studyDir);

} // namespace scalebench
