// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A recorded study told again: a copy of its folder in a temporary place, where its streams grow as
// they once did, as many times as fast as is wished. The window follows it like any study that goes
// on; nothing is trained, and what was recorded stays as it is. Ends with this object.

#include "base/result.h"

#include <QObject>
#include <QString>

#include <memory>

class QTemporaryDir;
class QThread;

namespace scalebench {

class Replay : public QObject
{
    Q_OBJECT
public:
    /// A study's folder, or a bundle.
    Replay(const QString& recorded, double speed, QObject* parent = nullptr);
    ~Replay() override;

    void start();
    /// Of the copy; empty until it has begun.
    QString dir() const { return m_dir; }

Q_SIGNALS:
    /// The copy is there and about to grow; it counts as going on.
    void begun(const QString& studyDir);
    void failed(const scalebench::Failure& failure);

private:
    struct Story;

    QString m_recorded;
    QString m_dir;
    double m_speed;
    std::shared_ptr<QTemporaryDir> m_folder; ///< shared with the thread that writes there
    std::unique_ptr<QThread> m_thread;
};

} // namespace scalebench
