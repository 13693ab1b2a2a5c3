// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// For tests of the launcher with the fake engine: a library in a temporary folder, studies in it,
// and the question whether any process of them is left.

#include "library/library.h"
#include "machine/this_computer.h"
#include "run/study.h"
#include "study/machine_info.h"
#include "study/run_config.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <QThreadPool>

#include <csignal>
#include <memory>

namespace scalebench::test {

/// A machine with everything, whatever this one has.
inline MachineInfo goodMachine(int cores = 4)
{
    MachineInfo machine;
    machine.cores = cores;
    machine.mpirunPath = QStringLiteral("/usr/bin/mpirun");
    machine.enginePath = QStringLiteral("/opt/sb/scalebench-engine");
    machine.cudaReason = QStringLiteral("the NVIDIA driver is not loaded");
    return machine;
}

/// A study file, of ResNet where it names no workload.
inline QByteArray withWorkload(QByteArray json)
{
    return json.contains("\"workload") ? json : json.replace(0, 1, "{\"workload\":\"resnet\",");
}

inline QString fakeEnginePath()
{
    return QStringLiteral(SB_BIN_DIR "/../tests/fake_engine");
}

inline void useFakeEngine(const char* mode, int epochs = 3, int stepMs = 10)
{
    qputenv("SCALEBENCH_ENGINE", QDir::cleanPath(fakeEnginePath()).toUtf8());
    qputenv("FAKE_ENGINE_MODE", mode);
    qputenv("FAKE_ENGINE_EPOCHS", QByteArray::number(epochs));
    qputenv("FAKE_ENGINE_STEP_MS", QByteArray::number(stepMs));
}

/// Pids of living processes with `text` in their command line.
inline QList<qint64> processesMentioning(const QString& text)
{
    QList<qint64> pids;
    for (const QString& entry : QDir(QStringLiteral("/proc")).entryList(QDir::Dirs)) {
        bool ok = false;
        const qint64 pid = entry.toLongLong(&ok);
        QFile file(QStringLiteral("/proc/%1/cmdline").arg(pid));
        if (ok && file.open(QIODevice::ReadOnly) && file.readAll().contains(text.toUtf8()))
            pids << pid;
    }
    return pids;
}

/// A temporary library; ends whatever of it is still alive when a test fails in mid-run.
struct TemporaryLibrary {
    QTemporaryDir folder;
    std::shared_ptr<Library> library;

    TemporaryLibrary()
    {
        const Result<std::shared_ptr<Library>> opened = Library::open(folder.path());
        if (opened)
            library = opened.value();
    }
    ~TemporaryLibrary()
    {
        for (qint64 pid : processesMentioning(folder.path()))
            ::kill(pid_t(pid), SIGKILL);
        // A folder that a closed window still reads cannot be removed.
        QThreadPool::globalInstance()->waitForDone();
    }

    Study create(const QList<int>& workers, const QString& name = QStringLiteral("s"),
                 const QString& outDir = {}, int retries = 0)
    {
        StudySpec spec;
        spec.retries = retries;
        spec.workers = workers;
        spec.oversubscribe = true;
        spec.target = 0.8; // what the fake engine reaches
        return create(spec, name, outDir);
    }

    Study create(const StudySpec& spec, const QString& name, const QString& outDir = {})
    {
        MachineInfo machine = goodMachine(probeThisComputer(false).cores);
        const auto runs = planRuns(spec, machine, name, library->generatedDataDir());
        if (!runs)
            qFatal("%s", qPrintable(runs.failure().message));
        const auto study = library->createStudy(spec, runs.value(), name, outDir);
        if (!study)
            qFatal("%s", qPrintable(study.failure().message));
        return study.value();
    }

    QList<qint64> processesLeft() const { return processesMentioning(folder.path()); }
};

} // namespace scalebench::test
