// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/disturbance.h"

#include "base/translated.h"
#include "run/run_record.h"
#include "study/machine_info.h"

#include <QCoreApplication>
#include <QLocale>
#include <QMap>

#include <algorithm>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr double kStolenShare = 0.05; ///< of what the run wanted, taken by the hypervisor
constexpr double kLeastStolen = 0.05; ///< processors: of a run that wants little any is a share
constexpr double kTimeShare = 0.05;   ///< of the measured time: shorter does not move the mean
constexpr double kShortestS = 0.5;    ///< the kernel's counters are too coarse for less
constexpr double kSwapped = 16.0 * (1 << 20);
constexpr double kSlowedShare = 0.05; ///< of the GPU's readings

/// Epochs in which a host had more of something than it should, and the most of it.
struct Finding {
    double seconds = 0, most = 0;
    int first = 0, last = 0, epochs = 0;

    void add(const HostLoad& load, double value)
    {
        first = epochs == 0 ? load.epoch : std::min(first, load.epoch);
        last = std::max(last, load.epoch);
        ++epochs;
        seconds += load.seconds;
        most = std::max(most, value);
    }
    QString when() const
    {
        if (first == last)
            return Launcher::tr("in epoch %1").arg(first);
        if (epochs == last - first + 1)
            return Launcher::tr("in epochs %1 to %2").arg(first).arg(last);
        return Launcher::tr("in %1 epochs from %2 to %3").arg(epochs).arg(first).arg(last);
    }
};

struct HostFindings {
    double seconds = 0, swapped = 0;
    int processors = 0;
    Finding others, stolen;
};

bool takenByOthers(const HostLoad& load, bool onGpu)
{
    // A GPU's training needs little of the processors, until there are none left.
    return isDisturbing(load.others, load.processors) &&
           (!onGpu || load.own + load.others >= 0.9 * load.processors);
}

QString amount(double processors)
{
    return QLocale().toString(processors, 'f', processors < 10 ? 1 : 0);
}

QString hostSentence(const QString& host, const HostFindings& found)
{
    QStringList parts;
    if (found.others.epochs > 0 && found.others.seconds >= kTimeShare * found.seconds)
        parts << Launcher::tr("other processes kept up to %1 of %2 processors busy %3")
                     .arg(amount(found.others.most))
                     .arg(found.processors)
                     .arg(found.others.when());
    if (found.stolen.epochs > 0 && found.stolen.seconds >= kTimeShare * found.seconds)
        parts << Launcher::tr("the hypervisor took up to %1 processors away %2")
                     .arg(QLocale().toString(found.stolen.most, 'f', 2), found.stolen.when());
    if (found.swapped >= kSwapped)
        parts << Launcher::tr("the host swapped %1 MiB").arg(qint64(found.swapped / (1 << 20)));
    if (parts.isEmpty())
        return {};
    return Launcher::tr("On %1, %2.")
        .arg(host.isEmpty() ? Launcher::tr("the host") : host, parts.join(u"; "_s));
}

} // namespace

QStringList disturbances(const RunRecord& run)
{
    QMap<QString, HostFindings> hosts;
    for (const HostLoad& load : run.hostLoads) {
        HostFindings& found = hosts[load.host];
        found.seconds += load.seconds;
        found.processors = std::max(found.processors, load.processors);
        found.swapped += double(load.swappedBytes);
        if (load.seconds < kShortestS)
            continue;
        if (takenByOthers(load, run.config.device == "cuda"_L1))
            found.others.add(load, load.others);
        if (load.stolen >= kLeastStolen && load.stolen >= kStolenShare * (load.own + load.stolen))
            found.stolen.add(load, load.stolen);
    }
    QStringList sentences;
    for (auto it = hosts.begin(); it != hosts.end(); ++it)
        if (const QString sentence = hostSentence(it.key(), it.value()); !sentence.isEmpty())
            sentences << sentence;
    const GpuReadings& gpu = run.gpuReadings;
    if (gpu.slowed > 0 && double(gpu.slowed) >= kSlowedShare * double(gpu.readings))
        sentences << Launcher::tr("The GPU of worker 0 was slowed down (%1) in %2 of %3 readings.")
                         .arg(gpu.reasons.join(u", "_s))
                         .arg(gpu.slowed)
                         .arg(gpu.readings);
    return sentences;
}

bool isDisturbed(const RunRecord& run)
{
    return !disturbances(run).isEmpty();
}

} // namespace scalebench
