// SPDX-License-Identifier: GPL-3.0-or-later
// What mpirun, the ranks and the engine's commands print.
#include "parsers.h"
#include "promises.h"

#include "run/drawn_pictures.h"
#include "run/run_record.h"
#include "supervise/run_end.h"
#include "supervise/slurm_state.h"

namespace scalebench::fuzz {

using namespace Qt::Literals::StringLiterals;

namespace {

/// First line: how mpirun ended, its exit code, "signal" or "slurm"; what was said follows.
void ending(const QByteArray& input)
{
    const Kinded given(input);
    const QString said = QString::fromUtf8(given.rest);
    RunEnd end;
    end.exited = given.kind != "signal";
    end.signal = end.exited ? 0 : 15;
    end.exitCode = given.kind.toInt();
    end.launcherText = end.rankTexts[1] = said;
    if (given.kind == "slurm") {
        end.slurm = SlurmEnding();
        end.slurm->launcherText = said;
        end.slurm->jobExit = said.section(u'\n', 0, 0);
        end.slurm->end = readJobEnd({true, false, 0, said, {}});
    }
    RunRecord trained;
    trained.steps << StepPoint();
    for (const RunRecord& record : {RunRecord(), trained}) {
        const RunVerdict verdict = judgeRunEnd(end, record);
        holds(verdict.state == RunState::Failed, "failed, for there is no closing record");
        holds(!verdict.failure.code.isEmpty() && !verdict.failure.message.isEmpty(), "and why");
    }
}

void drawnPictures(const QByteArray& input)
{
    for (const DrawnPicture& picture : parseDrawnPictures(input)) {
        holds(picture.file.isEmpty() || isHarmlessName(picture.file), "a file of ours");
        holds(!hasControl(picture.text) && !picture.text.contains(u'\n'), "a clean line");
    }
}

} // namespace

const QList<NamedParser>& engineParsers()
{
    static const QList<NamedParser> kAll{{"ending", ending}, {"drawn_pictures", drawnPictures}};
    return kAll;
}

} // namespace scalebench::fuzz
