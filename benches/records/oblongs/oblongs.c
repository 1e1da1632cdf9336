/* Tilings of the n x n square by oblongs of different dimensions: A360498, and with a second word A360725, where h x w and w x h differ.
   Rows are filled from the top; the first free cell takes the upper left corner of an oblong that was not used.
   cc -O3 -march=native oblongs.c; ./a.out N [directed] [PART PARTS] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int n, directed; static unsigned long long count, part, parts = 1, seen;
static unsigned rows[16]; static unsigned char used[16][16];
static void fill(int row, int depth) {
    unsigned full = (1u << n) - 1;
    while (row < n && rows[row] == full) row++;
    if (row == n) { count++; return; }
    if (depth == 3 && seen++ % parts != part) return;
    int column = __builtin_ctz(~rows[row]);
    int room = 0; while (column + room < n && !(rows[row] >> (column + room) & 1)) room++;
    for (int width = 1; width <= room; width++) {
        unsigned mask = ((1u << width) - 1) << column;
        int height = 0;
        /* Below a free cell of the first row that is not full all is free, but for what hangs down from above. */
        for (int r = row; r < n && !(rows[r] & mask); r++) {
            rows[r] |= mask; height++;
            if (height != width) {
                int a = height, b = width;
                if (!directed && a > b) { a = width; b = height; }
                if (!used[a][b]) { used[a][b] = 1; fill(row, depth + 1); used[a][b] = 0; }
            }
        }
        for (int r = row; r < row + height; r++) rows[r] &= ~mask;
    }
}
int main(int argc, char **argv) {
    n = atoi(argv[1]); directed = argc > 2 && !strcmp(argv[2], "directed");
    if (argc > 4) { part = atoi(argv[3]); parts = atoi(argv[4]); }
    fill(0, 0);
    printf("%llu\n", count);
}
