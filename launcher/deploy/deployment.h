// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The engine bundle, brought to the hosts of a machine.
#include "machine/machines.h"

#include <QObject>
#include <QString>
#include <QStringList>

#include <memory>

namespace scalebench {

struct DeployOptions {
    QString archive;        ///< the bundle; empty: found beside this program, or made by packaging
    bool removeOld = false; ///< remove other versions on the hosts
    int hostTimeoutS = 120;
};
struct DeployReport {
    QString host;
    bool ok = false;
    bool unchanged = false; ///< the same content was there and verified
    QString version;        ///< folder name under engine/
    qint64 bytesSent = 0;
    QStringList removed; ///< old versions
    Failure failure;
};
/// Copies the engine bundle into the machine's folder on every host that runs something, verifies
/// every file's checksum there, then switches engine/current. Never needs root.
class Deployment : public QObject
{
    Q_OBJECT
public:
    explicit Deployment(const TargetMachine& machine, DeployOptions options = {},
                        QObject* parent = nullptr);
    ~Deployment() override;
    void start();
    const QList<DeployReport>& reports() const;

Q_SIGNALS:
    void hostDone(int index);
    void finished();

private:
    struct Private;
    std::unique_ptr<Private> d;
};
} // namespace scalebench
