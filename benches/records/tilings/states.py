#!/usr/bin/env python3
"""Counts a tiling of tilings.py in whole numbers of any size: python3 states.py squares 14.

A state is the set of covered items among those that are left; all states at an item are in one table.
"""

import sys

from tilings import problem

items, options = problem(sys.argv[1], int(sys.argv[2]))
place = {item: i for i, item in enumerate(items)}
first = [[] for _ in items]
for option in options:
    places = sorted(place[item] for item in option)
    first[places[0]].append(sum(1 << i - places[0] for i in places))
states = {0: 1}
for group in first:
    after = {}
    for covered, count in states.items():
        for option in [0] if covered & 1 else group:
            if not covered & option:
                left = (covered | option) >> 1
                after[left] = after.get(left, 0) + count
    states = after
print(states[0])
