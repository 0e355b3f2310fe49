"""The solvers' answers to random problems against scipy (bounded least squares) and proxsuite (quadratic programs).

    oracle_test.py PROGRAM    PROGRAM: print_solver_answers, which prints problems with our answers

Ends with 77 (a skipped test) when the oracles are not installed, and says so.
"""

import collections
import json
import os
import subprocess
import sys
import unittest

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # the matrices are small: threads only wait for each other

try:
    import numpy as np
    import proxsuite
    import scipy.optimize
except ImportError as missing:
    print(f"NOT COMPARED with the oracles: {missing}. `scripts/setup test` installs them (requirements/oracles.txt).")
    sys.exit(77)

PROGRAM = sys.argv.pop(1) if len(sys.argv) > 1 else "print_solver_answers"
COMPARISONS = 2000  # of bounded least squares, with each oracle
HIERARCHIES = 500
# Columns that differ in their last digits: whether they are two or one is each program's own opinion.
TOO_ROUGH = {"nearly dependent columns"}
# Units whose squares a quadratic program's Hessian cannot carry.
TOO_ROUGH_FOR_HESSIANS = TOO_ROUGH | {"column scales", "row scales", "extreme units"}
# What an oracle's own accuracy allows to ask, relative to the terms that cancel. `excess`: how far our objective may be
# above its one; `lack`: below it, which is its error; `distance`: between the two x where there is only one.
Oracle = collections.namedtuple("Oracle", "excess lack distance least_curvature")
SCIPY = Oracle(excess=1e-12, lack=1e-12, distance=1e-12, least_curvature=0)
PROXSUITE = Oracle(excess=1e-9, lack=1e-6, distance=1e-5, least_curvature=1e-2)


def answers(kind, count):
    run = subprocess.run([PROGRAM, kind, str(count)], check=True, capture_output=True, text=True)
    return [json.loads(line) for line in run.stdout.splitlines()]


def vector(numbers):
    return np.array(numbers, dtype=float)


def table(rows, columns):
    return vector(rows).reshape(-1, columns)


class Bounded:
    """One bounded least-squares problem; its objective as rows W x = c."""

    def __init__(self, answer):
        self.index, self.trouble, self.status = answer["index"], answer["trouble"], answer["status"]
        self.x = vector(answer["x"])
        n = len(self.x)
        D = vector(answer["D"])
        self.W = np.vstack([table(answer["A"], n), np.diag(D)])
        self.c = np.concatenate([answer["b"], D * answer["x0"]])
        self.C, self.d = table(answer["C"], n), vector(answer["d"])
        self.lower, self.upper = vector(answer["lower"]), vector(answer["upper"])

    def objective(self, x):
        return np.linalg.norm(self.W @ x - self.c) ** 2

    def terms(self):
        return np.linalg.norm(self.c) + np.linalg.norm(self.W) * np.linalg.norm(self.x)

    def is_unique(self, least):
        """The objective alone tells x from its neighbours, by enough for an oracle that stops at a gradient."""
        values = np.linalg.svd(self.W, compute_uv=False)
        return len(values) == len(self.x) and values[-1] > max(0.02 * values[0], least)


def scipy_least_squares(W, c, lower, upper):
    """scipy wants lower < upper (fixed variables move to the right-hand side) and numbers of about 1."""
    is_fixed = lower == upper
    scale = np.max(np.abs(W), initial=0.0) or 1.0
    W, c = W / scale, c / scale
    x = lower.copy()
    if is_fixed.all():
        return x
    free = ~is_fixed
    rest = c - W[:, is_fixed] @ lower[is_fixed]
    result = scipy.optimize.lsq_linear(W[:, free], rest, (lower[free], upper[free]), method="bvls", tol=1e-14,
                                       lsq_solver="exact", max_iter=1000)
    x[free] = result.x
    return x


def proxqp(H, g, A, b, C, lower, upper):
    """min x'Hx/2 + g'x, A x = b, lower <= C x <= upper"""
    qp = proxsuite.proxqp.dense.QP(len(g), A.shape[0], C.shape[0])
    qp.settings.eps_abs = 1e-11
    qp.settings.eps_rel = 0
    qp.settings.max_iter = 1000
    qp.init(H, g, A, b, C, np.maximum(lower, -1e20), np.minimum(upper, 1e20))
    qp.solve()
    is_solved = qp.results.info.status == proxsuite.proxqp.QPSolverOutput.PROXQP_SOLVED
    return qp.results.x if is_solved else None


