// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/display_check.h"

#include <QByteArray>
#include <QCoreApplication>

#include <cstddef>
#include <cstring>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace scalebench {

namespace {

/// X servers listen on an abstract socket, a file, or both.
bool somethingListensAt(const QByteArray& path, bool abstract)
{
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const size_t first = abstract ? 1 : 0;
    if (size_t(path.size()) + first >= sizeof address.sun_path)
        return true; // cannot tell
    std::memcpy(address.sun_path + first, path.constData(), size_t(path.size()));
    const auto length = socklen_t(offsetof(sockaddr_un, sun_path) + first + size_t(path.size()) +
                                  (abstract ? 0 : 1));
    const int fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return true;
    const bool connected = ::connect(fd, reinterpret_cast<const sockaddr*>(&address), length) == 0;
    ::close(fd);
    return connected;
}

} // namespace

QString displayProblem()
{
    if (qEnvironmentVariableIsSet("QT_QPA_PLATFORM") ||
        !qEnvironmentVariableIsEmpty("WAYLAND_DISPLAY"))
        return {};
    const QByteArray display = qgetenv("DISPLAY");
    if (display.isEmpty())
        return QCoreApplication::translate(
            "Display", "There is no display to open a window on (DISPLAY and WAYLAND_DISPLAY are "
                       "not set). Log in with a desktop or with ssh -X, or use the command "
                       "scalebench, which needs none.");
    if (!display.startsWith(':'))
        return {};
    const QByteArray number = display.mid(1).split('.').first();
    const QByteArray path = "/tmp/.X11-unix/X" + number;
    if (somethingListensAt(path, true) || somethingListensAt(path, false))
        return {};
    return QCoreApplication::translate(
               "Display", "No display answers at DISPLAY=%1. Check the variable, or use the "
                          "command scalebench, which needs no display.")
        .arg(QString::fromLocal8Bit(display));
}

} // namespace scalebench
