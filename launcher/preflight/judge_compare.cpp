// SPDX-License-Identifier: GPL-3.0-or-later
// What only shows when all hosts have answered: differences between them, and a network that all
// of them share.
#include "base/translated.h"
#include "machine/open_mpi.h"
#include "preflight/judge.h"

#include <QJsonArray>
#include <QMap>
#include <QSet>

#include <algorithm>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

namespace {

using Level = HostCheck::Level;

struct Address {
    QString interface;
    QString text;    ///< "10.77.0.1/24"
    quint32 ip = 0;  ///< IPv4 only; 0: another
    int prefix = 32; ///< bits of the network

    QString subnet() const
    {
        const quint32 mask = prefix <= 0 ? 0 : ~quint32(0) << (32 - prefix);
        const quint32 net = ip & mask;
        return u"%1.%2.%3.%4/%5"_s.arg(net >> 24)
            .arg(net >> 16 & 255)
            .arg(net >> 8 & 255)
            .arg(net & 255)
            .arg(prefix);
    }
};

quint32 ipv4(const QString& text)
{
    const QStringList parts = text.split(u'.');
    quint32 ip = 0;
    for (const QString& part : parts) {
        bool ok = false;
        const uint byte = part.toUInt(&ok);
        if (!ok || byte > 255 || parts.size() != 4)
            return 0;
        ip = ip << 8 | byte;
    }
    return ip;
}

QList<Address> addressesOf(const HostReport& report)
{
    QList<Address> addresses;
    for (const QJsonValue& value : report.facts.value("addresses"_L1).toArray()) {
        const QString text = value["address"_L1].toString();
        const QString prefix = text.section(u'/', 1);
        addresses << Address{value["interface"_L1].toString(), text, ipv4(text.section(u'/', 0, 0)),
                             prefix.isEmpty() ? 32 : std::clamp(prefix.toInt(), 0, 32)};
    }
    return addresses;
}

/// Loopback, bridges of containers and virtual machines, addresses without a network behind.
bool isUseless(const Address& address)
{
    static const QStringList kLocal{u"lo"_s,    u"docker"_s, u"br-"_s,
                                    u"virbr"_s, u"veth"_s,   u"cni"_s};
    return address.ip == 0 || address.ip >> 24 == 127 || address.ip >> 16 == 0xa9fe ||
           std::any_of(kLocal.begin(), kLocal.end(), [&](const QString& name) {
               return name == "lo"_L1 ? address.interface == name
                                      : address.interface.startsWith(name);
           });
}

/// Two names of one computer have the same name and addresses of their own.
QString identity(const HostReport& report)
{
    QStringList words{report.facts.value("hostname"_L1).toString()};
    for (const Address& address : addressesOf(report))
        if (!isUseless(address))
            words << address.text;
    return words.join(u' ');
}

class Comparison
{
public:
    Comparison(const TargetMachine& machine, QList<HostReport>& reports)
        : m_machine(machine), m_reports(reports)
    {
    }

    QList<int> run()
    {
        const QString deploy =
            Launcher::tr("Bring all hosts to one build: %1").arg(deployCommand(m_machine));
        compare(u"engine_content"_s, u"engine"_s, u"engine_mismatch"_s, Level::Problem,
                Launcher::tr(
                    "%1 has another build of the engine (%2) than %3 (%4). Runs would hang or give "
                    "wrong timings."),
                deploy);
        compare(u"engine"_s, u"engine"_s, u"engine_mismatch"_s, Level::Problem,
                Launcher::tr("%1 has engine %2, %3 has %4. Runs would hang or give wrong timings."),
                deploy);
        compare(
            u"mpi"_s, u"mpi"_s, u"mpi_mismatch"_s, Level::Problem,
            Launcher::tr("%1 has Open MPI %2, %3 has %4: they do not understand each other."),
            Launcher::tr(
                "Use the same series everywhere; leave the Open MPI folder empty to use that of "
                "the engine."));
        compare(u"nccl"_s, u"gpus"_s, u"nccl_mismatch"_s, Level::Problem,
                Launcher::tr("%1 has NCCL %2, %3 has %4. Runs would hang or give wrong timings."),
                Launcher::tr("Install the same NCCL on all hosts."));
        compare(u"driver"_s, u"gpus"_s, u"driver_mismatch"_s, Level::Warning,
                Launcher::tr("%1 has driver %2, %3 has %4: timings may differ."),
                Launcher::tr("Install the same NVIDIA driver on all hosts."));
        compareData();
        sameComputer();
        if (m_machine.interface.isEmpty())
            findNetwork();
        else
            checkInterface();
        std::sort(m_changed.begin(), m_changed.end());
        m_changed.erase(std::unique(m_changed.begin(), m_changed.end()), m_changed.end());
        return m_changed;
    }

private:
    /// Replaces a cell that was good until now.
    void set(int index, const HostCheck& check)
    {
        for (HostCheck& cell : m_reports[index].checks) {
            if (cell.test != check.test)
                continue;
            if (cell.level == Level::Problem ||
                (cell.level == Level::Warning && check.level != Level::Problem))
                return;
            cell = check;
            m_changed << index;
        }
    }

