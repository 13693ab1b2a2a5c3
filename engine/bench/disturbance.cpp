// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/bench/disturbance.h"

#include "engine/bench/handover.h"

#include <algorithm>
#include <chrono>
#include <cstdio>

#include <sys/resource.h>

namespace scalebench::bench {
namespace {

constexpr double kBeyondPeak = 1.03; ///< the peak itself is measured to about a hundredth
constexpr double kLargeSpread = 0.2;
constexpr double kLostShare = 0.05;

double secondsNow()
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

/// By more than that factor, where both are known.
bool changed(BeforeAfter value, double factor)
{
    return value.before > 0 && value.after > 0 &&
           std::max(value.before, value.after) > factor * std::min(value.before, value.after);
}

} // namespace

double measureClock(int tries)
{
    double best = 0;
#if defined(__x86_64__)
    constexpr std::int64_t kRounds = 4000;
    for (int i = 0; i < tries; ++i) {
        std::int64_t left = kRounds, value = 3;
        const double start = secondsNow();
        asm volatile(".p2align 5\n"
                     "1:\n\t"
                     "imulq %1, %1\n\timulq %1, %1\n\timulq %1, %1\n\timulq %1, %1\n\t"
                     "imulq %1, %1\n\timulq %1, %1\n\timulq %1, %1\n\timulq %1, %1\n\t"
                     "imulq %1, %1\n\timulq %1, %1\n\timulq %1, %1\n\timulq %1, %1\n\t"
                     "imulq %1, %1\n\timulq %1, %1\n\timulq %1, %1\n\timulq %1, %1\n\t"
                     "decq %0\n\tjnz 1b"
                     : "+r"(left), "+r"(value)
                     :
                     : "cc");
        best = std::max(best, 3.0 * 16 * double(kRounds) / (secondsNow() - start));
    }
#else
    (void)tries;
#endif
    return best;
}

std::string remarkOf(const Timing& timing, double shareOfPeak, const char* peak)
{
    std::string remark;
    char text[120];
    const auto add = [&] { remark += (remark.empty() ? "" : "; ") + std::string(text); };
    if (shareOfPeak > kBeyondPeak) {
        std::snprintf(text, sizeof text, "doubtful: %.0f %% of the %s measured before",
                      shareOfPeak * 100, peak);
        add();
    }
    if (timing.lost > kLostShare) {
        std::snprintf(text, sizeof text, "disturbed: %.0f %% of the time went to other programs",
                      timing.lost * 100);
        add();
    }
    if (timing.spread > kLargeSpread) {
        std::snprintf(text, sizeof text, "unsteady: spread %.0f %%", timing.spread * 100);
        add();
    }
    return remark;
}

void addRemark(std::map<std::string, Json>& row, const Timing& timing, double shareOfPeak)
{
    const std::string remark = remarkOf(timing, shareOfPeak);
    if (remark.empty())
        return;
    Json& note = row["note"];
    note = note.is_string() ? note.get<std::string>() + "; " + remark : remark;
}

std::int64_t involuntarySwitches()
{
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    return usage.ru_nivcsw;
}

DisturbanceWatch::DisturbanceWatch(bool together)
    : before_(report::LoadCounters::read()),
      ownS_(report::processSeconds()),
      switches_(involuntarySwitches()),
      clock_(measureClock(20)),
      together_(together),
      handover_(together ? measureHandover() : 0)
{
}

double DisturbanceWatch::ownSeconds() const
{
    return report::processSeconds() - ownS_;
}

void DisturbanceWatch::finish(double ownS, int threads, Report& report) const
{
    const report::LoadCounters after = report::LoadCounters::read();
    const auto load = report::hostLoad(before_, after, ownS);
    if (!load)
        return;
    const Json json = loadJson(*load, involuntarySwitches() - switches_, {clock_, measureClock(20)},
                               {handover_, together_ ? measureHandover() : 0}, threads);
    report.setLoad(json, loadSentence(json));
}

Json loadJson(const report::HostLoad& load, std::int64_t switches, BeforeAfter clock,
              BeforeAfter handover, int threads)
{
    // Others may have what this benchmark has no use for; a twentieth is the system's own, and the
    // system counts in hundredths of a second for each processor.
    const bool crowded = load.others > load.processors - threads + 0.05 * load.processors &&
                         load.others * load.seconds > 0.02 * load.processors;
    const bool stolen = load.stolen > 0.02 * load.processors;
    const bool swapped = load.swappedBytes > 0;
    const bool unsteadyClock = changed(clock, 1.1), moved = changed(handover, 2);
    Json json = {{"seconds", load.seconds},
                 {"processors", load.processors},
                 {"own_processors", load.own},
                 {"other_processors", load.others},
                 {"stolen_processors", load.stolen},
                 {"swapped_bytes", load.swappedBytes},
                 {"involuntary_switches", switches},
                 {"clock_ghz", {clock.before / 1e9, clock.after / 1e9}},
                 {"disturbed", crowded || stolen || swapped || unsteadyClock || moved}};
    if (handover.before > 0 && handover.after > 0)
        json["handover_ns"] = {handover.before, handover.after};
    return json;
}

std::string loadSentence(const Json& load)
{
    char text[400];
    std::snprintf(
        text, sizeof text,
        "While measuring (%.1f s): other programs took %.2f of %d processors, a hypervisor "
        "%.2f; %lld involuntary switches; clock %.2f GHz before, %.2f after",
        load["seconds"].get<double>(), load["other_processors"].get<double>(),
        load["processors"].get<int>(), load["stolen_processors"].get<double>(),
        static_cast<long long>(load["involuntary_switches"].get<std::int64_t>()),
        load["clock_ghz"][0].get<double>(), load["clock_ghz"][1].get<double>());
    std::string sentence = text;
    if (load.contains("handover_ns")) {
        std::snprintf(text, sizeof text,
                      "; a line of memory from one processor to another and back %.0f ns before, "
                      "%.0f after",
                      load["handover_ns"][0].get<double>(), load["handover_ns"][1].get<double>());
        sentence += text;
    }
    return sentence + (load["disturbed"].get<bool>() ? ". These figures were disturbed." : "");
}

} // namespace scalebench::bench
