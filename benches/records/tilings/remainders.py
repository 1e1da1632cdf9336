#!/usr/bin/env python3
"""The least number with the given remainders, by the Chinese remainder theorem: remainders.py MODULUS:REMAINDER …"""

import sys

number, modulus = 0, 1
for pair in sys.argv[1:]:
    m, r = map(int, pair.split(":"))
    number += modulus * ((r - number) * pow(modulus, -1, m) % m)
    modulus *= m
print(number)
