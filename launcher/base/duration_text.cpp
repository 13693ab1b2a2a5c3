// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/duration_text.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <cmath>

namespace scalebench {

QString durationText(double seconds)
{
    const QLocale locale;
    if (seconds < 0 || !std::isfinite(seconds))
        return {};
    if (seconds < 60)
        return QCoreApplication::translate("Duration", "%1 s")
            .arg(locale.toString(seconds, 'f', 0));
    const auto whole = static_cast<qint64>(std::llround(seconds));
    if (whole < 3600)
        return QCoreApplication::translate("Duration", "%1 min %2 s")
            .arg(whole / 60)
            .arg(whole % 60);
    const auto minutes = static_cast<qint64>(std::llround(seconds / 60));
    return QCoreApplication::translate("Duration", "%1 h %2 min")
        .arg(minutes / 60)
        .arg(minutes % 60);
}

QString durationRangeText(double seconds)
{
    return durationRangeText(seconds * 0.85, seconds * 1.2);
}

QString durationRangeText(double low, double high)
{
    if (low < 0 || high < low || !std::isfinite(high))
        return {};
    if (high < 12)
        return QCoreApplication::translate("Duration", "less than 10 s");
    if (high < 100) {
        const auto round5 = [](double s) { return static_cast<int>(std::lround(s / 5) * 5); };
        return QCoreApplication::translate("Duration", "about %1\u2013%2 s")
            .arg(std::max(5, round5(low)))
            .arg(std::max(round5(low) + 5, round5(high)));
    }
    const double unit = high < 5400 ? 60 : 3600;
    const auto from = std::max<qint64>(1, std::llround(low / unit));
    const auto to = std::max<qint64>(from + 1, std::llround(high / unit));
    return (unit < 100 ? QCoreApplication::translate("Duration", "about %1\u2013%2 min")
                       : QCoreApplication::translate("Duration", "about %1\u2013%2 h"))
        .arg(from)
        .arg(to);
}

QString estimateVerdictText(double foretoldSeconds, double tookSeconds)
{
    const int percent = qRound((tookSeconds / foretoldSeconds - 1) * 100);
    const QString took = durationText(tookSeconds);
    if (percent == 0)
        return QCoreApplication::translate("Duration", "took %1, as first estimated").arg(took);
    return (percent > 0 ? QCoreApplication::translate("Duration",
                                                      "took %1, %2 % longer than first estimated")
                        : QCoreApplication::translate("Duration",
                                                      "took %1, %2 % less than first estimated"))
        .arg(took)
        .arg(std::abs(percent));
}

} // namespace scalebench
