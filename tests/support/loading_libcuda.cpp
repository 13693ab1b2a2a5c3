// SPDX-License-Identifier: GPL-3.0-or-later
// A libcuda.so.1 that takes every kernel it is given: cuDNN makes plans whose kernels it compiles
// itself only where there is a driver to load them into. It runs nothing.

#define SB_EMPTY(name)                                                                             \
    int name()                                                                                     \
    {                                                                                              \
        return 0;                                                                                  \
    }

extern "C" {

SB_EMPTY(cuInit)
SB_EMPTY(cuCtxGetCurrent)
SB_EMPTY(cuCtxGetDevice)
SB_EMPTY(cuCtxGetLimit)
SB_EMPTY(cuCtxPopCurrent)
SB_EMPTY(cuCtxPushCurrent)
SB_EMPTY(cuDeviceGet)
SB_EMPTY(cuDeviceGetAttribute)
SB_EMPTY(cuDevicePrimaryCtxRelease)
SB_EMPTY(cuDevicePrimaryCtxReset)
SB_EMPTY(cuDevicePrimaryCtxRetain)
SB_EMPTY(cuFuncGetAttribute)
SB_EMPTY(cuFuncSetAttribute)
SB_EMPTY(cuGetErrorName)
SB_EMPTY(cuGetErrorString)
SB_EMPTY(cuKernelGetAttribute)
SB_EMPTY(cuKernelSetAttribute)
SB_EMPTY(cuLaunchCooperativeKernel)
SB_EMPTY(cuLaunchKernel)
SB_EMPTY(cuLaunchKernelEx)
SB_EMPTY(cuLibraryLoadFromFile)
SB_EMPTY(cuLibraryUnload)
SB_EMPTY(cuLinkAddData)
SB_EMPTY(cuLinkAddData_v2)
SB_EMPTY(cuLinkAddFile_v2)
SB_EMPTY(cuLinkComplete)
SB_EMPTY(cuLinkCreate)
SB_EMPTY(cuLinkCreate_v2)
SB_EMPTY(cuLinkDestroy)
SB_EMPTY(cuMemcpyDtoH_v2)
SB_EMPTY(cuModuleGetGlobal_v2)
SB_EMPTY(cuModuleLoadData)
SB_EMPTY(cuModuleLoadDataEx)
SB_EMPTY(cuModuleLoadFatBinary)
SB_EMPTY(cuModuleUnload)
SB_EMPTY(cuOccupancyMaxActiveBlocksPerMultiprocessor)
SB_EMPTY(cuOccupancyMaxPotentialClusterSize)
SB_EMPTY(cuStreamGetCtx)
SB_EMPTY(cuStreamSynchronize)
SB_EMPTY(cuTensorMapEncodeTiled)

/// The runtime gives up without it, before it asks for more; cuDNN's own calls go on.
int cuGetExportTable()
{
    return 500;
}
int cuDriverGetVersion(int* version)
{
    *version = 13000;
    return 0;
}
int cuDeviceGetCount(int* count)
{
    *count = 1;
    return 0;
}
int cuLibraryLoadData(void** library)
{
    *library = library;
    return 0;
}
int cuLibraryGetKernel(void** kernel)
{
    *kernel = kernel;
    return 0;
}
int cuModuleGetFunction(void** function)
{
    *function = function;
    return 0;
}

} // extern "C"
