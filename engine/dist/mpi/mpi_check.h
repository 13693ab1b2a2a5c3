// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Errors of MPI calls as exceptions. Private to engine/dist/mpi.

namespace scalebench::dist {

/// Throws CommError with MPI's text when `status` is not MPI_SUCCESS.
void checkMpi(int status, const char* expression, const char* file, int line);
#define SB_CHECK_MPI(call) ::scalebench::dist::checkMpi((call), #call, __FILE__, __LINE__)

} // namespace scalebench::dist
