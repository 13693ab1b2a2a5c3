// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Toggle buttons 1, 2, 4, 8 … for worker counts. Counts over the machine's cores are disabled,
// with the reason, unless oversubscription is allowed.

#include <QList>
#include <QMap>
#include <QWidget>

class QHBoxLayout;
class QPushButton;

namespace scalebench {

class WorkerMatrix : public QWidget
{
    Q_OBJECT
public:
    explicit WorkerMatrix(QWidget* parent = nullptr);

    void setLimit(int cores, bool oversubscribe, const QString& reason);
    void setWorkers(const QList<int>& workers);
    QList<int> workers() const;
    QPushButton* button(int count) const { return m_buttons.value(count); }

Q_SIGNALS:
    void changed();

private:
    QPushButton* addButton(int count);
    void refresh();
    QMap<int, QPushButton*> m_buttons;
    QHBoxLayout* m_row;
    int m_cores = 0;
    bool m_oversubscribe = false;
    QString m_reason;
};

} // namespace scalebench
