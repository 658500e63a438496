// SPDX-License-Identifier: GPL-3.0-or-later
// The C++ of courses: containers, streams, formats, a clock, random numbers.
// prints: n=1024 ok=true
// prints: [  3.14|42    |0x2a|1.50e+00]
// prints: 1804289383 846930886
// prints: time passes
// prints: 3 words: one two three
// prints: sorted 9 .. 0
#include <algorithm>
#include <chrono>
#include <iomanip>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

__global__ void twice(const float* in, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 2 * in[i];
}

int main() {
    constexpr int n = 1024;
    constexpr size_t bytes = n * sizeof(float);
    std::vector<float> a(n), b(n);
    for (int i = 0; i < n; ++i) a[i] = i;
    const auto begin = std::chrono::high_resolution_clock::now();
    float *da, *db;
    cudaMalloc(&da, bytes);
    cudaMalloc(&db, bytes);
    cudaMemcpy(da, a.data(), bytes, cudaMemcpyHostToDevice);
    twice<<<n / 256, 256>>>(da, db, n);
    cudaMemcpy(b.data(), db, bytes, cudaMemcpyDeviceToHost);
    const std::chrono::duration<double, std::milli> passed = std::chrono::high_resolution_clock::now() - begin;
    bool ok = true;
    for (int i = 0; i < n; ++i) ok = ok && b[i] == 2 * a[i];
    std::cout << "n=" << n << " ok=" << std::boolalpha << ok << std::endl;
    std::cout << "[" << std::fixed << std::setprecision(2) << std::setw(6) << 3.14159 << "|" << std::left << std::setw(6) << 42
              << "|" << std::showbase << std::hex << 42 << std::dec << "|" << std::scientific << 1.5 << "]\n";
    std::cout << rand() << " " << rand() << "\n";
    std::cout << (passed.count() > 0 ? "time passes" : "time stands still") << '\n';
    std::stringstream words("one two three");
    std::vector<std::string> list;
    for (std::string word; words >> word;) list.push_back(word);
    std::cout << list.size() << " words:";
    for (const auto& word : list) std::cout << " " << word;
    std::cout << "\n";
    std::vector<int> numbers(10);
    for (int i = 0; i < 10; ++i) numbers[i] = i * 7 % 10;
    std::sort(numbers.begin(), numbers.end(), std::greater<int>());
    std::cout << "sorted " << numbers.front() << " .. " << numbers.back() << std::endl;
    cudaFree(da);
    cudaFree(db);
    return 0;
}
