"""Makes scipy_fits.txt: twenty sets of noisy times, and the parameters that scipy finds for them.

    pip install numpy scipy==1.17.1 && python3 scipy_fits.py > scipy_fits.txt
"""

import numpy
import scipy
from scipy.optimize import least_squares

THREADS = [[1, 2, 4, 8, 16, 32], [1, 2, 3, 4, 6, 8], [2, 4, 8, 16, 48], [1, 4, 16, 64, 256]]
LAWS = ["amdahl"] * 8 + ["universal"] * 9 + ["gustafson"] * 3


def time(law, one, contention, coherency, p):
    """Seconds of one unit of work with p threads."""
    if law == "gustafson":
        return one / (p - contention * (p - 1))
    return one * (1 + contention * (p - 1) + coherency * p * (p - 1)) / p


def fitted(law, p, times):
    """T(1), contention and coherency with the least relative errors, from nine first guesses."""
    free = 3 if law == "universal" else 2

    def whole(parameters):
        return list(parameters) + [0.0] * (3 - len(parameters))

    def residuals(parameters):
        found = time(law, *whole(parameters), p)
        # Gustafson's law is fitted to rates.
        return times / found - 1 if law == "gustafson" else found / times - 1

    upper = [numpy.inf, 1.0] if law == "gustafson" else [numpy.inf] * free
    best = None
    for contention in [1e-3, 0.05, 0.3]:
        for coherency in [0, 1e-4, 1e-2]:
            found = least_squares(
                residuals,
                [times[0], contention, coherency][:free],
                bounds=([1e-30] + [0] * (free - 1), upper),
                xtol=1e-15, ftol=1e-15, gtol=1e-15, max_nfev=5000,
                x_scale=[times[0], 0.1, 0.01][:free],
            )
            if best is None or found.cost < best.cost:
                best = found
    return whole(best.x)


def digits(numbers):
    """Six digits: further ones, and what is left of a bound at 0, differ from machine to machine."""
    return " ".join("%.6g" % (number if number > 1e-12 else 0) for number in numbers)


random = numpy.random.default_rng(79)
print(
    "# law; threads; times in seconds; T(1), contention, coherency: fitted by scipy "
    + scipy.__version__
    + ", optimize.least_squares, relative residuals, bounds at 0"
)
for number, law in enumerate(LAWS):
    threads = THREADS[number % len(THREADS)]
    p = numpy.array(threads, float)
    one = 10 ** random.uniform(-6, 3)
    contention = random.choice([0.0, 0.01, 0.05, 0.2, 0.6])
    coherency = random.choice([0.0, 1e-4, 2e-3, 0.03]) if law == "universal" else 0.0
    times = time(law, one, contention, coherency, p) * (1 + 0.05 * random.standard_normal(len(p)))
    times = numpy.array([float("%.6g" % seconds) for seconds in times])
    row = [law, " ".join(map(str, threads)), digits(times), digits(fitted(law, p, times))]
    print("; ".join(row))
