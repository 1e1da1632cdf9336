#!/usr/bin/env bash
# Opens the scaling page in headless Chromium, at phone and desktop width, light and dark, and checks
# that something was drawn and that nothing runs over the edge. Installs Debian's chromium if missing.
# Pictures stay in target/pages/ to be looked at.
set -euo pipefail
cd "$(dirname "$0")/.."
skip() { echo "SKIPPED: pages: $*"; exit 0; }

if ! command -v chromium >/dev/null; then
    [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || skip "no chromium, and it cannot be installed"
    (apt-get update && apt-get install -y --no-install-recommends chromium) >/dev/null 2>&1 ||
        skip "chromium cannot be installed"
fi
cargo build --quiet --locked
folder=$PWD/target/pages
mkdir -p "$folder"
target/debug/tallyboard scale queens 10 -P 1,2,3,4 -r 4 --granularity --html "$folder/page.html" >/dev/null

browse() { timeout 60 chromium --headless --no-sandbox --disable-gpu --hide-scrollbars "$@" 2>/dev/null; }
# A copy with a script of the test's own, which writes the width of the content into the title.
sed 's|</body>|<script>document.title=document.documentElement.scrollWidth+"/"+innerWidth</script></body>|' \
    "$folder/page.html" >"$folder/probe.html"

passed=0
for width in 390 1280; do
    widths=$(browse --window-size=$width,900 --dump-dom "file://$folder/probe.html" |
        sed -n 's|.*<title>\([0-9]*/[0-9]*\)</title>.*|\1|p' | head -1)
    [ -n "$widths" ] && [ "${widths%/*}" -le "${widths#*/}" ] ||
        { echo "FAILED: at $width pixels the content is as wide as $widths"; exit 1; }
    passed=$((passed + 1))
    for scheme in 0 1; do
        shot=$folder/page-$width-$([ $scheme = 0 ] && echo dark || echo light).png
        rm -f "$shot"
        browse --blink-settings=preferredColorScheme=$scheme --window-size=$width,2600 \
            --screenshot="$shot" "file://$folder/page.html" >/dev/null
        [ "$(stat -c %s "$shot")" -gt 30000 ] || { echo "FAILED: $shot is all but empty"; exit 1; }
        passed=$((passed + 1))
    done
    cmp -s "$folder/page-$width-dark.png" "$folder/page-$width-light.png" &&
        { echo "FAILED: dark and light look the same"; exit 1; }
done
echo "$passed passed, 0 failed"
