/* Counts the sudoku grids that obey rules of the whole grid, by backtracking: the second program of docs/records.md, "Grids".

   cc -O2 -o grids grids.c
   ./grids 9 knights consecutive        9 x 9, no equal digits a knight's move apart, no consecutive digits side by side

   Sizes: 4 (boxes of 2 x 2), 6 (2 rows, 3 columns), 8 (2 rows, 4 columns), 9 (3 x 3). Rules: kings, knights, diagonals,
   consecutive. The cell with the fewest candidates is filled first. Without the rule `consecutive` digits are names only: the
   first row is filled in one way, and the grids are N! times as many. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned short Set;
typedef struct { Set left[81]; } Grid;

static int size, cells;
static int differ[81][64], differs[81]; /* cells with another digit */
static int beside[81][4], besides[81];  /* cells without a consecutive digit, if that is a rule */
static unsigned long long nodes;

static int fill(Grid *grid, int at, int digit) {
    grid->left[at] = 1 << digit;
    for (int i = 0; i < differs[at]; i++)
        if (!(grid->left[differ[at][i]] &= ~(1 << digit))) return 0;
    for (int i = 0; i < besides[at]; i++)
        if (!(grid->left[beside[at][i]] &= ~(1 << digit >> 1 | 1 << (digit + 1)))) return 0;
    return 1;
}

/* `filled` has a bit for each cell that was filled, so that its neighbours know of it. */
static uint64_t search(const Grid *grid, const unsigned char *filled) {
    int best = -1, fewest = 99;
    nodes++;
    for (int at = 0; at < cells; at++) {
        if (filled[at]) continue;
        int left = __builtin_popcount(grid->left[at]);
        if (left < fewest) fewest = left, best = at;
    }
    if (best < 0) return 1;
    uint64_t found = 0;
    unsigned char now[81];
    memcpy(now, filled, cells);
    now[best] = 1;
    for (Set left = grid->left[best]; left; left &= left - 1) {
        Grid next = *grid;
        if (fill(&next, best, __builtin_ctz(left))) found += search(&next, now);
    }
    return found;
}

static void relate(int a, int b) {
    if (a == b) return;
    for (int i = 0; i < differs[a]; i++)
        if (differ[a][i] == b) return;
    differ[a][differs[a]++] = b;
}

int main(int arguments, char **argument) {
    size = arguments > 1 ? atoi(argument[1]) : 0;
    if (size != 4 && size != 6 && size != 8 && size != 9) { fprintf(stderr, "usage: grids 4|6|8|9 RULE …\n"); return 2; }
    int box_rows = size == 9 ? 3 : 2, box_columns = size / box_rows;
    int kings = 0, knights = 0, diagonals = 0, consecutive = 0;
    for (int i = 2; i < arguments; i++) {
        int *rule = !strcmp(argument[i], "kings") ? &kings : !strcmp(argument[i], "knights") ? &knights
            : !strcmp(argument[i], "diagonals") ? &diagonals : !strcmp(argument[i], "consecutive") ? &consecutive : NULL;
        if (!rule) { fprintf(stderr, "unknown rule: %s\n", argument[i]); return 2; }
        *rule = 1;
    }
    cells = size * size;
    for (int a = 0; a < cells; a++)
        for (int b = 0; b < cells; b++) {
            int r = a / size, c = a % size, s = b / size, d = b % size, dr = abs(r - s), dc = abs(c - d);
            int together = r == s || c == d || (r / box_rows == s / box_rows && c / box_columns == d / box_columns)
                || (kings && dr <= 1 && dc <= 1) || (knights && dr * dc == 2)
                || (diagonals && ((r == c && s == d) || (r + c == size - 1 && s + d == size - 1)));
            if (together) relate(a, b);
            if (consecutive && dr + dc == 1) beside[a][besides[a]++] = b;
        }
    Grid empty = {0};
    unsigned char filled[81] = {0};
    for (int at = 0; at < cells; at++) empty.left[at] = (1 << size) - 1;
    uint64_t times = 1;
    int possible = 1;
    if (!consecutive)
        for (int at = 0; at < size; at++) {
            possible &= fill(&empty, at, at);
            filled[at] = 1;
            times *= at + 1;
        }
    uint64_t found = possible ? search(&empty, filled) : 0;
    printf("%llu x %llu = %.0f grids\n", (unsigned long long)found, (unsigned long long)times, (double)found * times);
    if ((unsigned __int128)found * times >> 64 == 0) printf("%llu\n", (unsigned long long)(found * times));
    fprintf(stderr, "%llu nodes\n", nodes);
    return 0;
}
