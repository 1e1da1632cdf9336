/* Counts tilings cell by cell, exactly, up to 256 bits: the second program of docs/records.md, "Tilings".

   It shares nothing with tallyboard: neither language, nor order of the cells, nor states, nor arithmetic. A state is the set
   of covered cells among the next 64 W ones; all states at a cell are in one table.

   cc -O2 -DW=1 -o recount recount.c      (vees: -DW=4, knights: -DW=2)
   ./recount squares 13                   dominoes and 2 x 2 squares on the Aztec diamond of order 13: A356512
   ./recount skews 13                     horizontal skew tetrominoes and squares: A356513
   ./recount straights 13                 these and horizontal straight tetrominoes: A356514
   ./recount vees 12                      V (2m+1)-ominoes in standard orientation on a square: A322495
   ./recount knights 10                   most pairs of cells a knight's move apart on a board of 10 x 10: A289202

   Cells are taken row by row, those of `vees` by diagonals in the order opposite to that of tilings.py. With a third argument,
   `diagonals`, the order is that of tilings.py, which has fewer states. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef W
#define W 1
#endif
typedef struct { uint64_t covered[W], count[4]; } State;
typedef struct { State *at; size_t size, used; } Table;
typedef struct { int x, y; } Cell;

static int n, is_aztec, by_diagonals, cells;
static Cell cell[1100];
static int place_of[64][64];
static Cell tile[64][64];
static int tiles, tile_cells[64];

static void add_tile(int count, const Cell *drawn) {
    memcpy(tile[tiles], drawn, count * sizeof *drawn);
    tile_cells[tiles++] = count;
}

static int on_board(int x, int y) {
    if (x < 0 || y < 0 || x >= (is_aztec ? 2 * n : n) || y >= (is_aztec ? 2 * n : n)) return 0;
    return !is_aztec || abs(2 * x + 1 - 2 * n) + abs(2 * y + 1 - 2 * n) <= 2 * n;
}

static int is_vees;
static int rank(Cell a) {
    int line = !by_diagonals ? (is_vees ? a.y - a.x : a.y) : is_vees ? a.x - a.y : a.x + a.y;
    return 1024 * line + a.x;
}
static int by_rank(const void *a, const void *b) { return rank(*(const Cell *)a) - rank(*(const Cell *)b); }

static int is_empty(const State *s) { return !(s->count[0] | s->count[1] | s->count[2] | s->count[3]); }

static void add(Table *table, const uint64_t *covered, const uint64_t *count);

static void grow(Table *table) {
    Table old = *table;
    table->size = old.size ? 2 * old.size : 1024;
    table->used = 0;
    table->at = calloc(table->size, sizeof(State));
    if (!table->at) { perror("memory"); exit(1); }
    for (size_t i = 0; i < old.size; i++)
        if (!is_empty(&old.at[i])) add(table, old.at[i].covered, old.at[i].count);
    free(old.at);
}

static void add(Table *table, const uint64_t *covered, const uint64_t *count) {
    if (10 * table->used >= 7 * table->size) grow(table);
    uint64_t hash = 0;
    for (int i = 0; i < W; i++) { hash = (hash ^ covered[i]) * 0x9e3779b97f4a7c15u; hash ^= hash >> 29; }
    size_t place = hash * 0xbf58476d1ce4e5b9u >> 20;
    for (;; place++) {
        State *s = &table->at[place & (table->size - 1)];
        int empty = is_empty(s);
        if (!empty && memcmp(s->covered, covered, sizeof s->covered)) continue;
        if (empty) { memcpy(s->covered, covered, sizeof s->covered); table->used++; }
        unsigned __int128 carry = 0;
        for (int i = 0; i < 4; i++) {
            carry += (unsigned __int128)s->count[i] + count[i];
            s->count[i] = (uint64_t)carry;
            carry >>= 64;
        }
        if (carry) { fprintf(stderr, "more than 256 bits\n"); exit(1); }
        return;
    }
}

static void shift(uint64_t *bits) {
    for (int i = 0; i < W; i++) bits[i] = bits[i] >> 1 | (i + 1 < W ? bits[i + 1] << 63 : 0);
}

static void print(uint64_t *value) {
    char digits[80];
    int length = 0;
    do {
        unsigned __int128 rest = 0;
        for (int i = 3; i >= 0; i--) {
            rest = rest << 64 | value[i];
            value[i] = (uint64_t)(rest / 10);
            rest %= 10;
        }
        digits[length++] = '0' + (int)rest;
    } while (value[0] | value[1] | value[2] | value[3]);
    while (length) putchar(digits[--length]);
}

int main(int arguments, char **argument) {
    if (arguments < 3) { fprintf(stderr, "usage: recount squares|skews|straights|vees|knights N [diagonals]\n"); return 2; }
    const char *kind = argument[1];
    n = atoi(argument[2]);
    if (n < 1 || n > 22) { fprintf(stderr, "N is 1 to 22\n"); return 2; }
    by_diagonals = arguments > 3;
    is_vees = !strcmp(kind, "vees");
    is_aztec = !is_vees && strcmp(kind, "knights");
    const Cell square[] = {{0, 0}, {1, 0}, {0, 1}, {1, 1}}, skew[] = {{0, 0}, {1, 0}, {1, 1}, {2, 1}};
    const Cell other_skew[] = {{1, 0}, {2, 0}, {0, 1}, {1, 1}}, straight[] = {{0, 0}, {1, 0}, {2, 0}, {3, 0}};
    const Cell upright[] = {{0, 0}, {0, 1}};
    if (!strcmp(kind, "squares")) {
        add_tile(4, square), add_tile(2, straight), add_tile(2, upright);
    } else if (!strcmp(kind, "skews") || !strcmp(kind, "straights")) {
        add_tile(4, square), add_tile(4, skew), add_tile(4, other_skew);
        if (kind[1] == 't') add_tile(4, straight);
    } else if (!strcmp(kind, "knights")) {
        const Cell moves[][2] = {{{0, 0}, {1, 2}}, {{0, 0}, {2, 1}}, {{1, 0}, {0, 2}}, {{2, 0}, {0, 1}}};
        for (int i = 0; i < 4; i++) add_tile(2, moves[i]);
    } else if (is_vees) {
        for (int arm = 0; arm < n; arm++) { /* the corner is the right lower cell, row 0 is the lowest */
            Cell vee[64];
            int length = 0;
            for (int i = 0; i <= arm; i++) vee[length++] = (Cell){i, 0};
            for (int i = 1; i <= arm; i++) vee[length++] = (Cell){arm, i};
            add_tile(length, vee);
        }
    } else {
        fprintf(stderr, "unknown tiles: %s\n", kind);
        return 2;
    }
    for (int y = 0; y < 2 * n; y++)
        for (int x = 0; x < 2 * n; x++)
            if (on_board(x, y)) {
                cell[cells++] = (Cell){x, y};
            }
    qsort(cell, cells, sizeof *cell, by_rank);
    for (int i = 0; i < cells; i++) place_of[cell[i].y][cell[i].x] = i;

    /* The placements whose first cell is each cell, as bits from that cell on. */
    static uint64_t placement[1100][64][W];
    static int placements[1100];
    for (int t = 0; t < tiles; t++)
        for (int y = 0; y < 2 * n; y++)
            for (int x = -n; x < 2 * n; x++) {
                int places[64], first = cells, fits = 1;
                for (int i = 0; i < tile_cells[t] && fits; i++) {
                    int cx = x + tile[t][i].x, cy = y + tile[t][i].y;
                    fits = on_board(cx, cy);
                    if (fits) places[i] = place_of[cy][cx];
                    if (fits && places[i] < first) first = places[i];
                }
                if (!fits) continue;
                uint64_t *bits = placement[first][placements[first]++];
                for (int i = 0; i < tile_cells[t]; i++) {
                    int bit = places[i] - first;
                    if (bit >= 64 * W) { fprintf(stderr, "compile with -DW=%d\n", bit / 64 + 1); return 2; }
                    bits[bit / 64] |= (uint64_t)1 << bit % 64;
                }
            }

    /* On a board of an odd number of cells one of the colour of the corners is left over: it goes with an extra cell, the last. */
    if (!is_aztec && !is_vees && n % 2) {
        if (cells >= 64 * W) { fprintf(stderr, "compile with -DW=%d\n", cells / 64 + 1); return 2; }
        for (int i = 0; i < cells; i++)
            if ((cell[i].x + cell[i].y) % 2 == 0) {
                uint64_t *bits = placement[i][placements[i]++];
                bits[0] = 1, bits[(cells - i) / 64] |= (uint64_t)1 << (cells - i) % 64;
            }
        cells++;
    }

    Table now = {0}, next = {0};
    uint64_t none[W] = {0}, one[4] = {1};
    add(&now, none, one);
    size_t most = 0, all = 0;
    for (int i = 0; i < cells; i++) {
        for (size_t s = 0; s < now.size; s++) {
            State *state = &now.at[s];
            if (is_empty(state)) continue;
            if (state->covered[0] & 1) {
                shift(state->covered);
                add(&next, state->covered, state->count);
                continue;
            }
            for (int p = 0; p < placements[i]; p++) {
                uint64_t after[W], common = 0;
                for (int w = 0; w < W; w++) {
                    common |= state->covered[w] & placement[i][p][w];
                    after[w] = state->covered[w] | placement[i][p][w];
                }
                if (common) continue;
                shift(after);
                add(&next, after, state->count);
            }
        }
        all += now.used;
        if (now.used > most) most = now.used;
        free(now.at);
        now = next;
        next = (Table){0};
    }
    uint64_t total[4] = {0};
    for (size_t s = 0; s < now.size; s++)
        if (!is_empty(&now.at[s])) memcpy(total, now.at[s].count, sizeof total);
    printf("%s %d: ", kind, n);
    print(total);
    printf("\n");
    fprintf(stderr, "%zu states, %zu at one cell\n", all, most);
    return 0;
}
