// SPDX-License-Identifier: GPL-3.0-or-later
// The parameters of fully connected layers, on every device.
#include "kernels/linear.h"

namespace scalebench {

std::string LinearParams::describe() const
{
    std::string text = std::string("linear x=") + dtypeName(dtype) + "[" + std::to_string(N) + "," +
                       std::to_string(in) + "] w=[" + std::to_string(out) + "," +
                       std::to_string(in) + "] y=" + dtypeName(outputType);
    if (activation != Activation::None)
        text += std::string(" ") + activationName(activation);
    return text;
}

} // namespace scalebench
