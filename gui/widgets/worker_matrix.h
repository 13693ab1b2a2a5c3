// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Toggle buttons 1, 2, 4, 8 … for worker counts, and a field for any other. Counts over the
// machine's cores are disabled, with the reason, unless oversubscription is allowed.

#include <QList>
#include <QMap>
#include <QWidget>

class QLineEdit;
class QPushButton;

namespace scalebench {

class FlowLayout;

class WorkerMatrix : public QWidget
{
    Q_OBJECT
public:
    explicit WorkerMatrix(QWidget* parent = nullptr);

    void setLimit(int cores, bool oversubscribe, const QString& reason);
    void setWorkers(const QList<int>& workers);
    QList<int> workers() const;
    QPushButton* button(int count) const { return m_buttons.value(count); }
    QLineEdit* other() const { return m_other; } ///< "3, 6"

Q_SIGNALS:
    void changed();

private:
    QPushButton* addButton(int count);
    void refresh();
    void takeTyped();
    QMap<int, QPushButton*> m_buttons;
    FlowLayout* m_row;
    QLineEdit* m_other;
    int m_cores = 0;
    bool m_oversubscribe = false;
    QString m_reason;
};

} // namespace scalebench
