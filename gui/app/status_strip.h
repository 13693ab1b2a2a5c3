// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The status bar: what runs, how far it is, how long it will take, and what runs unseen.

#include <QElapsedTimer>
#include <QObject>

class QProgressBar;
class QStatusBar;
class QTimer;
class QToolButton;

namespace scalebench {

class ElidedLabel;
class Session;

class StatusStrip : public QObject
{
    Q_OBJECT
public:
    /// Lives in `bar`.
    StatusStrip(Session* session, QStatusBar* bar);
    /// In the language that there is now.
    void retranslate();

private:
    void refresh();
    void refreshOthers();
    void beginWatch();
    void foretell();
    void judgeEstimate();
    QString text() const;

    Session* m_session;
    ElidedLabel* m_text;
    QToolButton* m_others; ///< studies that no page follows
    ElidedLabel* m_eta;
    QProgressBar* m_progress;
    QTimer* m_timer;
    QElapsedTimer m_since;    ///< the start of this study
    bool m_fromStart = false; ///< and it was left alone since
    double m_foretold = -1;   ///< how long all of it takes, as first estimated
};

} // namespace scalebench
