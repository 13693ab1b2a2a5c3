// SPDX-License-Identifier: GPL-3.0-or-later
#include "machine/live_use.h"

#include "base/asked_program.h"
#include "base/plain_text.h"

#include <QDir>
#include <QFileInfo>
#include <QStandardPaths>

#include <algorithm>
#include <cmath>
#include <unistd.h>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int kGpuAnswerMs = 3000;
constexpr double kWorthListing = 0.01; ///< processors

/// The rows of a table that nvidia-smi writes; none where it cannot.
QList<QStringList> askGpuProgram(const QString& program, const QString& query)
{
    const ProgramAnswer answer =
        askProgram(program, {query, u"--format=csv,noheader,nounits"_s}, kGpuAnswerMs);
    QList<QStringList> rows;
    if (!answer.succeeded())
        return rows;
    for (const QString& line : QString::fromUtf8(answer.out).split(u'\n')) {
        QStringList cells;
        for (const QString& cell : line.split(u','))
            cells << visibleText(cell.trimmed());
        if (cells.size() > 1)
            rows << cells;
    }
    return rows;
}

double numberOr(const QString& text, double factor)
{
    bool ok = false;
    const double value = text.toDouble(&ok);
    return ok ? value * factor : qQNaN(); // "[N/A]"
}

} // namespace

LiveUseMeter::LiveUseMeter(const QString& procDir, const QString& gpuProgram)
    : m_proc(procDir),
      m_gpuProgram(gpuProgram.isEmpty() ? QString() : QStandardPaths::findExecutable(gpuProgram))
{
}

QList<ProcessUse> LiveUseMeter::processes(double passedTicks)
{
    // Counted from after the name, which may hold anything: state, then proc(5)'s fields from 4 on.
    constexpr int kUser = 11, kSystem = 12, kStart = 19, kResident = 21;
    const qint64 pageBytes = ::sysconf(_SC_PAGESIZE);
    QHash<QString, double> ticks;
    QList<ProcessUse> found;
    for (const QString& name : QDir(m_proc).entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
        bool isProcess = false;
        const qint64 pid = name.toLongLong(&isProcess);
        if (!isProcess)
            continue;
        const QByteArray stat = procFile(m_proc + u'/' + name + u"/stat"_s);
        const qsizetype open = stat.indexOf('('), close = stat.lastIndexOf(')');
        const QList<QByteArray> fields = stat.mid(close + 1).simplified().split(' ');
        if (open < 0 || close < open || fields.size() <= kResident)
            continue; // it has ended meanwhile
        const QString key = name + u' ' + QString::fromLatin1(fields[kStart]);
        const double now = fields[kUser].toDouble() + fields[kSystem].toDouble();
        ticks.insert(key, now);
        ProcessUse use;
        use.pid = pid;
        use.name = visibleText(QString::fromUtf8(stat.mid(open + 1, close - open - 1)));
        // What was not there at the look before has had all its time since.
        use.processors = passedTicks > 0 ? (now - m_ticks.value(key, 0)) / passedTicks : 0;
        use.memoryBytes = fields[kResident].toLongLong() * pageBytes;
        found << use;
    }
    m_ticks = ticks;
    return found;
}

void LiveUseMeter::askGpus(LiveUse& use) const
{
    if (m_gpuProgram.isEmpty())
        return;
    constexpr double kMebi = 1024.0 * 1024;
    QStringList uuids;
    for (const QStringList& row : askGpuProgram(
             m_gpuProgram, u"--query-gpu=uuid,name,utilization.gpu,memory.used,memory.total,"
                           "power.draw,temperature.gpu"_s)) {
        if (row.size() < 7)
            continue;
        uuids << row[0];
        use.gpus << GpuUse{row[1],
                           numberOr(row[2], 0.01),
                           numberOr(row[3], kMebi),
                           numberOr(row[4], kMebi),
                           numberOr(row[5], 1),
                           numberOr(row[6], 1)};
    }
    if (use.gpus.isEmpty())
        return;
    for (const QStringList& row :
         askGpuProgram(m_gpuProgram, u"--query-compute-apps=gpu_uuid,pid"_s)) {
        const auto gpu = static_cast<int>(uuids.indexOf(row[0]));
        const qint64 pid = row[1].toLongLong();
        const auto process = std::find_if(use.processes.begin(), use.processes.end(),
                                          [pid](const ProcessUse& one) { return one.pid == pid; });
        if (gpu >= 0 && process != use.processes.end() && !process->gpus.contains(gpu))
            process->gpus << gpu;
    }
}

LiveUse LiveUseMeter::look()
{
    LiveUse use;
    const ProcessorTimes now = processorTimes(m_proc);
    const double passed = now.allTicks - m_before.allTicks;
    const bool first = m_before.processors == 0 || passed <= 0;
    use.processors = now.processors;
    if (!first)
        use.busyProcessors =
            std::max(0.0, now.busyTicks - m_before.busyTicks) / passed * now.processors;
    // The ticks of one processor are the clock here.
    use.processes = processes(first || now.processors == 0 ? 0 : passed / now.processors);
    m_before = now;
    const QByteArray memory = procFile(m_proc + u"/meminfo"_s);
    use.memoryBytes = memoryField(memory, "MemTotal");
    use.memoryUsedBytes = use.memoryBytes - memoryField(memory, "MemAvailable");
    askGpus(use);
    use.processes.removeIf([](const ProcessUse& process) {
        return process.processors < kWorthListing && process.gpus.isEmpty();
    });
    std::stable_sort(
        use.processes.begin(), use.processes.end(),
        [](const ProcessUse& a, const ProcessUse& b) { return a.processors > b.processors; });
    if (use.processes.size() > kMostProcesses)
        use.processes.resize(kMostProcesses);
    for (ProcessUse& process : use.processes)
        process.user = QFileInfo(m_proc + u"/%1"_s.arg(process.pid)).owner();
    return use;
}

} // namespace scalebench
