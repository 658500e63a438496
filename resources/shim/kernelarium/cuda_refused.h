// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the CUDA runtime has and cannot be run here (arrays and textures, graphics, other processes, memory pools,
// graphs that are built node by node): a program that calls one ends as unsupported, with the name. The names are those
// of CUDA 13's cuda_runtime_api.h without what is declared elsewhere, and some of before.
#pragma once
#include "kernelarium/unsupported.h"

#define KL_NOT_HERE(name)                                                                                              \
    template <class... A> inline cudaError_t name(A&&...) {                                                            \
        kl::unsupported(#name);                                                                                        \
    }

KL_NOT_HERE(cudaArrayGetInfo)
KL_NOT_HERE(cudaArrayGetMemoryRequirements)
KL_NOT_HERE(cudaArrayGetPlane) KL_NOT_HERE(cudaArrayGetSparseProperties) KL_NOT_HERE(cudaBindSurfaceToArray) KL_NOT_HERE(
    cudaBindTexture) KL_NOT_HERE(cudaBindTexture2D) KL_NOT_HERE(cudaBindTextureToArray) KL_NOT_HERE(cudaConfigureCall)
    KL_NOT_HERE(cudaCreateChannelDesc) KL_NOT_HERE(cudaCreateSurfaceObject) KL_NOT_HERE(cudaCreateTextureObject) KL_NOT_HERE(
        cudaDestroyExternalMemory) KL_NOT_HERE(cudaDestroyExternalSemaphore) KL_NOT_HERE(cudaDestroySurfaceObject) KL_NOT_HERE(cudaDestroyTextureObject)
        KL_NOT_HERE(cudaDeviceFlushGPUDirectRDMAWrites) KL_NOT_HERE(cudaDeviceGetByPCIBusId) KL_NOT_HERE(cudaDeviceGetDefaultMemPool) KL_NOT_HERE(
            cudaDeviceGetGraphMemAttribute) KL_NOT_HERE(cudaDeviceGetHostAtomicCapabilities) KL_NOT_HERE(cudaDeviceGetMemPool)
            KL_NOT_HERE(cudaDeviceGetNvSciSyncAttributes) KL_NOT_HERE(cudaDeviceGetP2PAtomicCapabilities) KL_NOT_HERE(
                cudaDeviceGetP2PAttribute) KL_NOT_HERE(cudaDeviceGetTexture1DLinearMaxWidth) KL_NOT_HERE(cudaDeviceGraphMemTrim) KL_NOT_HERE(cudaDeviceRegisterAsyncNotification) KL_NOT_HERE(cudaDeviceSetGraphMemAttribute) KL_NOT_HERE(cudaDeviceSetMemPool) KL_NOT_HERE(cudaDeviceUnregisterAsyncNotification) KL_NOT_HERE(cudaExternalMemoryGetMappedBuffer) KL_NOT_HERE(cudaExternalMemoryGetMappedMipmappedArray) KL_NOT_HERE(cudaFreeArray) KL_NOT_HERE(cudaFreeMipmappedArray) KL_NOT_HERE(cudaFuncGetName) KL_NOT_HERE(cudaFuncGetParamInfo) KL_NOT_HERE(cudaGLMapBufferObject) KL_NOT_HERE(cudaGLRegisterBufferObject) KL_NOT_HERE(cudaGLSetGLDevice) KL_NOT_HERE(cudaGLUnmapBufferObject) KL_NOT_HERE(cudaGLUnregisterBufferObject) KL_NOT_HERE(cudaGetChannelDesc) KL_NOT_HERE(cudaGetExportTable) KL_NOT_HERE(cudaGetFuncBySymbol) KL_NOT_HERE(cudaGetKernel) KL_NOT_HERE(cudaGetMipmappedArrayLevel) KL_NOT_HERE(cudaGetSurfaceObjectResourceDesc) KL_NOT_HERE(cudaGetTextureObjectResourceDesc) KL_NOT_HERE(cudaGetTextureObjectResourceViewDesc) KL_NOT_HERE(cudaGetTextureObjectTextureDesc) KL_NOT_HERE(cudaGetTextureReference) KL_NOT_HERE(cudaGraphAddChildGraphNode) KL_NOT_HERE(cudaGraphAddDependencies) KL_NOT_HERE(cudaGraphAddEmptyNode) KL_NOT_HERE(cudaGraphAddEventRecordNode) KL_NOT_HERE(cudaGraphAddEventWaitNode) KL_NOT_HERE(cudaGraphAddExternalSemaphoresSignalNode) KL_NOT_HERE(cudaGraphAddExternalSemaphoresWaitNode) KL_NOT_HERE(cudaGraphAddHostNode) KL_NOT_HERE(cudaGraphAddKernelNode) KL_NOT_HERE(cudaGraphAddMemAllocNode) KL_NOT_HERE(cudaGraphAddMemFreeNode) KL_NOT_HERE(cudaGraphAddMemcpyNode) KL_NOT_HERE(cudaGraphAddMemcpyNode1D)
                KL_NOT_HERE(cudaGraphAddMemcpyNodeFromSymbol) KL_NOT_HERE(cudaGraphAddMemcpyNodeToSymbol) KL_NOT_HERE(cudaGraphAddMemsetNode) KL_NOT_HERE(cudaGraphAddNode) KL_NOT_HERE(cudaGraphChildGraphNodeGetGraph) KL_NOT_HERE(cudaGraphClone) KL_NOT_HERE(
                    cudaGraphConditionalHandleCreate) KL_NOT_HERE(cudaGraphCreate) KL_NOT_HERE(cudaGraphDebugDotPrint) KL_NOT_HERE(cudaGraphDestroyNode) KL_NOT_HERE(cudaGraphEventRecordNodeGetEvent) KL_NOT_HERE(cudaGraphEventRecordNodeSetEvent) KL_NOT_HERE(cudaGraphEventWaitNodeGetEvent) KL_NOT_HERE(cudaGraphEventWaitNodeSetEvent) KL_NOT_HERE(cudaGraphExecChildGraphNodeSetParams) KL_NOT_HERE(cudaGraphExecEventRecordNodeSetEvent) KL_NOT_HERE(cudaGraphExecEventWaitNodeSetEvent) KL_NOT_HERE(cudaGraphExecExternalSemaphoresSignalNodeSetParams) KL_NOT_HERE(cudaGraphExecExternalSemaphoresWaitNodeSetParams) KL_NOT_HERE(cudaGraphExecGetFlags) KL_NOT_HERE(cudaGraphExecHostNodeSetParams) KL_NOT_HERE(cudaGraphExecKernelNodeSetParams) KL_NOT_HERE(cudaGraphExecMemcpyNodeSetParams) KL_NOT_HERE(cudaGraphExecMemcpyNodeSetParams1D) KL_NOT_HERE(cudaGraphExecMemcpyNodeSetParamsFromSymbol) KL_NOT_HERE(cudaGraphExecMemcpyNodeSetParamsToSymbol) KL_NOT_HERE(cudaGraphExecMemsetNodeSetParams) KL_NOT_HERE(cudaGraphExecNodeSetParams) KL_NOT_HERE(cudaGraphExecUpdate) KL_NOT_HERE(cudaGraphExternalSemaphoresSignalNodeGetParams) KL_NOT_HERE(cudaGraphExternalSemaphoresSignalNodeSetParams) KL_NOT_HERE(cudaGraphExternalSemaphoresWaitNodeGetParams) KL_NOT_HERE(cudaGraphExternalSemaphoresWaitNodeSetParams)
                    KL_NOT_HERE(cudaGraphGetEdges) KL_NOT_HERE(cudaGraphGetRootNodes) KL_NOT_HERE(cudaGraphHostNodeGetParams) KL_NOT_HERE(cudaGraphHostNodeSetParams) KL_NOT_HERE(cudaGraphInstantiateWithParams) KL_NOT_HERE(cudaGraphKernelNodeCopyAttributes) KL_NOT_HERE(cudaGraphKernelNodeGetAttribute) KL_NOT_HERE(cudaGraphKernelNodeGetParams) KL_NOT_HERE(cudaGraphKernelNodeSetAttribute) KL_NOT_HERE(cudaGraphKernelNodeSetParams) KL_NOT_HERE(cudaGraphMemAllocNodeGetParams) KL_NOT_HERE(cudaGraphMemFreeNodeGetParams) KL_NOT_HERE(cudaGraphMemcpyNodeGetParams) KL_NOT_HERE(
                        cudaGraphMemcpyNodeSetParams) KL_NOT_HERE(cudaGraphMemcpyNodeSetParams1D) KL_NOT_HERE(cudaGraphMemcpyNodeSetParamsFromSymbol) KL_NOT_HERE(cudaGraphMemcpyNodeSetParamsToSymbol) KL_NOT_HERE(cudaGraphMemsetNodeGetParams) KL_NOT_HERE(cudaGraphMemsetNodeSetParams) KL_NOT_HERE(cudaGraphNodeFindInClone) KL_NOT_HERE(cudaGraphNodeGetDependencies) KL_NOT_HERE(cudaGraphNodeGetDependentNodes)
                        KL_NOT_HERE(cudaGraphNodeGetEnabled) KL_NOT_HERE(cudaGraphNodeGetType) KL_NOT_HERE(
                            cudaGraphNodeSetEnabled) KL_NOT_HERE(cudaGraphNodeSetParams) KL_NOT_HERE(cudaGraphReleaseUserObject) KL_NOT_HERE(cudaGraphRemoveDependencies) KL_NOT_HERE(cudaGraphRetainUserObject)
                            KL_NOT_HERE(cudaGraphicsGLRegisterBuffer) KL_NOT_HERE(cudaGraphicsGLRegisterImage) KL_NOT_HERE(cudaGraphicsMapResources) KL_NOT_HERE(cudaGraphicsResourceGetMappedMipmappedArray) KL_NOT_HERE(cudaGraphicsResourceGetMappedPointer) KL_NOT_HERE(cudaGraphicsResourceSetMapFlags) KL_NOT_HERE(cudaGraphicsSubResourceGetMappedArray) KL_NOT_HERE(cudaGraphicsUnmapResources) KL_NOT_HERE(cudaGraphicsUnregisterResource) KL_NOT_HERE(cudaImportExternalMemory) KL_NOT_HERE(cudaImportExternalSemaphore) KL_NOT_HERE(
                                cudaIpcCloseMemHandle) KL_NOT_HERE(cudaIpcGetEventHandle) KL_NOT_HERE(cudaIpcGetMemHandle) KL_NOT_HERE(cudaIpcOpenEventHandle)
                                KL_NOT_HERE(cudaIpcOpenMemHandle) KL_NOT_HERE(cudaKernelSetAttributeForDevice) KL_NOT_HERE(
                                    cudaLaunch) KL_NOT_HERE(cudaLaunchCooperativeKernelMultiDevice)
                                    KL_NOT_HERE(cudaLibraryEnumerateKernels) KL_NOT_HERE(cudaLibraryGetGlobal) KL_NOT_HERE(cudaLibraryGetKernel) KL_NOT_HERE(
                                        cudaLibraryGetKernelCount) KL_NOT_HERE(cudaLibraryGetManaged) KL_NOT_HERE(cudaLibraryGetUnifiedFunction)
                                        KL_NOT_HERE(cudaLibraryLoadData) KL_NOT_HERE(cudaLibraryLoadFromFile) KL_NOT_HERE(cudaLibraryUnload) KL_NOT_HERE(
                                            cudaLogsCurrent) KL_NOT_HERE(cudaLogsDumpToFile) KL_NOT_HERE(cudaLogsDumpToMemory)
                                            KL_NOT_HERE(cudaLogsRegisterCallback) KL_NOT_HERE(cudaLogsUnregisterCallback) KL_NOT_HERE(
                                                cudaMalloc3DArray) KL_NOT_HERE(cudaMallocArray) KL_NOT_HERE(cudaMallocFromPoolAsync)
                                                KL_NOT_HERE(cudaMallocMipmappedArray) KL_NOT_HERE(cudaMemDiscardAndPrefetchBatchAsync) KL_NOT_HERE(
                                                    cudaMemDiscardBatchAsync) KL_NOT_HERE(cudaMemGetDefaultMemPool) KL_NOT_HERE(cudaMemGetMemPool)
                                                    KL_NOT_HERE(cudaMemPoolCreate) KL_NOT_HERE(cudaMemPoolDestroy) KL_NOT_HERE(
                                                        cudaMemPoolExportPointer) KL_NOT_HERE(cudaMemPoolExportToShareableHandle)
                                                        KL_NOT_HERE(cudaMemPoolGetAccess) KL_NOT_HERE(cudaMemPoolGetAttribute) KL_NOT_HERE(
                                                            cudaMemPoolImportFromShareableHandle) KL_NOT_HERE(cudaMemPoolImportPointer)
                                                            KL_NOT_HERE(cudaMemPoolSetAccess) KL_NOT_HERE(cudaMemPoolSetAttribute) KL_NOT_HERE(
                                                                cudaMemPoolTrimTo) KL_NOT_HERE(cudaMemPrefetchBatchAsync)
                                                                KL_NOT_HERE(cudaMemRangeGetAttribute) KL_NOT_HERE(
                                                                    cudaMemRangeGetAttributes) KL_NOT_HERE(cudaMemSetMemPool)
                                                                    KL_NOT_HERE(cudaMemcpy2DArrayToArray) KL_NOT_HERE(
                                                                        cudaMemcpy2DFromArray) KL_NOT_HERE(cudaMemcpy2DFromArrayAsync)
                                                                        KL_NOT_HERE(cudaMemcpy2DToArray) KL_NOT_HERE(
                                                                            cudaMemcpy2DToArrayAsync) KL_NOT_HERE(cudaMemcpy3DBatchAsync)
                                                                            KL_NOT_HERE(cudaMemcpy3DPeer) KL_NOT_HERE(
                                                                                cudaMemcpy3DPeerAsync) KL_NOT_HERE(cudaMemcpyArrayToArray)
                                                                                KL_NOT_HERE(cudaMemcpyBatchAsync) KL_NOT_HERE(
                                                                                    cudaMemcpyFromArray) KL_NOT_HERE(cudaMemcpyFromArrayAsync)
                                                                                    KL_NOT_HERE(cudaMemcpyToArray) KL_NOT_HERE(
                                                                                        cudaMemcpyToArrayAsync) KL_NOT_HERE(cudaMipmappedArrayGetMemoryRequirements)
                                                                                        KL_NOT_HERE(cudaMipmappedArrayGetSparseProperties) KL_NOT_HERE(cudaOccupancyMaxPotentialClusterSize)
                                                                                            KL_NOT_HERE(cudaSetupArgument) KL_NOT_HERE(
                                                                                                cudaSignalExternalSemaphoresAsync)
                                                                                                KL_NOT_HERE(cudaStreamBeginCaptureToGraph) KL_NOT_HERE(
                                                                                                    cudaStreamCopyAttributes)
                                                                                                    KL_NOT_HERE(cudaStreamGetAttribute) KL_NOT_HERE(
                                                                                                        cudaStreamGetCaptureInfo)
                                                                                                        KL_NOT_HERE(cudaStreamGetDevice) KL_NOT_HERE(
                                                                                                            cudaStreamGetId)
                                                                                                            KL_NOT_HERE(
                                                                                                                cudaStreamUpdateCaptureDependencies)
                                                                                                                KL_NOT_HERE(
                                                                                                                    cudaUnbindTexture)
                                                                                                                    KL_NOT_HERE(
                                                                                                                        cudaUserObjectCreate)
                                                                                                                        KL_NOT_HERE(
                                                                                                                            cudaUserObjectRelease)
                                                                                                                            KL_NOT_HERE(
                                                                                                                                cudaUserObjectRetain)
                                                                                                                                KL_NOT_HERE(
                                                                                                                                    cudaWaitExternalSemaphoresAsync)
#undef KL_NOT_HERE
