"""Arrays over memory of the library: right numbers, no copies, and alive as long as somebody holds them."""

import gc
import unittest

import aplomb
import numpy as np


class Logs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.run_ = aplomb.run("stand_coman", {"duration_s": 0.2}, progress=False)

    def test_a_column_is_a_read_only_view_of_the_logs_memory(self):
        column, again = self.run_.log["com_x_m"], self.run_.log["com_x_m"]
        self.assertEqual(column.dtype, np.float64)
        self.assertEqual(column.ctypes.data, again.ctypes.data)  # no copy
        self.assertFalse(column.flags.writeable)
        self.assertEqual(column.strides[0], 8 * len(self.run_.log))
        np.testing.assert_allclose(np.diff(self.run_.log["time_s"]), 1e-3, rtol=1e-9)

    def test_a_column_outlives_the_run_that_it_is_of(self):
        run = aplomb.run("stand_coman", {"duration_s": 0.1}, progress=False)
        column = run.log["com_z_m"]
        before = column.copy()
        del run
        gc.collect()
        junk = [np.ones(100_000) for _ in range(20)]  # takes the memory, were it free
        np.testing.assert_array_equal(column, before)
        del junk

    def test_the_same_seed_gives_the_same_log(self):
        again = aplomb.run("stand_coman", {"duration_s": 0.2}, progress=False)
        for name, column in self.run_.log.items():
            np.testing.assert_array_equal(column, again.log[name], err_msg=name)


class Robots(unittest.TestCase):
    def setUp(self):
        self.robot = aplomb.Robot("coman")
        self.q = self.robot.posture()

    def test_terms_obey_their_laws(self):
        v = np.random.default_rng(1).normal(size=self.robot.nv)
        terms = self.robot.terms(self.q, v)
        np.testing.assert_allclose(terms.mass_matrix, terms.mass_matrix.T, atol=1e-12)
        self.assertGreater(np.linalg.eigvalsh(terms.mass_matrix).min(), 0.0)
        np.testing.assert_allclose(terms.com_jacobian @ v, terms.com_velocity, atol=1e-12)
        np.testing.assert_allclose(terms.momentum_matrix @ v, terms.momentum, atol=1e-10)
        np.testing.assert_allclose(terms.momentum[:3], terms.mass * terms.com_velocity, atol=1e-10)
        np.testing.assert_allclose(terms.jacobian("left_foot") @ v, terms.velocity("left_foot"), atol=1e-12)
        self.assertAlmostEqual(terms.gravity[2], 9.81 * terms.mass, places=6)

    def test_the_jacobian_is_the_derivative_of_the_pose(self):
        step = 1e-6
        terms = self.robot.terms(self.q)
        for joint in range(len(self.robot.joints)):
            q = self.q.copy()
            q[7 + joint] += step
            moved = self.robot.terms(q).pose("right_hand")[:3, 3] - terms.pose("right_hand")[:3, 3]
            np.testing.assert_allclose(moved / step, terms.jacobian("right_hand")[:3, 6 + joint], atol=1e-5)

    def test_views_outlive_the_terms(self):
        matrix = self.robot.terms(self.q).mass_matrix
        before = matrix.copy()
        gc.collect()
        np.testing.assert_array_equal(matrix, before)

    def test_any_array_that_numpy_understands_is_taken(self):
        expected = self.robot.terms(self.q).com.copy()
        doubled = np.repeat(self.q, 2)
        fortran = np.asfortranarray(np.stack([self.q, self.q]))
        for q in [list(self.q), tuple(self.q), doubled[::2], fortran[0], self.q[::-1][::-1], self.q.astype(">f8")]:
            np.testing.assert_allclose(self.robot.terms(q).com, expected, atol=1e-12)
        np.testing.assert_allclose(self.robot.terms(self.q.astype(np.float32)).com, expected, atol=1e-6)


if __name__ == "__main__":
    unittest.main()
