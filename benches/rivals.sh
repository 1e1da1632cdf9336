#!/usr/bin/env bash
# Measures tallyboard beside other people's programs, in turns on the same boards and files, and prints dated tables.
#
#     benches/rivals.sh FOLDER [queens] [sudoku] [covers] [instances] [variants] [collection] [regions] > RECORD
#     ROUNDS=5 BOARDS="15 16" benches/rivals.sh ~/rivals queens
#     PUZZLES=1000 benches/rivals.sh ~/rivals variants
#     INSTANCES=30 benches/rivals.sh ~/rivals instances        # of DXD, not 60
#     LIMIT=1 benches/rivals.sh ~/rivals collection            # 1 s of CPU time a puzzle and program, not 10
#     # Of 17_clue_10k.txt and hardest_3k.txt, which are in ../shared/data/sudoku without DATA:
#     DATA=~/sudokus SETS="17_clues hardest" benches/rivals.sh ~/rivals sudoku
#
# FOLDER has clones of the programs under the names of their repositories, each built as its own README says; nothing here
# builds or fetches them. A program that is not there is named with its public address, and left out. Where to put what:
#
#     N-Queens-Count-Sol/nqueens-16 …     one program a board, since the size is compiled in
#     NQueensFAF/classes, NQueensFAF/lib  its classes with the examples, and the jars that it needs
#     m-queens/m-queens
#     tdoku/build/run_benchmark, tdoku/solve   its benchmark with the solvers that you have; its example solve.c
#     Schoku/src/schoku                   of the branch speed; its library goes into tdoku's benchmark, under the name schoku
#     sudoku-minlexing-tool/minlex
#     cwebtest/dlx1, ssxcc, dlx6          Knuth's programs
#     alg-lab/build/main                  DXD, beside its instances in alg-lab/data
#     Interactive-Sudoku-Solver
#     linkedin-queens/src/solver.py       a search row by row in Python, for all solutions
#     python/bin/python                   of a virtual environment with those of dxz, xcover, pyxcc, miniexact,
#                                         pencilmark, ortools that you want
#
# One thread each. A time is CPU time of a whole process, user and system, from start to end, reading and writing included;
# a cell is the median over the rounds. Start is left out for pencilmark and Interactive Sudoku Solver. Only run_benchmark's
# rates are its own, of puzzles in memory: it reads the clock on the wall, so they are divided by the share of a processor that
# its process had. Every count has to be that of tallyboard.
# In brackets: how many times faster tallyboard is; below 1 the other one is faster.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$(cd "${1:?the folder with the other programs}" && pwd)
shift
(($#)) || set -- queens sudoku covers instances variants collection regions
rounds=${ROUNDS:-3}
puzzles=${PUZZLES:-100}
limit_each=${LIMIT:-10}
read -ra boards <<<"${BOARDS:-15 16 17 18}"
read -ra sets <<<"${SETS:-easy minimal 17_clues hardest}"
cargo build --release --locked --quiet
cargo build --release --locked --quiet --manifest-path benches/rulers/Cargo.toml
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
# Copies, which a build in the meantime leaves alone.
cp target/release/tallyboard benches/rulers/target/release/rulers "$work"
program=$work/tallyboard
ruler=$work/rulers

# Seconds of CPU time of a command, or what it says of itself in $work/own; its output goes to $work/out.
seconds() {
    local TIMEFORMAT='%U %S'
    # Files are made anew: emptying an old one would be counted as the command's time.
    rm -f "$work/out" "$work/own" "$work"/rows*
    { time "$@" >"$work/out" 2>"$work/err" || true; } 2>&1 | awk '{ print $1 + $2 }' >"$work/used"
    if [[ -s $work/own ]]; then cat "$work/own"; else cat "$work/used"; fi
}
median() { sort -g "$1" | awk '{ value[NR] = $1 } END { print value[int((NR + 1) / 2)] }'; }
# A cell: the value $1 in words $2, and how many times faster tallyboard is, $3.
cell() { awk -v words="$2" -v times="$3" 'BEGIN { printf (times < 9.95 ? " %s (%.1f) |" : " %s (%.0f) |"), words, times }'; }

# Where the programs are from. The name of a repository is that of its folder.
address() {
    case $1 in
        N-Queens-Count-Sol) echo https://github.com/EvgenyKluev/N-Queens-Count-Sol ;;
        NQueensFAF) echo https://github.com/olepoeschl/NQueensFAF ;;
        m-queens) echo https://github.com/sudden6/m-queens ;;
        tdoku) echo https://github.com/t-dillon/tdoku ;;
        Schoku) echo https://github.com/Mart1nSchulz/Schoku ;;
        cwebtest) echo https://github.com/ascherer/cwebtest ;;
        sudoku-minlexing-tool) echo https://github.com/dobrichev/sudoku-minlexing-tool ;;
        alg-lab) echo https://github.com/loiufam/alg-lab ;;
        Interactive-Sudoku-Solver) echo https://github.com/sigh/Interactive-Sudoku-Solver ;;
        linkedin-queens) echo https://github.com/ehan03/linkedin-queens ;;
    esac
}
for name in N-Queens-Count-Sol NQueensFAF m-queens tdoku Schoku sudoku-minlexing-tool cwebtest alg-lab Interactive-Sudoku-Solver \
    linkedin-queens; do
    at=$(git -C "$folder/$name" log -1 --format='%h of %cs' 2>/dev/null || echo "not there")
    sources+="    - $name: $(address "$name"), $at"$'\n'
