// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/batch_pictures.h"

namespace scalebench {

Batch withPictures(Backend& backend, const Batch& batch)
{
    Batch made = batch;
    made.tensors.at(0) = backend.uploadPictures(batch.tensors.at(0), *batch.pictures);
    made.pictures.reset();
    return made;
}

} // namespace scalebench
