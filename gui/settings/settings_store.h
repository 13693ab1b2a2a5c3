// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// QSettings whose file is written by a thread of its own: a slow disk holds no window up. Values
// are in memory; what another window of the same person wrote is seen after the next writing.

#include <QList>
#include <QString>
#include <QVariant>

#include <condition_variable>
#include <map>
#include <mutex>
#include <thread>

namespace scalebench {

class SettingsStore
{
public:
    /// Reads the file once, at the place that QSettings() has for this program.
    SettingsStore();
    /// Writes what is left.
    ~SettingsStore();
    SettingsStore(const SettingsStore&) = delete;
    SettingsStore& operator=(const SettingsStore&) = delete;

    QVariant value(const QString& key, const QVariant& otherwise = {}) const;
    void setValue(const QString& key, const QVariant& value);
    /// The key and all below it.
    void remove(const QString& key);

    /// Waits until all is written, or could not be.
    void sync();

private:
    struct Change {
        QString key;
        QVariant value;
        bool remove = false;
    };
    void add(Change change);
    void write();

    mutable std::mutex m_mutex;
    std::condition_variable m_changed, m_written;
    std::map<QString, QVariant> m_values;
    QList<Change> m_changes; ///< not written yet
    bool m_writing = false, m_ends = false;
    std::thread m_writer;
};

} // namespace scalebench
