#!/usr/bin/env bash
# Opens the program's pages in headless Chromium: that of scaling, and those that play a search.
# Installs Debian's chromium if missing. Checks that something was drawn and that nothing runs over the edge;
# plays, steps back, jumps, and compares what is shown with what the program prints (ci/pages_probe.js).
# Pictures stay in target/pages/ to be looked at; TALLYBOARD_RENEW=1 makes those of docs/ anew.
set -euo pipefail
cd "$(dirname "$0")/.."
skip() { echo "SKIPPED: pages: $*"; exit 0; }
fail() { echo "FAILED: $*"; exit 1; }

if ! command -v chromium >/dev/null; then
    [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || skip "no chromium, and it cannot be installed"
    (apt-get update && apt-get install -y --no-install-recommends chromium) >/dev/null 2>&1 ||
        skip "chromium cannot be installed"
fi
program=${TALLYBOARD:-target/release/tallyboard}
[ -n "${TALLYBOARD:-}" ] || cargo build --release --quiet --locked
folder=$PWD/target/pages
mkdir -p "$folder"
profile=$(mktemp -d)
trap 'rm -rf "$profile"' EXIT

browse() {
    timeout 120 chromium --headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-ipc-flooding-protection \
        --disable-background-networking --disable-component-update --disable-sync \
        --user-data-dir="$profile" --hide-scrollbars "$@" 2>/dev/null
}
passed=0

# shot NAME WIDTH HEIGHT SCHEME ADDRESS: a picture of a page, dark or light.
shot() {
    rm -f "$folder/$1.png"
    local scheme=1
    [ "$4" = light ] || scheme=0
    browse --blink-settings=preferredColorScheme=$scheme --window-size="$2,$3" \
        --screenshot="$folder/$1.png" "$5" >/dev/null
    [ "$(stat -c %s "$folder/$1.png")" -gt 25000 ] || fail "$1.png is all but empty"
    passed=$((passed + 1))
}

# Looks NAME HEIGHT STEP: a page in light and dark, narrow and wide, and printed.
looks() {
    local name=$1 address="file://$folder/$1.html$3" width
    # A copy with a script of the test's own, which writes the width of the content into the title.
    sed 's|</body>|<script>document.title=document.documentElement.scrollWidth+"/"+innerWidth</script></body>|' \
        "$folder/$name.html" >"$folder/$name-width.html"
    for width in 500 1280; do
        local widths
        widths=$(browse --window-size=$width,900 --dump-dom "file://$folder/$name-width.html" |
            sed -n 's|.*<title>\([0-9]*/[0-9]*\)</title>.*|\1|p' | sed -n 1p)
        [ -n "$widths" ] && [ "${widths%/*}" -le "${widths#*/}" ] ||
            fail "$name: at $width pixels the content is as wide as $widths"
        passed=$((passed + 1))
        shot "$name-$width-light" $width "$2" light "$address"
        shot "$name-$width-dark" $width "$2" dark "$address"
        ! cmp -s "$folder/$name-$width-dark.png" "$folder/$name-$width-light.png" ||
            fail "$name: dark and light look the same"
    done
    narrow "$name" "$2" "$address"
    browse --no-pdf-header-footer --print-to-pdf="$folder/$name.pdf" "$address" >/dev/null
    [ "$(stat -c %s "$folder/$name.pdf")" -gt 10000 ] || fail "$name.pdf is all but empty"
    passed=$((passed + 1))
}

# A window is never narrower than 500 pixels; a frame of 360 in it is as a telephone.
narrow() {
    cat >"$folder/$1-frame.html" <<HTML
<!DOCTYPE html><body style="margin:0"><iframe id="f" src="$3" style="border:0;width:360px;height:$2px"></iframe>
<script>f.onload=()=>{const d=f.contentDocument;document.title=d?d.documentElement.scrollWidth:"closed"}</script>
HTML
    local width
    width=$(browse --allow-file-access-from-files --window-size=500,"$2" --virtual-time-budget=2000 --dump-dom \
        "file://$folder/$1-frame.html" | sed -n 's|.*<title>\([0-9]*\)</title>.*|\1|p' | sed -n 1p)
    [ "${width:-9999}" -le 360 ] || fail "$1: at 360 pixels the content is as wide as ${width:-unknown}"
    shot "$1-360" 500 "$2" light "file://$folder/$1-frame.html"
}

# plays NAME EXPECTED: the page does what a person wants of it; EXPECTED is an object in JavaScript.
plays() {
    {
        sed '/<\/body>/,$d' "$folder/$1.html"
        echo "<script>const expected = $2;</script><script>"
        cat ci/pages_probe.js
        echo "</script></body></html>"
    } >"$folder/$1-probe.html"
    local title
    title=$(browse --touch-events=enabled --window-size=1000,900 --virtual-time-budget=20000 --dump-dom \
        "file://$folder/$1-probe.html" | sed -n 's|.*<title>\(.*\)</title>.*|\1|p' | sed -n 1p)
    case $title in
    *" passed") passed=$((passed + ${title% passed})) ;;
    *) fail "$1: ${title:-no title}" ;;
    esac
}

