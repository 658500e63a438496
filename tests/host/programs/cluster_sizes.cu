// SPDX-License-Identifier: GPL-3.0-or-later
// Clusters of more than 8 blocks are for kernels that are allowed them; 16 are the most of an H100.
// exit: 0
// end: launch_refused
// prints: of the kernel: 912 cluster misconfiguration, 0 blocks
// prints: of the launch: 912 cluster misconfiguration, 0 blocks
// prints: 8 blocks: 0 no error, 8 blocks
// prints: allowed: 0 no error, 16 blocks
// prints: allowed in the launch: 0 no error, 16 blocks
// prints: 32 blocks: 912 cluster misconfiguration, 0 blocks
// prints: no longer allowed: 912 cluster misconfiguration, 0 blocks
#include <cstdio>
#include <cstring>

__global__ void __cluster_dims__(16, 1, 1) fixed(int* p) {
    if (threadIdx.x == 0) atomicAdd(p, 1);
}
__global__ void open(int* p) {
    if (threadIdx.x == 0) atomicAdd(p, 1);
}

int* counted;

void say(const char* what, cudaError_t status) {
    if (status == cudaSuccess) status = cudaGetLastError();
    cudaGetLastError();
    int count = 0;
    cudaMemcpy(&count, counted, sizeof(int), cudaMemcpyDeviceToHost);
    cudaMemset(counted, 0, sizeof(int));
    const char* text = strstr(cudaGetErrorString(status), "cluster misconfiguration");
    printf("%s: %d %s, %d blocks\n", what, int(status), text ? text : cudaGetErrorString(status), count);
}

cudaError_t launch(unsigned blocks) {
    cudaLaunchAttribute size;
    size.id = cudaLaunchAttributeClusterDimension;
    size.val.clusterDim = {blocks, 1, 1};
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(blocks);
    config.blockDim = dim3(32);
    config.attrs = &size;
    config.numAttrs = 1;
    return cudaLaunchKernelEx(&config, open, counted);
}

int main() {
    cudaMalloc(&counted, sizeof(int));
    cudaMemset(counted, 0, sizeof(int));
    fixed<<<16, 32>>>(counted);
    say("of the kernel", cudaSuccess);
    say("of the launch", launch(16));
    say("8 blocks", launch(8));
    cudaFuncSetAttribute(fixed, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
    fixed<<<16, 32>>>(counted);
    say("allowed", cudaSuccess);
    cudaFuncSetAttribute(open, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
    say("allowed in the launch", launch(16));
    say("32 blocks", launch(32));
    cudaFuncSetAttribute(fixed, cudaFuncAttributeNonPortableClusterSizeAllowed, 0);
    fixed<<<16, 32>>>(counted);
    say("no longer allowed", cudaSuccess);
}
