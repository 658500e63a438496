// SPDX-License-Identifier: GPL-3.0-or-later
// Algorithms, threads and text of the standard library beside a kernel.
// prints: dot 338350, sorted yes, largest 99
// prints: two threads 3
// prints: 2 of 12.5;7
#include <algorithm>
#include <iostream>
#include <numeric>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

__global__ void multiply(const float* a, const float* b, float* c, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) c[i] = a[i] * b[i];
}

int main() {
    const int n = 101;
    std::vector<float> a(n), b, c(n);
    int next = 0;
    std::generate(std::begin(a), std::end(a), [&next] { return float(next++); });
    std::copy(a.begin(), a.end(), std::back_inserter(b));
    float *da, *db, *dc;
    for (float** p : {&da, &db, &dc}) cudaMalloc(p, n * sizeof(float));
    cudaMemcpy(da, a.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(db, b.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    multiply<<<2, 32>>>(da, db, dc, n);
    cudaMemcpy(c.data(), dc, n * sizeof(float), cudaMemcpyDeviceToHost);
    std::vector<int> shuffled(100);
    std::iota(shuffled.begin(), shuffled.end(), 0);
    std::reverse(shuffled.begin(), shuffled.end());
    std::rotate(shuffled.begin(), shuffled.begin() + 30, shuffled.end());
    const int largest = *std::max_element(shuffled.begin(), shuffled.end());
    std::sort(shuffled.begin(), shuffled.end());
    std::cout << "dot " << (long)std::accumulate(c.begin(), c.end(), 0.0) << ", sorted "
              << (std::is_sorted(shuffled.begin(), shuffled.end()) ? "yes" : "no") << ", largest " << largest << std::endl;
    int sum = 0;
    std::thread one([&] { sum += 1; }), two([&sum](int v) { sum += v; }, 2);
    one.join();
    two.join();
    std::cout << "two threads " << sum << std::endl;
    std::istringstream fields("12.5;7");
    std::string field;
    int count = 0;
    while (std::getline(fields, field, ';')) ++count;
    std::cout << count << " of " << fields.str() << std::endl;
    for (float* p : {da, db, dc}) cudaFree(p);
}
