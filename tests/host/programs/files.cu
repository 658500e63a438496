// SPDX-License-Identifier: GPL-3.0-or-later
// No file, no input and no other process: each way of asking says so.
// exit: 3
// prints: fopen: No such file or directory
// prints: stream is closed
// prints: no line, -1 from scanf
// prints: system -1
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <string>

int main() {
    FILE* file = fopen("/etc/passwd", "r");
    if (!file) printf("fopen: %s\n", strerror(errno));
    std::ifstream in("/etc/passwd");
    if (!in.is_open() || !in) std::cout << "stream is closed" << std::endl;
    std::ofstream out("/tmp/kernelarium_test");
    out << "nothing" << 1 << std::endl;
    if (out) return 1;
    std::string line;
    int number = 0;
    if (!std::getline(std::cin, line)) printf("no line, %d from scanf\n", scanf("%d", &number));
    printf("system %d\n", system("touch /tmp/kernelarium_test"));
    std::exit(3);
}
