// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The desktop around the window: it keeps the computer awake while a study trains here, hears of a
// study's end while nobody looks, and shows the progress on its task bar. Silent where there is no
// bus, or nobody on it who does such things.

#include <QDBusUnixFileDescriptor>
#include <QObject>

class QTimer;
class QWidget;

namespace scalebench {

class LiveStudy;
class Session;

class DesktopLink : public QObject
{
    Q_OBJECT
public:
    /// `window` decides whether somebody looks, and comes to the front when a notice is clicked.
    DesktopLink(Session* session, QWidget* window);
    ~DesktopLink() override;

    bool keepsAwake() const { return m_awake.isValid(); }

private Q_SLOTS:
    void noticeClicked(uint id, const QString& action);

private:
    void refresh();
    void stayAwake();
    void showProgress(bool visible);
    void tellOfTheEnd();

    Session* m_session;
    const LiveStudy* m_live;
    QWidget* m_window;
    QTimer* m_timer;
    QDBusUnixFileDescriptor m_awake; ///< logind keeps awake until it is closed
    bool m_asked = false;            ///< logind, for this study
    bool m_progressShown = false;
    uint m_notice = 0;
};

} // namespace scalebench
