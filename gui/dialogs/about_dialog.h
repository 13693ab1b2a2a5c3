// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Versions and licences of everything that takes part.

#include <QList>
#include <QString>

class QWidget;

namespace scalebench {

struct MachineInfo;

struct Component {
    QString name;
    QString version; ///< empty: it does not tell, or is not here
    QString licence;
};

/// This program, the libraries it and the engine are made with, and what runs them here; those of
/// NVIDIA only where they are used.
QList<Component> components(const MachineInfo& machine);

void showAbout(QWidget* parent, const MachineInfo& machine);

} // namespace scalebench
