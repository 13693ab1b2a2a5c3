// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Parts of the sentence that says how a run ended.

#include "machine/open_mpi.h"
#include "run/run_record.h"

#include <QString>

#include <optional>

namespace scalebench {

/// "9 (killed, for example by the system when memory is full)".
QString describeSignal(int signal);
/// launcher.txt without mpirun's frames and known noise; lines trimmed of blanks.
QString usefulLauncherText(const QString& text);
/// "at epoch 3.4; 3 complete epochs are kept".
QString whereItWas(const RunRecord& run);
/// Empty when the stream does not name it.
QString hostOfRank(const RunRecord& run, int rank);
/// What a GPU, its libraries or its arithmetic refused on a rank; empty: another code.
QString deviceErrorText(const RunRecord& run, const QString& code, int rank);
/// "was killed (signal 9, ...)".
QString describeEnding(const RankEnding& ending);
/// "Rank 1 on sb2 was killed (signal 9, ...) at epoch 3.4; 3 complete epochs are kept." Without the
/// host where it is empty, "One rank" where mpirun's words on which one are lost.
QString rankEndedText(const RankEnding& ending, const QString& host, const RunRecord& run);

struct LostRank {
    int rank;
    QString host;
};
/// The rank that the others missed, in their words; mpirun's own are lost now and then
/// ("Data unpack had inadequate space" in its help messages).
std::optional<LostRank> lostRankIn(const QString& text);

} // namespace scalebench