class BoundedLeastSquares(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.problems = [Bounded(answer) for answer in answers("bounded", 4 * COMPARISONS)]

    def compare(self, problem, x, oracle):
        what = f"problem {problem.index}, {problem.trouble}"
        self.assertEqual(problem.status, "solved", what)
        excess = problem.objective(problem.x) - problem.objective(x)
        self.assertLessEqual(excess, oracle.excess * problem.terms() ** 2, what)
        self.assertGreaterEqual(excess, -oracle.lack * problem.terms() ** 2, what)
        if problem.is_unique(oracle.least_curvature):
            self.assertLessEqual(np.linalg.norm(problem.x - x), oracle.distance * max(1.0, np.linalg.norm(x)), what)

    def test_agrees_with_scipy(self):
        without_equalities = [problem for problem in self.problems
                              if len(problem.d) == 0 and problem.trouble not in TOO_ROUGH]
        for problem in without_equalities[:COMPARISONS]:
            x = scipy_least_squares(problem.W, problem.c, problem.lower, problem.upper)
            self.compare(problem, x, SCIPY)
        self.assertGreaterEqual(len(without_equalities), COMPARISONS)

    def test_agrees_with_proxsuite(self):
        compared = given_up = 0
        for problem in self.problems:
            if problem.trouble in TOO_ROUGH_FOR_HESSIANS or compared == COMPARISONS:
                continue
            # What the equalities can reach at best is unique: scipy finds it, proxsuite holds it.
            reachable = problem.C @ scipy_least_squares(problem.C, problem.d, problem.lower, problem.upper) \
                if len(problem.d) else problem.d
            self.assertLess(np.linalg.norm(problem.C @ problem.x - reachable),
                            1e-8 * (1 + np.linalg.norm(problem.C) * np.linalg.norm(problem.x)), problem.index)
            identity = np.eye(len(problem.x))
            x = proxqp(problem.W.T @ problem.W, -problem.W.T @ problem.c, problem.C, reachable, identity,
                       problem.lower, problem.upper)
            if x is None:
                given_up += 1
                continue
            self.compare(problem, x, PROXSUITE)
            compared += 1
        self.assertEqual(compared, COMPARISONS)
        self.assertLess(given_up, COMPARISONS / 20)


class Hierarchy(unittest.TestCase):
    def lexicographic_costs(self, levels, n):
        """Each level a quadratic program over (x, slacks of its bounds), the optima of those above as constraints."""
        equal, equal_to = np.zeros((0, n)), np.zeros(0)
        rows, low, high = np.zeros((0, n)), np.zeros(0), np.zeros(0)
        costs = []
        for level in levels:
            A, b, C = table(level["A"], n), vector(level["b"]), table(level["C"], n)
            lower, upper = vector(level["lower"]), vector(level["upper"])
            k = len(lower)
            # min |A x - b|² + |w|²  with  lower <= C x - w <= upper
            W = np.block([[A, np.zeros((len(b), k))], [np.zeros((k, n)), np.eye(k)]])
            c = np.concatenate([b, np.zeros(k)])
            bounded = np.block([[rows, np.zeros((len(low), k))], [C, -np.eye(k)]])
            z = proxqp(W.T @ W, -W.T @ c, np.hstack([equal, np.zeros((len(equal_to), k))]), equal_to, bounded,
                       np.concatenate([low, lower]), np.concatenate([high, upper]))
            if z is None:
                return None
            x, w = z[:n], z[n:]
            costs.append(np.linalg.norm(W @ z - c))
            equal, equal_to = np.vstack([equal, A]), np.concatenate([equal_to, A @ x])
            rows, low, high = np.vstack([rows, C]), np.append(low, lower + w), np.append(high, upper + w)
        return costs

    def test_is_the_lexicographic_optimum_of_a_sequence_of_quadratic_programs(self):
        compared = {False: 0, True: 0}
        for answer in answers("hierarchy", 4 * HIERARCHIES):
            x, levels = vector(answer["x"]), answer["levels"]
            has_bounds = any(level["lower"] for level in levels)
            if answer["damping"] > 0 or compared[has_bounds] == HIERARCHIES // 2:
                continue
            self.assertEqual(answer["status"], "solved", answer["index"])
            costs = self.lexicographic_costs(levels, len(x))
            if costs is None:
                continue
            compared[has_bounds] += 1
            for number, (level, cost) in enumerate(zip(levels, costs)):
                A, b, C = table(level["A"], len(x)), vector(level["b"]), table(level["C"], len(x))
                value = C @ x
                distance = np.maximum(value - level["upper"], 0) + np.maximum(level["lower"] - value, 0)
                ours = np.hypot(np.linalg.norm(A @ x - b), np.linalg.norm(distance))
                terms = np.linalg.norm(b) + (np.linalg.norm(A) + np.linalg.norm(C)) * np.linalg.norm(x)
                self.assertLess(abs(ours - cost), 1e-6 * (terms + 1e-3), f"{answer['index']}, level {number + 1}")
        self.assertEqual(compared, {False: HIERARCHIES // 2, True: HIERARCHIES // 2})


if __name__ == "__main__":
    unittest.main()
