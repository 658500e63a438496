// SPDX-License-Identifier: GPL-3.0-or-later
// Command line, environment and numbers from text.
// arguments: -n 33 --name=ada 2.5e1 0x1f
// exit: 7
// prints: ./program with 5 arguments
// prints: n 33, name ada, x 25.00, hex 31, rest 12abc -> 12
// prints: no home
// prints: end of arguments
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

int main(int argc, char** argv) {
    printf("%s with %d arguments\n", argv[0], argc - 1);
    int n = 0;
    std::string name;
    for (int i = 1; i < argc; ++i) {
        if (strcmp(argv[i], "-n") == 0 && i + 1 < argc) n = atoi(argv[++i]);
        if (strncmp(argv[i], "--name=", 7) == 0) name = argv[i] + 7;
    }
    char* end = nullptr;
    const long rest = strtol("12abc", &end, 10);
    printf("n %d, name %s, x %.2f, hex %ld, rest 12%s -> %ld\n", n, name.c_str(), atof(argv[4]), strtol(argv[5], nullptr, 0),
           end, rest);
    printf("%s\n", getenv("HOME") ? "a home" : "no home");
    printf(argv[argc] == nullptr ? "end of arguments\n" : "more\n");
    return 7;
}
