// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Two folders and the `scalebench` of another host, which is this computer: what a folder followed
// through `scalebench serve` is tested with. That program may be replaced by a script.
#include "mirror/folder_mirror.h"
#include "support/launcher_fixture.h"
#include "support/program_file.h"

#include <QJsonObject>
#include <QRandomGenerator>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <functional>
#include <memory>

namespace scalebench::test {

using namespace Qt::Literals::StringLiterals;

class MirrorFixture : public QObject
{
protected:
    std::unique_ptr<QTemporaryDir> m_folder;
    QRandomGenerator m_random{4711};
    QList<Failure> m_failures; ///< of the mirror's connections
    bool m_final = false;

    QString there() const { return m_folder->filePath(u"there/é study"_s); }
    QString here() const { return m_folder->filePath(u"here/it's mine"_s); }

    static QByteArray read(const QString& path)
    {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("<none>");
    }
    static void write(const QString& path, const QByteArray& bytes,
                      QIODevice::OpenMode how = QIODevice::Truncate)
    {
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly | how) || file.write(bytes) != bytes.size())
            qFatal("%s", qPrintable(path));
    }
    QByteArray noise(qsizetype bytes)
    {
        QByteArray text(bytes, Qt::Uninitialized);
        for (char& c : text)
            c = char(m_random.generate());
        return text;
    }
    /// The `scalebench` that the mirror finds on the other host.
    void installServer(const QByteArray& script)
    {
        const QString path = m_folder->filePath(u"host/engine/current/bin/scalebench"_s);
        QDir().mkpath(QFileInfo(path).path());
        writeProgram(path, "#!/bin/sh\nd='" + m_folder->path().toUtf8() + "'\n" + script + '\n');
    }
    static QByteArray real() { return "'" SB_BIN_DIR "/scalebench' \"$@\""; }
    /// Writes what a server says into a file and has it said.
    void installSpeaker(const QByteArray& speech, const QByteArray& then = "exec sleep 30")
    {
        write(m_folder->filePath(u"speech"_s), speech);
        installServer("cat \"$d/speech\"\n" + then);
    }
    static QByteArray hello()
    {
        return frame({{u"is"_s, u"hello"_s},
                      {u"protocol"_s, kFolderProtocol},
                      {u"version"_s, QString::fromLatin1(SB_VERSION)},
                      {u"exists"_s, true}});
    }

    MirrorSetup setup(ServedFolder kind = ServedFolder::Run) const
    {
        MirrorSetup setup;
        setup.kind = kind;
        setup.host = u"localhost"_s;
        setup.machine.folder = m_folder->filePath(u"host"_s);
        setup.remoteDir = there();
        setup.localDir = here();
        return setup;
    }
    /// One that does not wait before it tries again.
    std::unique_ptr<FolderMirror> mirror(const MirrorSetup& how, bool patient = false)
    {
        m_failures.clear();
        m_final = false;
        auto mirror = std::make_unique<FolderMirror>(how);
        connect(mirror.get(), &FolderMirror::disconnected, this,
                [this](const Failure& why, int, bool final) {
                    m_failures << why;
                    m_final = final;
                });
        if (!patient)
            connect(mirror.get(), &FolderMirror::disconnected, mirror.get(),
                    &FolderMirror::reconnectNow, Qt::QueuedConnection);
        mirror->open();
        return mirror;
    }
    static bool becomes(const std::function<bool()>& what)
    {
        return QTest::qWaitFor(what, kHangMs);
    }
    bool isCopied(const QString& name)
    {
        const bool same = becomes([&] {
            return QFileInfo(here() + name).size() == QFileInfo(there() + name).size() &&
                   read(here() + name) == read(there() + name);
        });
        if (!same)
            qWarning("%s: %lld bytes instead of %lld", qPrintable(name),
                     qlonglong(read(here() + name).size()), qlonglong(read(there() + name).size()));
        return same;
    }

    /// Everything below the test's folder but the copy: what a hostile server may not change.
    QStringList outside() const
    {
        QStringList files;
        for (const QString& file : filesBelow(m_folder->path()))
            if (!file.startsWith("here/it's mine/"_L1))
                files << file;
        return files;
    }

    void begin()
    {
        useFakeEngine("ok");
        m_folder = std::make_unique<QTemporaryDir>();
        QDir().mkpath(there());
        QDir().mkpath(here());
        installServer("exec " + real());
    }
    void end()
    {
        const QString path = m_folder->path();
        const bool clean = becomes([&] { return processesMentioning(path).isEmpty(); });
        for (const qint64 pid : processesMentioning(path))
            ::kill(pid_t(pid), SIGKILL);
        m_folder.reset();
        QVERIFY2(clean, "a process was left behind");
    }
};

} // namespace scalebench::test
