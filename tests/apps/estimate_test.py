"""`aplomb estimate` as its users meet it: the log of a run in the laboratory profile, and logs that cannot be used."""

import unittest

import support


class Estimate(support.AppTest):
    def test_the_log_of_a_laboratory_run_is_estimated(self):
        outcome = self.run_here("run", "stand_coman", "--set", "sensors.profile=laboratory", "--set", "duration_s=1",
                                "--log", "csv", "--out", "run")
        self.assertEqual(outcome.code, 0, outcome.err)
        outcome = self.run_here("estimate", "run/log.csv", "--robot", "coman", "--out", "estimate", "--json")
        self.assertEqual(outcome.code, 0, outcome.err)
        metrics = support.strict_json(outcome.out)["metrics"]
        # Three units with 3 mg and 0.1 degrees: 2 mrad about each axis; four times that.
        self.assertLess(metrics["base_tilt_error_max_rad"], 8e-3)
        self.assertEqual(metrics["slips"], 0)
        for name in ("metrics.json", "log.csv", "report.html"):
            self.assertIn(f"estimate/{name}", self.files_here())

    def test_a_log_without_the_sensors_is_answered_with_the_missing_columns(self):
        self.write("log.csv", "time_s,com_x_m\n0,0\n0.001,0\n")
        self.refuse_here(["estimate", "log.csv", "--robot", "coman"], "log.csv", "imu_acceleration_x_m_per_s2")


if __name__ == "__main__":
    unittest.main()