done

cat <<HEADER
# Beside other programs, $(date -u +%Y-%m-%d)

- CPU: $(awk -F': ' '/^model name/ { name = $2 } /^model\t/ { model = $2 } END { print name ", model " model }' /proc/cpuinfo), $(nproc) cores
- compiler: $(rustc --version); of the others: $(gcc --version | sed -n 1p); $(java -version 2>&1 | sed -n 1p); and see the tables
- version: $(git describe --always --dirty)
- command: ROUNDS=$rounds benches/rivals.sh FOLDER $*
- one thread each, medians of $rounds rounds in turns; in brackets: how many times faster tallyboard is, below 1 slower
- tallyboard with the fastest kernel of the processor, avx2 the same with --kernel avx2, crate and zero alloc the crates
  sudoku and zero-alloc-sudoku of benches/rulers; dxz, xcover, pyxcc and CP-SAT (the package ortools) are called from Python,
  whose start and reading of the file count
- packages: $("$folder/python/bin/python" -m pip list 2>/dev/null |
    awk '/^(dxz|xcover|pyxcc|miniexact|pencilmark|ortools) / { printf "%s %s; ", $1, $2 }' || true)
- the others:
$sources
HEADER

# ---- Queens: seconds for all solutions of a board. Each function counts the board $1.
queens_tallyboard() { "$program" -q -j 1 queens count "$1"; }
queens_avx2() { "$program" -q -j 1 queens count "$1" --kernel avx2; }
queens_half_board() { "$folder/N-Queens-Count-Sol/nqueens-$1" 1; }
queens_nqueensfaf() {
    printf '%s\n1\n' "$1" |
        java -cp "$folder/NQueensFAF/classes:$folder/NQueensFAF/lib/*" de.nqueensfaf.examples.CpuSolverExample
}
queens_m_queens() { "$folder/m-queens/m-queens" "$1"; }

# ---- Covers: seconds for the file $1 of the problem, in Knuth's format; $1.matrix is the same as a matrix.
covers_tallyboard() { "$program" -q -j 1 cover count "$1"; }
covers_dlx1() { "$folder/cwebtest/dlx1" <"$1"; }
covers_ssxcc() { "$folder/cwebtest/ssxcc" <"$1"; }
covers_dlx6() { "$folder/cwebtest/dlx6" <"$1"; }
covers_dxz() {
    "$folder/python/bin/python" - "$1.matrix" <<'PYTHON'
import sys
import dxz
rows = [line.strip() for line in open(sys.argv[1])]
print(dxz.dxz_count(len(rows), len(rows[0]), [int(cell) for row in rows for cell in row]))
PYTHON
}
covers_miniexact() { "$folder/python/bin/miniexact" -c -e -D "$1"; }
covers_xcover() {
    "$folder/python/bin/python" - "$1" <<'PYTHON'
import sys
import xcover
from xcover.io import read_xcover_from_file
options, primary, secondary, colored = read_xcover_from_file(sys.argv[1])
print(sum(1 for _ in xcover.covers(options, primary=primary, secondary=secondary, colored=colored)))
PYTHON
}
covers_pyxcc() {
    "$folder/python/bin/python" - "$1" <<'PYTHON'
import sys
import pyxcc
head, *options = [line.split() for line in open(sys.argv[1]) if line.strip() and not line.startswith("|")]
bar = head.index("|") if "|" in head else len(head)
secondary = set(head[bar + 1 :])
made = []
for number, items in enumerate(options):
    names = [item.partition(":") for item in items]
    optional = [(name, colour) for name, _, colour in names if name in secondary]
    made.append(pyxcc.Option(str(number), [name for name, _, _ in names if name not in secondary], optional))
print(pyxcc.solve(pyxcc.Problem(head[:bar], head[bar + 1 :], made), True).count())
PYTHON
}

