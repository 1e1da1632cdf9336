// Recounts subtrees of the complete mappings of Z_n by Ryser's formula as it is: no orbits of sets B, no shift, no
// sieve, one thread, another language. It shares no code with examples/problems/mappings.
//
//     cc -O3 -march=native -o recount recount.c
//     ./recount 29 4096 SUBTREE ...
//
// prints "SUBTREE SUBTOTAL", the subtotal modulo 2^64. A subtotal is the sum, over the sets A at every 4,096th place of
// the list of sets that are the smallest of their orbits under x -> ux + v, of (-1)^(n - |A|) times the length of the
// orbit times per(A): the number of permutations p of Z_n with all i + p(i) in A.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
static unsigned n;
static uint32_t all;

// The set A + by.
static uint32_t moved(uint32_t a, unsigned by) {
    by %= n;
    return by ? (a << by | a >> (n - by)) & all : a;
}

static uint32_t times(uint32_t a, unsigned unit) {
    uint32_t product = 0;
    for (unsigned x = 0; x < n; x++)
        if (a >> x & 1) product |= 1u << (x * unit % n);
    return product;
}

static unsigned gcd(unsigned a, unsigned b) { return b ? gcd(b, a % b) : a; }

// The length of the orbit of A if A is the smallest set of it, and 0 otherwise.
static unsigned length_of_orbit(uint32_t a) {
    unsigned maps = 0, fixing = 0;
    for (unsigned unit = 1; unit <= n; unit++) {
        if (gcd(n, unit) != 1) continue;
        uint32_t product = times(a, unit);
        for (unsigned by = 0; by < n; by++, maps++) {
            uint32_t image = moved(product, by);
            if (image < a) return 0;
            fixing += image == a;
        }
    }
    return maps / fixing;
}

enum { LANES = 32, FACTORS = 30, GROUP = 6, GROUPS = FACTORS / GROUP, MOST = 4096 };

// per(A), modulo 2^64: the sum over sets S of columns of (-1)^(n - |S|) times the product over rows of the number of
// columns of S that the row may have. LANES sets S, which differ in their lowest elements, are worked out side by side.
static uint64_t permanent(uint32_t a) {
    uint32_t row[FACTORS];
    uint32_t of_lane[FACTORS][LANES] = {{0}};
    uint64_t sums[LANES] = {0};
    for (unsigned i = 0; i < n; i++) {
        row[i] = moved(a, n - i);
        for (int lane = 0; lane < LANES; lane++) of_lane[i][lane] = __builtin_popcount(row[i] & lane);
    }
    for (uint32_t high = 0; high <= all; high += LANES) {
        uint32_t base[FACTORS];
        for (unsigned i = 0; i < FACTORS; i++) base[i] = i < n ? __builtin_popcount(row[i] & high) : 1;
        // A group's product is below 30^6, and so below 2^32.
        uint32_t group[GROUPS][LANES];
        for (int g = 0; g < GROUPS; g++)
            for (int lane = 0; lane < LANES; lane++) {
                group[g][lane] = 1;
                for (int i = g * GROUP; i < (g + 1) * GROUP; i++) group[g][lane] *= base[i] + of_lane[i][lane];
            }
        uint64_t negative = __builtin_popcount(high) % 2 ? UINT64_MAX : 0;
        for (int lane = 0; lane < LANES; lane++) {
            uint64_t product = (uint64_t)group[0][lane] * group[1][lane];
            product *= (uint64_t)group[2][lane] * group[3][lane];
            product *= group[4][lane];
            sums[lane] += (product ^ negative) - negative;
        }
    }
    uint64_t sum = 0;
    for (uint32_t lane = 0; lane < LANES; lane++) sum += (n - __builtin_popcount(lane)) % 2 ? -sums[lane] : sums[lane];
    return sum;
}

int main(int arguments, char **argument) {
    n = arguments > 3 ? atoi(argument[1]) : 0;
    unsigned subtrees = arguments > 3 ? atoi(argument[2]) : 0;
    if (n < 5 || n > 29 || subtrees < 1 || subtrees > MOST)
        return fprintf(stderr, "usage: recount N SUBTREES SUBTREE ..., N from 5 to 29, at most %d subtrees\n", MOST), 2;
    all = UINT32_MAX >> (32 - n);
    static uint64_t subtotals[MOST];
    static char drawn[MOST];
    for (int i = 3; i < arguments; i++) drawn[atoi(argument[i]) % MOST] = 1;
    unsigned place = 0;
    for (uint32_t a = 0; a <= all; a++) {
        unsigned length = length_of_orbit(a);
        unsigned subtree = length ? place++ % subtrees : 0;
        if (!length || !drawn[subtree]) continue;
        uint64_t term = length * permanent(a);
        subtotals[subtree] += (n - __builtin_popcount(a)) % 2 ? -term : term;
    }
    for (unsigned subtree = 0; subtree < subtrees; subtree++)
        if (drawn[subtree]) printf("%u %llu\n", subtree, (unsigned long long)subtotals[subtree]);
}
