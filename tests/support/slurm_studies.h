// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Two nodes with a real Slurm, the fake engine installed on their shared disk, and studies that run
// as jobs there.

#include "library/library.h"
#include "machine/machines.h"
#include "run/run_status.h"
#include "run/study.h"
#include "run/study_lock.h"
#include "supervise/supervisor.h"
#include "support/campaign.h"
#include "support/cluster.h"
#include "support/file_content.h"
#include "support/program_file.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <csignal>
#include <functional>
#include <memory>

namespace scalebench::test {

using namespace Qt::Literals::StringLiterals;

/// Beside the fake engine's own modes: FAKE_HOG lets rank 1 take more memory than the job has.
inline constexpr char kSlurmEngine[] = R"sh(#!/bin/sh
echo "$OMPI_COMM_WORLD_RANK $(hostname) $OMP_NUM_THREADS" >> "$2/ranks.txt"
if [ -n "$FAKE_HOG" ] && [ "$OMPI_COMM_WORLD_RANK" = 0 ]; then
    head -c 400000000 /dev/zero | tail -c 390000000 | sleep 60
fi
exec @FAKE@ "$@"
)sh";

/// What test classes of Slurm's jobs have beside their tests.
class SlurmStudies
{
protected:
    QTemporaryDir m_folder;
    std::unique_ptr<Cluster> m_cluster;
    std::shared_ptr<Library> m_library;
    int m_number = 0;

    /// Where that fails `m_cluster` says why.
    void bringUp()
    {
        m_cluster = std::make_unique<Cluster>(
            QStringList{u"--hosts"_s, u"2"_s, u"--slurm"_s, u"--shared"_s, m_folder.path(),
                        u"--read-only"_s, QDir::cleanPath(QStringLiteral(SB_BIN_DIR "/.."))});
        if (!m_cluster->isUp())
            return;
        qputenv("SLURM_CONF", m_cluster->slurmConfig().toUtf8());
        qputenv("XDG_CACHE_HOME", m_folder.filePath(u"cache"_s).toUtf8());
        install(u"fake"_s, QDir::cleanPath(QStringLiteral(SB_BIN_DIR "/../tests/fake_engine")));
        m_library = Library::open(m_folder.filePath(u"library"_s)).value();
    }
    void cancelAll() const
    {
        if (m_cluster->isUp())
            slurm({u"scancel"_s, u"--user=root"_s, u"--signal=KILL"_s, u"--full"_s});
    }

    /// A machine folder on the shared disk with this mpirun and engine.
    QString install(const QString& name, const QString& engine)
    {
        const QString folder = m_folder.filePath(name);
        const QString bin = folder + u"/engine/b/bin"_s;
        QDir().mkpath(bin);
        QFile::link(u"b"_s, folder + u"/engine/current"_s);
        QFile::link(u"/usr/bin/mpirun"_s, bin + u"/mpirun"_s);
        QFile::link(QDir::cleanPath(QStringLiteral(SB_BIN_DIR) + u"/scalebench"_s),
                    bin + u"/scalebench"_s);
        if (engine.endsWith("fake_engine"_L1))
            writeProgram(bin + u"/scalebench-engine"_s,
                         QByteArray(kSlurmEngine).replace("@FAKE@", engine.toUtf8()));
        else
            QFile::link(engine, bin + u"/scalebench-engine"_s);
        return folder;
    }

    TargetMachine fake(int epochs = 3, int stepMs = 20, const char* mode = "ok") const
    {
        TargetMachine machine;
        machine.name = u"c"_s;
        machine.kind = TargetMachine::Kind::Slurm;
        machine.folder = m_folder.filePath(u"fake"_s);
        machine.slurm.extraOptions << u"--mem-per-cpu=1000"_s;
        machine.environment = {{u"FAKE_ENGINE_MODE"_s, QString::fromLatin1(mode)},
                               {u"FAKE_ENGINE_EPOCHS"_s, QString::number(epochs)},
                               {u"FAKE_ENGINE_STEP_MS"_s, QString::number(stepMs)}};
        return machine;
    }
    /// Goes on for a minute unless it is ended.
    TargetMachine slow() const { return fake(100, 120); }

    Study create(const TargetMachine& machine, const QList<Shape>& shapes = {{2, 1}},
                 const QString& dir = {}, int retries = 0)
    {
        StudySpec spec;
        spec.machine = machine.name;
        spec.shapes = shapes;
        spec.retries = retries;
        spec.target = 0.8;
        spec.data = u"generated"_s;
        const Result<MachineInfo> info = planningInfo(machine);
        if (!info)
            qFatal("%s", qPrintable(info.failure().message));
        const QString id = u"s%1"_s.arg(++m_number);
        const auto runs = planRuns(spec, info.value(), id, m_folder.filePath(u"sbdata"_s));
        if (!runs)
            qFatal("%s", qPrintable(runs.failure().message));
        const auto study = m_library->createStudy(
            spec, runs.value(), id, dir.isEmpty() ? m_folder.filePath(id) : dir, machine);
        if (!study)
            qFatal("%s", qPrintable(study.failure().message));
        return study.value();
    }
    Study start(const TargetMachine& machine, const QList<Shape>& shapes = {{2, 1}},
                const QString& dir = {}, int retries = 0)
    {
        const Study study = create(machine, shapes, dir, retries);
        const auto pid = startSupervisor(study.dir);
        if (!pid)
            qFatal("%s", qPrintable(pid.failure().message));
        return study;
    }

    static RunStatus statusOf(const Study& study, int run = 0)
    {
        const auto status = readRunStatus(study.runs[run].runDir);
        return status ? status.value() : RunStatus();
    }
    static bool waitFor(const std::function<bool()>& what, int seconds = 60)
    {
        return QTest::qWaitFor(what, std::max(seconds * 1000, kHangMs));
    }
    static bool ends(const Study& study, int seconds = 60, int run = 0)
    {
        const bool ended =
            waitFor([&] { return isFinal(statusOf(study, run).state); }, seconds) &&
            waitFor([&] { return !lockHolder(study.dir) || run + 1 < study.runs.size(); }, 5);
        if (!ended)
            qWarning("%s: %s, %s", qPrintable(study.dir),
                     qPrintable(runStateName(statusOf(study, run).state)),
                     qPrintable(statusOf(study, run).waiting));
        return ended;
    }
    /// Until it trains.
    static bool trains(const Study& study, int run = 0)
    {
        return waitFor([&] {
            return QFileInfo(study.runs[run].runDir + u"/result_0.txt"_s).size() > 3000 &&
                   statusOf(study, run).state == RunState::Running;
        });
    }
    /// Of a run that failed: code, and the sentence for the log.
    static QString codeOf(const Study& study, int run = 0)
    {
        const RunStatus status = statusOf(study, run);
        qInfo("%s: %s", qPrintable(status.error.code), qPrintable(status.error.message));
        return status.error.code;
    }
    static Said slurm(const QStringList& words) { return runProgram(words.first(), words.mid(1)); }
    static void stop(const Study& study)
    {
        if (const auto holder = lockHolder(study.dir); holder && *holder > 1)
            ::kill(pid_t(*holder), SIGTERM);
    }
    bool nothingLeft() const
    {
        static const QRegularExpression ours(u"fake_engine|mpirun|orted|prte"_s);
        return waitWithPrograms([&] { return m_cluster->processesLeft().filter(ours).isEmpty(); },
                                10);
    }
};

} // namespace scalebench::test
