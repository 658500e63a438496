// SPDX-License-Identifier: GPL-3.0-or-later
// Managed memory, __managed__ apart: both sides use it, also a linked list in it.
// prints: sum 499500
// prints: list 6
// prints: moved 1001
#include <cstdio>
#include <new>

__global__ void fill(int* p, int n) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) p[i] = i;
}

struct Managed {
    void* operator new(size_t bytes) {
        void* p;
        cudaMallocManaged(&p, bytes);
        cudaDeviceSynchronize();
        return p;
    }
    void operator delete(void* p) {
        cudaDeviceSynchronize();
        cudaFree(p);
    }
};
struct Node : Managed {
    int value;
    Node* next;
};

__global__ void walk(const Node* n, int* sum) {
    for (; n; n = n->next) *sum += n->value;
}

int main() {
    int* p = nullptr;
    if (cudaMallocManaged(&p, 1000 * sizeof(int)) != cudaSuccess) return 1;
    fill<<<1, 128>>>(p, 1000);
    cudaDeviceSynchronize();
    long sum = 0;
    for (int i = 0; i < 1000; ++i) sum += p[i];
    printf("sum %ld\n", sum);
    Node* list = nullptr;
    for (int i = 1; i <= 3; ++i) {
        Node* n = new Node;
        n->value = i;
        n->next = list;
        list = n;
    }
    p[0] = 0;
    walk<<<1, 1>>>(list, p);
    cudaDeviceSynchronize();
    printf("list %d\n", p[0]);
    while (list) {
        Node* next = list->next;
        delete list;
        list = next;
    }
    int one = 1001, back = 0;
    cudaMemcpy(p, &one, sizeof one, cudaMemcpyHostToDevice);
    cudaMemcpy(&back, p, sizeof back, cudaMemcpyDefault);
    printf("moved %d\n", back);
    return cudaFree(p) == cudaSuccess ? 0 : 1;
}
