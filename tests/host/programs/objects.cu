// SPDX-License-Identifier: GPL-3.0-or-later
// Objects with constructors outside of functions, made before main and destroyed after it.
// prints: making device buffer
// prints: primes 2 3 5 7
// prints: main ends
// prints: freeing device buffer
#include <cstdio>
#include <map>
#include <string>
#include <vector>

class Buffer {
public:
    explicit Buffer(size_t bytes) {
        printf("making device buffer\n");
        cudaMalloc(&m_p, bytes);
    }
    ~Buffer() {
        printf("freeing device buffer\n");
        cudaFree(m_p);
    }
    int* get() const { return static_cast<int*>(m_p); }

private:
    void* m_p = nullptr;
};
Buffer buffer(4 * sizeof(int));
static const std::vector<int> primes = {2, 3, 5, 7};
std::map<std::string, int> counts;
int calls = 0;

__global__ void copy(const int* from, int* to) {
    to[threadIdx.x] = from[threadIdx.x];
}

int main() {
    static std::string prefix = "primes";
    int back[4], *from;
    cudaMalloc(&from, sizeof back);
    cudaMemcpy(from, primes.data(), sizeof back, cudaMemcpyHostToDevice);
    copy<<<1, 4>>>(from, buffer.get());
    cudaMemcpy(back, buffer.get(), sizeof back, cudaMemcpyDeviceToHost);
    ++counts["calls"];
    printf("%s %d %d %d %d\n", prefix.c_str(), back[0], back[1], back[2], back[3]);
    cudaFree(from);
    printf("main ends\n");
    return counts["calls"] - ++calls;
}
