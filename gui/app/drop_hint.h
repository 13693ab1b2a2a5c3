// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What lies over the window while something is dragged above it: what may be dropped.

#include <QLabel>

namespace scalebench {

class DropHint : public QLabel
{
    Q_OBJECT
public:
    explicit DropHint(QWidget* window);
    /// Over the whole window.
    void cover();
};

} // namespace scalebench