# Sentences of the program's own steps, as an array in JavaScript.
sentences() { sed -n 's/^[0-9,]*: \(.*\)$/"\1",/p' "$1" | tr -d '\n' | sed 's/^/[/; s/,$/]/'; }
count() { grep -c "$1" "$2" || true; }

"$program" -q scale queens 10 -P 1,2,3,4 -r 4 --html "$folder/scale.html" >/dev/null
looks scale 1500 ""
# With every fold open.
sed 's|<details>|<details open>|g' "$folder/scale.html" >"$folder/scale-open.html"
looks scale-open 2600 ""

for board in 4 6 8 "6 --place b6 --block c5"; do
    n=${board%% *} page=queens_${board//[ -]/}
    trace=$folder/$page.txt
    # shellcheck disable=SC2086 # A board is a size and flags.
    {
        "$program" -q queens trace $board --html "$folder/$page.html"
        "$program" -q queens trace $board --all >"$trace"
        listed=$("$program" -q queens list $board --format vector)
        solutions=$("$program" -q queens count $board)
    }
    size=$(stat -c %s "$folder/$page.html")
    [ "$size" -lt 300000 ] || fail "$page.html has $size bytes"
    # The last solution as the program lists it: the file of each rank's queen, from the top.
    last=$(echo "$listed" | tail -1 | tr ' ' '\n' |
        awk -v n=$n '{ printf "%s%c%d", (NR > 1 ? " " : ""), 96 + $1, n + 1 - NR }')
    plays $page "{steps: $(count '^[0-9,]*: ' "$trace"), sentences: $(sentences "$trace"), lastSolution: \"$last\",
        solutions: $solutions, nodes: $(count ': a queen goes' "$trace"),
        deadEnds: $(count 'a dead end$' "$trace"), isWhole: true}"
done
looks queens_8 1500 "#1211"
"$program" -q queens trace 12 --steps 20000 --html "$folder/long.html"
"$program" -q queens trace 12 --all --steps 20000 >"$folder/long.txt"
last=$(awk '/: a solution$/ { getline; board = ""; for (r = 12; r >= 1; r--) { board = board (r < 12 ? " " : "") \
    sprintf("%c%d", 96 + index($2, "Q"), r); getline } } END { print board }' "$folder/long.txt")
plays long "{steps: 20000, sentences: $(sentences "$folder/long.txt"), lastSolution: \"$last\",
    solutions: $(count ': a solution$' "$folder/long.txt"), nodes: $(count ': a queen goes' "$folder/long.txt"),
    deadEnds: $(count 'a dead end$' "$folder/long.txt"), isWhole: false}"
looks long 1500 "#19000"

puzzle=53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79
hard=..1...8.....6.4.......3.......72....4......5..9.....3.6.....2.1...8..7..31.......
solution() { echo "$1" | "$program" -q sudoku solve --solutions-only; }
"$program" -q sudoku trace $puzzle --html "$folder/sudoku.html"
"$program" -q sudoku trace $puzzle --all --steps 50000 >"$folder/sudoku.txt"
plays sudoku "{steps: $(count '^[0-9,]*: ' "$folder/sudoku.txt"), sentences: $(sentences "$folder/sudoku.txt"),
    lastSolution: \"$(solution $puzzle)\", solutions: 1, nodes: $(count ' becomes ' "$folder/sudoku.txt"),
    deadEnds: $(count 'a dead end$' "$folder/sudoku.txt"), isWhole: true}"
looks sudoku 1500 "#40"
"$program" -q sudoku explain $hard --html "$folder/why.html"
"$program" -q sudoku explain $hard >"$folder/why.txt"
sed -n 's/^ *\([0-9][0-9]*\)\. *\(.*\)$/\1: \2/p' "$folder/why.txt" >"$folder/why_steps.txt"
plays why "{steps: $(count '^[0-9]*: ' "$folder/why_steps.txt"), sentences: $(sentences "$folder/why_steps.txt"),
    lastSolution: \"$(solution $hard)\", solutions: 1,
    nodes: $(grep -c -v -e 'contradiction$' -e ': back ' -e ': every cell' "$folder/why_steps.txt"),
    deadEnds: $(count 'contradiction$' "$folder/why_steps.txt"), isWhole: true}"
looks why 1800 "#20"

# The pictures in docs/: of a search, and of the times with which docs/scaling.md begins.
shot trace_page 1100 800 light "file://$folder/queens_8.html#1211"
printf 'threads,time\n1,10.2\n2,5.4\n4,3.1\n8,2.0\n16,1.6\n' >"$folder/times.csv"
absolute=$(realpath "$program")
(cd "$folder" && "$absolute" -q scale fit times.csv --html times.html >/dev/null)
shot scaling_page 800 1000 light "file://$folder/times.html"
for picture in trace_page scaling_page; do
    if [ -n "${TALLYBOARD_RENEW:-}" ]; then
        cp "$folder/$picture.png" "docs/pictures/$picture.png"
    elif ! cmp -s "$folder/$picture.png" "docs/pictures/$picture.png"; then
        echo "docs/pictures/$picture.png differs from target/pages/$picture.png: if the page has changed, renew it"
    fi
done
echo "$passed passed, 0 failed"