# ---- Instances of DXD: what a program counts for the file $1 within LIMIT seconds of CPU time; nothing if it does not finish.
instances_tallyboard() { (ulimit -t "$limit_each"; "$program" -q -j 1 cover count "$1" 2>/dev/null) || true; }
instances_dxd() {
    local mode=3
    [[ $1 == */exact_cover_benchmark/* ]] && mode=1
    # It writes its count and time to a file beside its folder.
    mkdir -p "$work/dxd/build"
    rm -f "$work/dxd/run_results.txt"
    (cd "$work/dxd/build"; ulimit -t "$limit_each"; "$folder/alg-lab/build/main" dxd "$1" "$mode" ett >/dev/null 2>&1) || true
    sed -n 's/^Solutions: //p' "$work/dxd/run_results.txt"
}

# ---- Variants: seconds for proving the one solution of each puzzle. A set $1 has files of rules, $1*.rules, each with the
# puzzles to be solved by them, $1*.lines. Prints a checksum of counts and solutions.
checksum() { cksum | cut -d' ' -f1; }
variants_tallyboard() {
    local rules
    for rules in "$1"*.rules; do
        "$program" -q -j 1 variant solve "$rules" "${rules%.rules}.lines"
    done | cut -d: -f2- | checksum
}
variants_iss() {
    local files=("$1"*.rules)
    node benches/iss.mjs "$folder/Interactive-Sudoku-Solver" lines "${files[@]%.rules}" 2>"$work/own" | checksum
}
variants_pencilmark() {
    "$folder/python/bin/python" - "$1"*.rules 2>"$work/own" <<'PYTHON' | checksum
import sys
import time
from pencilmark import api, cbackend


def rules(text):
    lines = text.split("\n")
    named = lambda cells: [f"r{i // 9 + 1}c{i % 9 + 1}" for i in cells]
    region = lambda kind, cells: {"type": "region", "kind": kind, "cells": named(cells)}
    found = [{"type": "box_grid", "origin": "r1c1", "box": [3, 3]}]
    if "regions" in lines:
        regions = "".join(lines[lines.index("regions") + 1 :][:9])
        found = [{"type": "box", "cells": named(i for i in range(81) if regions[i] == name)} for name in sorted(set(regions))]
        found.append({"type": "grid", "origin": "r1c1"})
    if "diagonals" in lines:
        found += [region("diagonal", range(0, 81, 10)), region("diagonal", range(8, 73, 8))]
    if "windoku" in lines:
        found += [region("window", [9 * (y + i) + x + j for i in range(3) for j in range(3)]) for y in (1, 5) for x in (1, 5)]
    if "anti-knight" in lines:
        found.append({"type": "neighbours", "kind": "antiknight"})
    cages = [line.split() for line in lines if line.startswith("cage ")]
    return found + [{"type": "cage", "sum": int(words[1]), "cells": words[2:]} for words in cages]


start = time.process_time()
for name in sys.argv[1:]:
    document = {"format": "sudoku-puzzle", "format_version": 1, "board": {"rows": 9, "cols": 9}, "digits": 9}
    document["rules"] = rules(open(name).read())
    for line in open(name.removesuffix(".rules") + ".lines"):
        document["givens"] = [int(digit) if digit.isdigit() else 0 for digit in line.strip()]
        found = cbackend.brute_solve(api.load(document), 2)
        print(f"{len(found) if found.complete else '?'}:{''.join(map(str, found[0]))}")
print(time.process_time() - start, file=sys.stderr)
PYTHON
}
variants_cp_sat() {
    "$folder/python/bin/python" - "$1"*.rules <<'PYTHON' | checksum
import itertools
import sys
from ortools.sat.python import cp_model


def cell(name):
    return 9 * (int(name[1]) - 1) + int(name[3]) - 1


def read(text):
    """The houses of a file of rules, pairs of cells that differ, and cages with their sums."""
    lines = text.split("\n")
    regions = "".join(lines[lines.index("regions") + 1 :][:9]) if "regions" in lines else None
    regions = regions or "".join(str(i // 27 * 3 + i % 9 // 3) for i in range(81))
    houses = [range(9 * i, 9 * i + 9) for i in range(9)] + [range(i, 81, 9) for i in range(9)]
    houses += [[i for i in range(81) if regions[i] == name] for name in sorted(set(regions))]
    if "diagonals" in lines:
        houses += [range(0, 81, 10), range(8, 73, 8)]
    if "windoku" in lines:
        corners = [(1, 1), (1, 5), (5, 1), (5, 5)]
        houses += [[9 * (y + i) + x + j for i in range(3) for j in range(3)] for y, x in corners]
    apart = [(a, b) for a, b in itertools.combinations(range(81), 2)
             if {abs(a // 9 - b // 9), abs(a % 9 - b % 9)} == {1, 2}]
    differ = apart if "anti-knight" in lines else []
    cages = [line.split() for line in lines if line.startswith("cage ")]
    return houses, differ, [(int(words[1]), [cell(name) for name in words[2:]]) for words in cages]


class UpToTwo(cp_model.CpSolverSolutionCallback):
    def __init__(self, cells):
        super().__init__()
        self.cells = cells
        self.found = []

    def on_solution_callback(self):
        self.found.append("".join(str(self.value(cell)) for cell in self.cells))
        if len(self.found) == 2:
            self.stop_search()


for name in sys.argv[1:]:
    houses, differ, cages = read(open(name).read())
    for line in open(name.removesuffix(".rules") + ".lines"):
        model = cp_model.CpModel()
        given = [int(digit) if digit.isdigit() else 0 for digit in line.strip()]
        cells = [model.new_constant(digit) if digit else model.new_int_var(1, 9, "") for digit in given]
        for house in houses:
            model.add_all_different([cells[i] for i in house])
        for a, b in differ:
            model.add(cells[a] != cells[b])
        for total, cage in cages:
            model.add_all_different([cells[i] for i in cage])
            model.add(sum(cells[i] for i in cage) == total)
        solver = cp_model.CpSolver()
        solver.parameters.num_workers = 1
        solver.parameters.enumerate_all_solutions = True
        found = UpToTwo(cells)
        solver.solve(model, found)
        print(f"{len(found.found)}:{found.found[0]}")
PYTHON
}

# ---- Regions: seconds for proving the one solution of each board of a file $1, N-K.boards, of N rows with K stars. Prints the
# number of solutions of all, of each up to 2.
stars_of() { local name=${1##*-}; echo "${name%.boards}"; }
regions_tallyboard() { "$program" -q -j 1 regions solve --stars "$(stars_of "$1")" "$1" | awk '{ sum += $2 } END { print sum }'; }
regions_cp_sat() {
    "$folder/python/bin/python" - "$1" "$(stars_of "$1")" <<'PYTHON'
import sys
from ortools.sat.python import cp_model


class UpToTwo(cp_model.CpSolverSolutionCallback):
    found = 0

    def on_solution_callback(self):
        self.found += 1
        if self.found == 2:
            self.stop_search()


total = 0
for board in open(sys.argv[1]).read().split():
    n, model = round(len(board) ** 0.5), cp_model.CpModel()
    cells = [model.new_bool_var("") for _ in board]
    lines = [cells[i * n : i * n + n] for i in range(n)] + [cells[i::n] for i in range(n)]
    lines += [[cell for cell, other in zip(cells, board) if other == name] for name in sorted(set(board))]
    for line in lines:
        model.add(sum(line) == int(sys.argv[2]))
    for i in range(n * n - n):
        if i % n < n - 1:
            model.add_at_most_one(cells[i], cells[i + 1], cells[i + n], cells[i + n + 1])
    solver, found = cp_model.CpSolver(), UpToTwo()
    solver.parameters.num_workers = 1
    solver.parameters.enumerate_all_solutions = True
    solver.solve(model, found)
    total += found.found
print(total)
PYTHON
}
regions_linkedin_queens() {
    python3 - "$folder/linkedin-queens/src" "$1" <<'PYTHON'
import sys

sys.path.insert(0, sys.argv[1])
import solver

total = 0
for board in open(sys.argv[2]).read().split():
    n = round(len(board) ** 0.5)
    game = solver.LinkedInQueensSolver([[*board[i * n : i * n + n]] for i in range(n)])
    game.solve()
    total += len(game.solution)
print(total)
PYTHON
}

# race GAME ARGUMENT LABEL CONTESTANT...: a row. The first contestant is tallyboard; `slow` has those that are left out.
race() {
    local game=$1 argument=$2 label=$3 round contestant count="" ours value
    shift 3
    for ((round = 0; round < rounds; round++)); do
        for contestant; do
            [[ " $slow " == *" $contestant "* ]] && continue
            value=$(seconds "${game}_$contestant" "$argument")
            # Of what goes wrong the program's own words are told.
            [[ -n $count ]] || count=$(tr -d , <"$work/out")
            # Outputs have sentences around their counts, and some have them on standard error.
            grep -qw -- "$count" <(tr -d , <"$work/out") <(tr -d , <"$work/err") ||
                { echo "$0: $label: $contestant does not say $count but: $(tail -n 2 "$work/out" "$work/err")" >&2; return 1; }
            ((round)) || : >"$work/time.$contestant"
            echo "$value" >>"$work/time.$contestant"
        done
    done
    printf '| %s | %s |' "$label" "$(sed -E ':a; s/^([0-9]+)([0-9]{3})/\1,\2/; ta' <<<"$count")"
    ours=$(median "$work/time.$1")
    printf ' %.3f |' "$ours"
    shift
    for contestant; do
        if [[ " $slow " == *" $contestant "* ]]; then printf ' |'; continue; fi
        value=$(median "$work/time.$contestant")
        cell "$value" "$(printf '%.3f' "$value")" "$(awk -v a="$value" -v b="$ours" 'BEGIN { print a / (b > 0.001 ? b : 0.001) }')"
        # Who took more than five seconds is not asked for a larger board.
        [[ $game == queens ]] && awk -v a="$value" 'BEGIN { exit !(a > 5) }' && slow+=" $contestant"
    done
    printf '\n'
}

# heads NAME...: the head of a table.
heads() { printf '| %s ' "$@"; printf '|\n'; printf -- '|---%.0s' "$@"; printf '|\n'; }

measure_queens() {
    local n slow="" contestants=(tallyboard avx2)
    [[ -x $folder/N-Queens-Count-Sol/nqueens-${boards[0]} ]] && contestants+=(half_board)
    [[ -d $folder/NQueensFAF/classes ]] && contestants+=(nqueensfaf)
    [[ -x $folder/m-queens/m-queens ]] && contestants+=(m_queens)
    printf '## Queens: seconds for all solutions\n\n'
    heads n solutions "${contestants[@]//_/ }"
    for n in "${boards[@]}"; do race queens "$n" "$n" "${contestants[@]}"; done
}

has_package() { "$folder/python/bin/python" -c "import $1" 2>/dev/null; }

measure_covers() {
    local slow name contestants=(tallyboard)
    for name in dlx1 ssxcc dlx6; do [[ -x $folder/cwebtest/$name ]] && contestants+=("$name"); done
    [[ -x $folder/python/bin/miniexact ]] && contestants+=(miniexact)
    for name in dxz xcover pyxcc; do has_package "$name" && contestants+=("$name"); done
    printf '\n## Exact covers: seconds for all of a file\n\n'
    heads puzzle covers "${contestants[@]}"
    for name in pentominoes-6x10 pentominoes-8x8 soma langford-12 queens-13 latin-5 trominoes-9x9 dominoes-8x8 any-pentominoes-5x8; do
        slow=""
        "$program" -q cover convert "puzzles/$name.txt" --to dlx -o "$work/$name" 2>/dev/null
        # The package has no items that may stay open.
        "$program" -q cover convert "puzzles/$name.txt" --to matrix -o "$work/$name.matrix" 2>/dev/null || slow=dxz
        # Where covers are found one by one, twelve million take minutes.
        [[ $name != dominoes-8x8 ]] || slow+=" miniexact xcover pyxcc"
        race covers "$work/$name" "$name" "${contestants[@]}"
    done
}

# A row of two programs over the lines of $1, `OURS COUNT THEIRS COUNT NAME` with a dash for no count: who has how many counts; of
# those that both have the sums of seconds, and the median and the least of how many times faster tallyboard is.
beside() {
    awk '$2 != "-" { ours++ } $4 != "-" { theirs++ } $2 != "-" && $4 != "-" {
        print ($3 > 0.001 ? $3 : 0.001) / ($1 > 0.001 ? $1 : 0.001); a += $1; b += $3
    } END { printf "| %d | %d | %d | %.3f | %.3f |", NR, ours, theirs, a, b >"/dev/stderr" }' "$1" 2>"$work/row" |
        sort -g >"$work/times"
    printf '%s %.1f | %.1f |\n' "$(cat "$work/row")" "$(median "$work/times")" "$(sed -n 1p "$work/times")"
    awk '$2 != "-" && $4 != "-" && $2 != $4 { print "other counts: " $0; wrong = 1 } END { exit wrong }' "$1" >&2
}
counted() { tr -d ' \n' <"$work/out" | grep . || echo -; }

measure_instances() {
    local file
    [[ -x $folder/alg-lab/build/main ]] || return 0
    find "$folder/alg-lab/data" -type f | LC_ALL=C sort | awk 'BEGIN { srand(66) } { print rand(), $0 }' |
        LC_ALL=C sort | sed -n "1,${INSTANCES:-60}s/^[^ ]* //p" >"$work/instances"
    while read -r file; do
        echo "$(seconds instances_tallyboard "$file") $(counted) $(seconds instances_dxd "$file") $(counted) ${file##*/}"
    done <"$work/instances" >"$work/both"
    printf '\n## Instances of DXD, drawn at random: counted within %s s each, and seconds for those that both count\n\n' "$limit_each"
    heads instances "tallyboard counts" "dxd counts" tallyboard dxd "times faster, median" least
    beside "$work/both"
}

# The sets of variants in $work: puzzles of each rule, with 30 givens, and 20 killers without any.
variant_sets() {
    local rule seed
    printf '%s\n' "size 9" regions AAABBBBCC AABBBCCCC AAABBCCCD AEEEEFDDD EEEEFFFDD EGGFFFDDD GGGHHFFII GGGHHHIII GHHHHIIII \
        >"$work/jigsaw.rules"
    for rule in diagonals anti-knight windoku; do printf 'size 9\n%s\n' "$rule" >"$work/$rule.rules"; done
    for rule in jigsaw diagonals anti-knight windoku; do
        "$program" -q variant generate "$work/$rule.rules" "$puzzles" --seed 1 -o "$work/$rule.lines"
    done
    echo 'size 9' >"$work/plain"
    for seed in {1..20}; do
        "$program" -q variant generate "$work/plain" --cages 5 --seed "$seed" -o "$work/killer-$seed.rules"
        printf '.%.0s' {1..81} >"$work/killer-$seed.lines"
        echo >>"$work/killer-$seed.lines"
    done
}

measure_variants() {
    local slow="" name contestants=(tallyboard)
    [[ -d $folder/Interactive-Sudoku-Solver ]] && contestants+=(iss)
    has_package pencilmark && contestants+=(pencilmark)
    has_package ortools && contestants+=(cp_sat)
    variant_sets
    printf '\n## Variants: seconds for %s puzzles of each rule, and for 20 killers\n\n' "$puzzles"

    heads rule "checksum of the solutions" "${contestants[@]//_/ }"
    for name in jigsaw diagonals anti-knight windoku killer; do
        race variants "$work/$name" "$name" "${contestants[@]}"
    done
}

# ---- The collection of Interactive Sudoku Solver: `1:SOLUTION` or 0 or 2 for the puzzle $1 within LIMIT seconds of CPU time.
collection_tallyboard() {
    (ulimit -t "$limit_each"; "$program" -q -j 1 variant list --limit 2 "$1.rules" 2>"$work/told") |
        awk 'NR == 1 { first = ":" $0 } END { if (NR) print NR (NR == 1 ? first : "") }' || true
}
# Its start and a first turn are not counted, but take their time.
collection_iss() {
    (ulimit -t "$((2 * limit_each + 1))"; node benches/iss.mjs "$folder/Interactive-Sudoku-Solver" solve "$1" 2>"$work/own") |
        sed 's/^2:.*/2/' >"$work/answer" || true
    awk -v limit="$limit_each" 'NR == FNR { used = $1; next } used <= limit' "$work/own" "$work/answer"
}

measure_collection() {
    local file
    [[ -d $folder/Interactive-Sudoku-Solver ]] || return 0
    printf '\n## The collection of Interactive Sudoku Solver: up to two solutions within %s s each, and seconds\n\n' "$limit_each"
    node benches/iss.mjs "$folder/Interactive-Sudoku-Solver" rules "$work/collection" >"$work/unread"
    for file in $(cd "$work/collection" && printf '%s\n' *.rules | sort -n); do
        file=$work/collection/${file%.rules}
        echo "$(seconds collection_tallyboard "$file") $(counted) $(seconds collection_iss "$file") $(counted) ${file##*/}"
        grep -v interrupted "$work/told" >>"$work/refused" || true
    done >"$work/both"
    heads puzzles "tallyboard solves" "it solves" tallyboard "the other" "times faster, median" least
    beside "$work/both"
    printf '\n'
    sed -E "s/^/    /; s|$work/collection/||" "$work/unread" "$work/refused"
}

measure_regions() {
    local slow name n stars contestants=(tallyboard)
    has_package ortools && contestants+=(cp_sat)
    [[ -e $folder/linkedin-queens/src/solver.py ]] && contestants+=(linkedin_queens)
    printf '\n## Queens in regions, N rows with K stars: seconds for 500 boards\n\n'
    heads N-K solutions "${contestants[@]//_/ }"
    for name in 8-1 10-1 12-1 10-2; do
        slow=""
        IFS=- read -r n stars <<<"$name"
        # Its search knows one star a row, and takes half a minute for the boards of 12.
        [[ $name == 8-1 || $name == 10-1 ]] || slow=linkedin_queens
        "$program" -q regions generate 500 --size "$n" --stars "$stars" -o "$work/$name.boards"
        race regions "$work/$name.boards" "$name" "${contestants[@]}"
    done
}

# ---- Sudokus: puzzles a second of CPU time. Each function solves the file $1 up to $2 solutions; $work/out has its rows.
per_second() { awk -v seconds="$1" -v puzzles="$2" 'BEGIN { print puzzles / seconds }'; }
sudoku_tallyboard() { per_second "$(seconds "$program" -q -j 1 sudoku solve --limit "$2" "$1")" "$3"; }
sudoku_avx2() { per_second "$(seconds "$program" -q -j 1 sudoku solve --kernel avx2 --limit "$2" "$1")" "$3"; }
sudoku_crate() { per_second "$(seconds "$ruler" "$2" "$1" "$work/rows")" "$3"; }
sudoku_zero_alloc() { per_second "$(seconds "$ruler" zero "$1" "$work/rows")" "$3"; }
sudoku_schoku() {
    local rule=-rM
    (($2 == 1)) && rule=-rO
    per_second "$(seconds "$folder/Schoku/src/schoku" -t1 "$rule" "$1" "$work/rows.schoku")" "$3"
}
# What tdoku's benchmark says of its solver $4.
sudoku_benchmark() {
    local TIMEFORMAT='%R %U %S' times first=()
    (($2 == 1)) && first=(-f)
    times=$({ time "$folder/tdoku/build/run_benchmark" -c1 -v0 -e1 -w1 -t1 -n20000 "${first[@]}" -s"$4" "$1" >"$work/out"; } 2>&1)
    awk -F, -v times="$times" '{ split(times, t, " "); print $(NF - 3) * t[1] / (t[2] + t[3]) }' "$work/out"
}

# Whether counts, and solutions where there is one, are those of tdoku and Schoku, for the puzzles of the file $1.
agree() {
    "$program" -q -j 1 sudoku solve "$1" >"$work/rows"
    if [[ -x $folder/tdoku/solve ]]; then "$folder/tdoku/solve" 2 <"$1" | cmp - "$work/rows"; fi
    if [[ -x $folder/Schoku/src/schoku ]]; then
        "$folder/Schoku/src/schoku" -t1 -rM "$1" "$work/rows.schoku" >/dev/null
        cmp <(tr , : <"$work/rows.schoku" | cut -c1-163) <(sed 's/:1:/:/' "$work/rows")
    fi
}

# The files of puzzles, each once: $work/NAME.set.
sudoku_sets() {
    local data=${DATA:-../shared/data/sudoku}
    "$program" -q sudoku generate 10000 --clues 36 --seed 1 -o "$work/easy.set"
    "$program" -q sudoku generate 10000 --minimal --seed 1 -o "$work/minimal.set"
    [[ ! -e $data/17_clue_10k.txt ]] || grep -v '^#' "$data/17_clue_10k.txt" >"$work/17_clues.set"
    [[ ! -e $data/hardest_3k.txt ]] || grep -v '^#' "$data/hardest_3k.txt" >"$work/hardest.set"
}

# The solvers that tdoku's benchmark was built with, of those that are fast.
benchmark_solvers() {
    [[ -x $folder/tdoku/build/run_benchmark ]] || return 0
    "$folder/tdoku/build/run_benchmark" -h 2>&1 | awk '/^ .*tdoku/ { for (i = NF; i > 0; i--) print $i }' |
        grep -xE 'tdoku|schoku|rust_sudoku|fsss2|fsss2_locked|jczsolve|sk_bforce2' || true
}

# The row of the set $1 up to $2 solutions; `whole` has the programs that are timed as a whole, `solvers` those of the benchmark.
sudoku_row() {
    local file=$work/$1.set limit=$2 copies=60 round solver puzzles ours value slow=""
    [[ $1 != hardest ]] || copies=12
    # The crate has no limit of two, and takes minutes where a guess is not enough.
    [[ ($1 == easy || $1 == minimal) && $2 == 1 ]] || slow=zero_alloc
    # By the megabyte, so that nobody pays for small pages.
    for ((round = 0; round < copies; round++)); do cat "$file"; done | dd bs=1M iflag=fullblock of="$work/set" status=none
    puzzles=$(wc -l <"$work/set")
    rm -f "$work"/rate.*
    for ((round = 0; round < rounds; round++)); do
        for solver in tallyboard "${whole[@]}"; do
            [[ $solver == "$slow" ]] || "sudoku_$solver" "$work/set" "$limit" "$puzzles" >>"$work/rate.$solver"
        done
        for solver in "${solvers[@]}"; do
            sudoku_benchmark "$work/set" "$limit" "$puzzles" "$solver" >>"$work/rate.$solver.in_memory"
        done
    done
    ours=$(median "$work/rate.tallyboard")
    printf '| %s | %s | %s |' "$1" "$limit" "$(thousands "$ours")"
    for solver in "${whole[@]}" "${solvers[@]/%/.in_memory}"; do
        if [[ $solver == "$slow" ]]; then printf ' |'; continue; fi
        value=$(median "$work/rate.$solver")
        cell "$value" "$(thousands "$value")" "$(awk -v a="$ours" -v b="$value" 'BEGIN { print a / b }')"
    done
    printf '\n'
}

measure_sudoku() {
    local limit name whole=(avx2 crate zero_alloc) solvers
    [[ ! -x $folder/Schoku/src/schoku ]] || whole+=(schoku)
    read -ra solvers <<<"$(benchmark_solvers | tr '\n' ' ')"
    sudoku_sets
    printf '\n## Sudokus: puzzles a second\n\n'
    if ((${#solvers[@]})); then
        "$folder/tdoku/build/run_benchmark" -h 2>&1 | sed -n 's/^build info: \(.*\)$/The benchmark of tdoku was built by \1.\n/p'
    fi
    heads set "up to" tallyboard "${whole[@]//_/ }" "${solvers[@]/%/ in memory}"
    for limit in 1 2; do
        for name in "${sets[@]}"; do
            [[ -s $work/$name.set ]] || continue
            agree "$work/$name.set" >&2 || { echo "$0: $name: other solutions than tdoku or Schoku" >&2; return 1; }
            sudoku_row "$name" "$limit"
        done
    done
    [[ ! -x $folder/sudoku-minlexing-tool/minlex ]] || measure_forms
}

# ---- Canonical forms: seconds for a file of puzzles. Of those the other program has another least form, since it takes the
# least pattern first and then the least digits; solved grids have the same. Both have to find as many different ones.
forms_tallyboard() { "$program" -q -j 1 sudoku canon "$1" -o "$work/rows"; }
forms_minlex() { "$folder/sudoku-minlexing-tool/minlex" <"$1" >"$work/rows"; }

measure_forms() {
    local name round copy copies file=$work/forms ours theirs
    printf '\n## Canonical forms: seconds for ten times the set, and for 200 solved grids\n\n'
    heads set "different forms" tallyboard "minlexing tool"
    "$program" -q sudoku solve "$work/minimal.set" | cut -d: -f3 | sed -n 1,200p >"$work/solved.set"
    for name in "${sets[@]}" solved; do
        [[ -s $work/$name.set ]] || continue
        copies=10
        [[ $name != solved ]] || copies=1
        for ((copy = 0; copy < copies; copy++)); do cat "$work/$name.set"; done >"$file"
        rm -f "$work"/time.*
        for ((round = 0; round < rounds; round++)); do
            seconds forms_tallyboard "$file" >>"$work/time.ours"
            sort -u "$work/rows" >"$work/forms.ours"
            seconds forms_minlex "$file" >>"$work/time.theirs"
            awk -F'\t' 'NF == 2 { print $1 }' "$work/rows" | sort -u >"$work/forms.theirs"
        done
        if [[ $name == solved ]]; then cmp "$work/forms.ours" "$work/forms.theirs"; fi
        [[ $(wc -l <"$work/forms.ours") == "$(wc -l <"$work/forms.theirs")" ]] || { echo "$0: $name: other forms" >&2; return 1; }
        ours=$(median "$work/time.ours")
        theirs=$(median "$work/time.theirs")
        printf '| %s | %d | %s |' "$name" "$(wc -l <"$work/forms.ours")" "$ours"
        cell "$theirs" "$theirs" "$(awk -v a="$theirs" -v b="$ours" 'BEGIN { print a / b }')"
        printf '\n'
    done
}
# A rate in thousands.
thousands() { awk -v rate="$1" 'BEGIN { printf (rate < 1e5 ? "%.1f k" : "%.0f k"), rate / 1e3 }'; }

for game; do "measure_$game"; done
