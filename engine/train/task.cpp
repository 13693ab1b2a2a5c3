// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/task.h"

#include "engine/train/image_task.h"
#include "engine/train/translation_task.h"
#include "kernels/check.h"

namespace scalebench::train {

std::unique_ptr<Task> makeTask(const RunConfig& config)
{
    if (config.workload == "resnet")
        return std::make_unique<ImageTask>(config);
    if (config.workload == "transformer")
        return std::make_unique<TranslationTask>(config);
    throw Unsupported("workload \"" + config.workload + "\" is not in this engine");
}

} // namespace scalebench::train
