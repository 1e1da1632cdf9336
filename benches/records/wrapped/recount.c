// Sets of queens that do not attack each other on a board with glued edges, by their size.
//
//     cc -O3 -march=native -o recount recount.c
//     ./recount torus|mobius|klein N
//
// Shares nothing with tallyboard. The board tiles the plane: where the right edge is glued to the left one with a twist, every other
// tile is upside down. Two squares attack each other if some images of them on the plane share a row, a column or a diagonal. All
// sets are searched, square by square, without symmetries; no square is known to be on a line.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 16, WORDS = MOST * MOST / 64 };
typedef struct { uint64_t word[WORDS]; } Set;

static int n, is_twisted, joins_rows;
static Set later_and_free[MOST * MOST];
static uint64_t found[MOST + 1];

static int attacks(int row, int column, int other, int far) {
    // Images further away are on lines that nearer ones are on, too.
    for (int tile = -3; tile <= 3; tile++) {
        int image = is_twisted && tile % 2 ? n - 1 - other : other;
        for (int up = joins_rows ? -4 : 0; up <= (joins_rows ? 4 : 0); up++) {
            int down = abs(image + up * n - row), across = abs(far + tile * n - column);
            if (!down || !across || down == across) return 1;
        }
    }
    return 0;
}

static void search(const Set *free, int queens) {
    found[queens]++;
    for (int w = 0; w < WORDS; w++) {
        for (uint64_t left = free->word[w]; left; left &= left - 1) {
            int square = 64 * w + __builtin_ctzll(left);
            Set next;
            for (int v = 0; v < WORDS; v++) next.word[v] = free->word[v] & later_and_free[square].word[v];
            search(&next, queens + 1);
        }
    }
}

int main(int count, char **words) {
    n = count == 3 ? atoi(words[2]) : 0;
    if (n < 1 || n > MOST) return fprintf(stderr, "recount torus|mobius|klein N, N from 1 to %d\n", MOST), 2;
    is_twisted = strcmp(words[1], "torus") != 0;
    joins_rows = strcmp(words[1], "mobius") != 0;
    Set all = {0};
    for (int a = 0; a < n * n; a++) {
        all.word[a / 64] |= 1ull << a % 64;
        for (int b = a + 1; b < n * n; b++) {
            if (!attacks(a / n, a % n, b / n, b % n)) later_and_free[a].word[b / 64] |= 1ull << b % 64;
        }
    }
    search(&all, 0);
    uint64_t sum = 0;
    for (int queens = 0; queens <= n; queens++) {
        if (found[queens]) printf("%s %d, %d queens: %llu\n", words[1], n, queens, (unsigned long long)found[queens]);
        sum += found[queens];
    }
    printf("%s %d, any number: %llu\n", words[1], n, (unsigned long long)sum);
}