    static QString comparable(const QString& fact, const QString& value)
    {
        return fact == "mpi"_L1 ? OpenMpi::seriesOf(value) : value;
    }

    /// `text`: host, its value, another host, that one's value.
    void compare(const QString& fact, const QString& test, const QString& code, Level level,
                 const QString& text, const QString& fix)
    {
        QMap<QString, QList<int>> byValue;
        for (int i = 0; i < m_reports.size(); ++i)
            if (const QString value = m_reports[i].facts.value(fact).toString(); !value.isEmpty())
                byValue[comparable(fact, value)] << i;
        if (byValue.size() < 2)
            return;
        QList<int> most; // on a tie the first host is right
        for (const QList<int>& hosts : byValue)
            if (hosts.size() > most.size() ||
                (hosts.size() == most.size() && hosts.first() < most.first()))
                most = hosts;
        const HostReport& reference = m_reports[most.first()];
        for (const QList<int>& hosts : byValue) {
            if (hosts == most)
                continue;
            for (const int i : hosts)
                set(i,
                    {test,
                     level,
                     code,
                     text.arg(m_reports[i].host, m_reports[i].facts.value(fact).toString().left(12),
                              reference.host, reference.facts.value(fact).toString().left(12)),
                     fix,
                     {}});
        }
    }

    void compareData()
    {
        int most = -1;
        for (int i = 0; i < m_reports.size(); ++i)
            if (m_reports[i].facts.contains(u"data_files"_s) && (most < 0 || size(i) > size(most)))
                most = i;
        for (int i = 0; i < m_reports.size(); ++i) {
            if (!m_reports[i].facts.contains(u"data_files"_s) || size(i) == size(most))
                continue;
            set(i, {u"data"_s,
                    Level::Problem,
                    u"data_incomplete"_s,
                    Launcher::tr("The data set on %1 differs from that on %2: %3 files with %4 "
                                 "bytes instead of "
                                 "%5 with %6.")
                        .arg(m_reports[i].host, m_reports[most].host)
                        .arg(size(i).first, 0, 'f', 0)
                        .arg(size(i).second, 0, 'f', 0)
                        .arg(size(most).first, 0, 'f', 0)
                        .arg(size(most).second, 0, 'f', 0),
                    Launcher::tr("Copy it again from %1, or use synthetic data.")
                        .arg(m_reports[most].host),
                    {}});
        }
    }
    std::pair<double, double> size(int i) const
    {
        const QJsonObject& facts = m_reports[i].facts;
        return {facts.value("data_files"_L1).toDouble(), facts.value("data_bytes"_L1).toDouble()};
    }

    void sameComputer()
    {
        QHash<QString, int> seen;
        for (int i = 0; i < m_reports.size(); ++i) {
            if (!m_reports[i].facts.contains(u"hostname"_s))
                continue;
            const QString id = identity(m_reports[i]);
            if (!seen.contains(id)) {
                seen.insert(id, i);
                continue;
            }
            if (m_machine.kind == TargetMachine::Kind::Login && seen[id] == 0)
                continue; // the login node may compute too
            set(i, {u"name"_s,
                    Level::Warning,
                    u"same_computer"_s,
                    Launcher::tr("%1 and %2 are the same computer (%3).")
                        .arg(m_reports[seen[id]].host, m_reports[i].host,
                             m_reports[i].facts.value("hostname"_L1).toString()),
                    Launcher::tr("List it once, with the slots of both."),
                    {}});
        }
    }

    QList<int> hostsThatCompute() const
    {
        QList<int> hosts;
        for (int i = 0; i < m_reports.size(); ++i) {
            const bool login =
                m_machine.kind == TargetMachine::Kind::Login && i == 0 && m_reports.size() > 1;
            if (!login && m_reports[i].facts.contains(u"addresses"_s))
                hosts << i;
        }
        return hosts;
    }

