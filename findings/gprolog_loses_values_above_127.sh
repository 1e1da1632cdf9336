#!/usr/bin/env bash
# What: GNU Prolog drops values above 127 from a domain with holes; with #=# it says nothing, and 12 of the 15 squares up to 200 are found.
# Version: GNU Prolog 1.4.5 (Debian 12, 1.4.5.0-3). Its manual documents the limit (vector_max) and a warning, which #=# does not always give.
# Seen: 2026-11-29.
# Surprises: who counts solutions of puzzles with sums or products as variables; and by the order of the same constraints there is a
# solution or none. The warning, where there is one, is on standard output.
set -euo pipefail
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
(cd "$tmp" && apt-get -q download gprolog=1.4.5.0-3 && dpkg -x gprolog_*.deb .) >&2 || exit 77
cat >"$tmp/lost.pl" <<'PL'
squares(Top, Count) :-
    findall(S, (fd_domain([S, R], 0, Top), S #=# R * R, fd_labeling([S, R])), All), length(All, Count).
squares_by_bounds(Top, Count) :-
    findall(S, (fd_domain([S, R], 0, Top), S #= R * R, fd_labeling([S, R])), All), length(All, Count).
squares_by_hand(Top, Count) :-
    findall(S, (between(0, Top, R), S is R * R, S =< Top), All), length(All, Count).
said(Goal) :- ( call(Goal) -> write(yes) ; write(no) ), nl.

show(Top) :-
    squares(Top, Full), squares_by_bounds(Top, Bounds), squares_by_hand(Top, Right),
    write('squares up to '), write(Top), write(': #=# '), write(Full), write(', #= '), write(Bounds),
    write(', counted '), write(Right), nl.

:- initialization((
    show(120), show(200),
    write('not 5, then 150: '), said((fd_domain(X, 0, 200), X #\= 5, X #= 150)),
    write('150, then not 5: '), said((fd_domain(Y, 0, 200), Y #= 150, Y #\= 5)),
    fd_set_vector_max(200), show(200), halt)).
PL
home="$tmp/usr/lib/gprolog"
PL_PATH="$home" PATH="$PATH:$home/bin" timeout 60 "$home/bin/gprolog" --consult-file "$tmp/lost.pl" </dev/null 2>"$tmp/err" |
    sed -n '/^compiling\|^Copyright\|^By\|^Compiled\|compiled,/d;s/ (FD.*//;p' | tee "$tmp/seen"
diff "$tmp/seen" - <<'SEEN'
GNU Prolog 1.4.5 (64 bits)
squares up to 120: #=# 11, #= 11, counted 11
squares up to 200: #=# 12, #= 15, counted 15
not 5, then 150: Warning: Vector too small - maybe lost solutions
no
150, then not 5: yes
squares up to 200: #=# 15, #= 15, counted 15
SEEN
