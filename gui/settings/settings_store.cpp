// SPDX-License-Identifier: GPL-3.0-or-later
#include "settings/settings_store.h"

#include <QSettings>

#include <utility>

namespace scalebench {
namespace {

std::map<QString, QVariant> allOf(const QSettings& settings)
{
    std::map<QString, QVariant> values;
    for (const QString& key : settings.allKeys())
        values[key] = settings.value(key);
    return values;
}

} // namespace

SettingsStore::SettingsStore() : m_values(allOf(QSettings())), m_writer([this] { write(); }) {}

SettingsStore::~SettingsStore()
{
    {
        const std::lock_guard lock(m_mutex);
        m_ends = true;
    }
    m_changed.notify_all();
    m_writer.join();
}

QVariant SettingsStore::value(const QString& key, const QVariant& otherwise) const
{
    const std::lock_guard lock(m_mutex);
    const auto found = m_values.find(key);
    return found == m_values.end() ? otherwise : found->second;
}

void SettingsStore::setValue(const QString& key, const QVariant& value)
{
    add({key, value, false});
}

void SettingsStore::remove(const QString& key)
{
    add({key, {}, true});
}

void SettingsStore::add(Change change)
{
    {
        const std::lock_guard lock(m_mutex);
        if (change.remove) {
            m_values.erase(change.key);
            const QString below = change.key + QLatin1Char('/');
            std::erase_if(m_values, [&](const auto& item) { return item.first.startsWith(below); });
        } else {
            QVariant& kept = m_values[change.key];
            if (kept.isValid() && kept == change.value)
                return;
            kept = change.value;
        }
        m_changes << std::move(change);
    }
    m_changed.notify_all();
}

void SettingsStore::sync()
{
    std::unique_lock lock(m_mutex);
    m_written.wait(lock, [this] { return m_changes.isEmpty() && !m_writing; });
}

void SettingsStore::write()
{
    QSettings settings;
    std::unique_lock lock(m_mutex);
    for (;;) {
        m_changed.wait(lock, [this] { return m_ends || !m_changes.isEmpty(); });
        if (m_changes.isEmpty())
            return;
        const QList<Change> changes = std::exchange(m_changes, {});
        m_writing = true;
        lock.unlock();
        for (const Change& change : changes)
            if (change.remove)
                settings.remove(change.key);
            else
                settings.setValue(change.key, change.value);
        settings.sync();
        std::map<QString, QVariant> now = allOf(settings);
        lock.lock();
        m_writing = false;
        if (m_changes.isEmpty())
            m_values = std::move(now);
        m_written.notify_all();
    }
}

} // namespace scalebench