    void findNetwork()
    {
        const QList<int> hosts = hostsThatCompute();
        QHash<QString, QSet<QString>> computersWith; // an address that several have is a bridge's
        for (const int i : hosts)
            for (const Address& address : addressesOf(m_reports[i]))
                computersWith[address.text] << identity(m_reports[i]);
        QMap<QString, int> count;
        for (const int i : hosts) {
            QSet<QString> own;
            for (const Address& address : addressesOf(m_reports[i]))
                if (!isUseless(address) && computersWith[address.text].size() == 1)
                    own << address.subnet();
            for (const QString& subnet : own)
                ++count[subnet];
        }
        QStringList common;
        for (auto it = count.begin(); it != count.end(); ++it)
            if (it.value() == hosts.size())
                common << it.key();
        for (const int i : hosts) {
            QStringList texts;
            for (const Address& address : addressesOf(m_reports[i])) {
                if (!isUseless(address) && common.contains(address.subnet())) {
                    texts << u"%1 %2"_s.arg(address.interface, address.text);
                    m_reports[i].facts.insert(u"subnet"_s, common.first());
                }
            }
            if (!texts.isEmpty() || hosts.size() == 1)
                put(i, {u"interface"_s,
                        Level::Ok,
                        {},
                        texts.isEmpty() ? Launcher::tr("one host") : texts.join(u", "_s),
                        {},
                        {}});
            else
                put(i, {u"interface"_s,
                        Level::Warning,
                        u"interface_no_common"_s,
                        Launcher::tr("%1 has no network in common with all other hosts (%2).")
                            .arg(m_reports[i].host, listed(m_reports[i])),
                        Launcher::tr("If they reach each other all the same, name the interface or "
                                     "subnet in the "
                                     "target machine."),
                        {}});
        }
    }

    void checkInterface()
    {
        const QStringList wanted = m_machine.interface.split(u',', Qt::SkipEmptyParts);
        const QList<int> hosts = hostsThatCompute();
        QHash<int, QString> found;
        QStringList with;
        for (const int i : hosts) {
            for (const Address& address : addressesOf(m_reports[i]))
                if (!found.contains(i) && matches(address, wanted)) {
                    found.insert(i, u"%1 %2"_s.arg(address.interface, address.text));
                    if (address.ip)
                        m_reports[i].facts.insert(u"subnet"_s, address.subnet());
                }
            if (found.contains(i))
                with << m_reports[i].host;
        }
        for (const int i : hosts) {
            if (found.contains(i)) {
                put(i, {u"interface"_s, Level::Ok, {}, found[i], {}, {}});
                continue;
            }
            const QString others = with.isEmpty() ? Launcher::tr("not on any other host either")
                                   : with.size() == 1
                                       ? Launcher::tr("only on %1").arg(with[0])
                                       : Launcher::tr("only on %1 other hosts").arg(with.size());
            put(i, {u"interface"_s,
                    Level::Problem,
                    u"interface_missing"_s,
                    Launcher::tr(
                        "%1 has no network interface with an address in \"%2\"; it is there %3.")
                        .arg(m_reports[i].host, m_machine.interface, others),
                    Launcher::tr("Choose another one for the target machine; %1 has %2.")
                        .arg(m_reports[i].host, listed(m_reports[i])),
                    {}});
        }
    }

    static bool matches(const Address& address, const QStringList& wanted)
    {
        for (const QString& word : wanted) {
            if (!word.contains(u'/')) {
                if (address.interface == word)
                    return true;
                continue;
            }
            const Address net{{},
                              {},
                              ipv4(word.section(u'/', 0, 0)),
                              std::clamp(word.section(u'/', 1).toInt(), 0, 32)};
            const Address own{{}, {}, address.ip, net.prefix};
            if (net.ip && address.ip && own.subnet() == net.subnet())
                return true;
        }
        return false;
    }

    static QString listed(const HostReport& report)
    {
        QStringList texts;
        for (const Address& address : addressesOf(report))
            if (!isUseless(address))
                texts << u"%1 %2"_s.arg(address.interface, address.text);
        return texts.isEmpty() ? u"none"_s : texts.join(u", "_s);
    }

    void put(int index, const HostCheck& check)
    {
        for (HostCheck& cell : m_reports[index].checks) {
            if (cell.test == check.test && cell.level != Level::Problem) {
                cell = check;
                m_changed << index;
            }
        }
    }

    const TargetMachine& m_machine;
    QList<HostReport>& m_reports;
    QList<int> m_changed;
};

} // namespace

void readAddresses(const ProbeAnswer& probe, QJsonObject& facts)
{
    QJsonArray addresses;
    for (const QString& line : probe.values.value(u"address"_s))
        addresses << QJsonObject{{u"interface"_s, line.section(u' ', 0, 0)},
                                 {u"address"_s, line.section(u' ', 1)}};
    facts.insert(u"addresses"_s, addresses);
}

QList<int> compareHosts(const TargetMachine& machine, QList<HostReport>& reports)
{
    return Comparison(machine, reports).run();
}

} // namespace scalebench
