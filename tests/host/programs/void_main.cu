// SPDX-License-Identifier: GPL-3.0-or-later
// exit: 0
// prints: 42 hello 3
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct {
    char name[16];
    int value;
} item;

int compare(const void* a, const void* b) {
    return ((const item*)a)->value - ((const item*)b)->value;
}

void main() {
    item* items = (item*)malloc(2 * sizeof(item));
    srand((unsigned)time(NULL));
    strcpy(items[0].name, "world");
    items[0].value = 43;
    strcpy(items[1].name, "hello");
    items[1].value = 42;
    items = (item*)realloc(items, 3 * sizeof(item));
    memset(&items[2], 0, sizeof(item));
    items[2].value = 100;
    qsort(items, 3, sizeof(item), compare);
    clock_t begin = clock();
    int n = 0;
    while (n < 3) ++n;
    double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    if (seconds >= 0) printf("%d %s %d\n", items[0].value, items[0].name, n);
    free(items);
}
