"""What a run says: verdict, exit code, metrics, falls, and forces that no robot survives."""

import os
import re
import resource
import subprocess
import sys
import unittest

import support
from rise_bvh import rise_bvh
from support import aplomb, strict_json

CONTRACT = ["schema", "verb", "scenario", "verdict", "metrics", "checks", "faults", "provenance"]
METRICS = ["fell", "fell_at_s", "duration_s", "sim_warnings", "solver_failures", "held_ticks", "deadline_misses",
           "nonfinite_values", "failsafe_level", "failsafe_first_s",
           "com_error_rms_m", "com_error_max_m", "com_error_end_m", "trunk_tilt_max_rad", "cop_margin_min_m",
           "cop_command_rms_m", "zmp_margin_min_m", "torque_peak_ratio", "joint_limit_margin_min_rad", "slip_max_m",
           "torque_jump_max_nm", "contact_force_jump_max_n"]
STANDING = ("stand_balancer", "stand_coman", "stand_hoap3", "stand_sarcos")
MOST_MEMORY_KB = 200_000


class Standing(support.AppTest):
    def test_every_standing_scenario_passes(self):
        for scenario in STANDING:
            outcome = self.run_here("run", scenario, "--json")
            result = strict_json(outcome.out)
            self.assertEqual((outcome.code, outcome.err, result["verdict"]), (0, "", "pass"), outcome)
            metrics = result["metrics"]
            self.assertEqual(metrics["duration_s"], 5)
            self.assertIs(metrics["fell"], False)
            self.assertIsNone(metrics["fell_at_s"])
            self.assertLess(metrics["com_error_max_m"], 0.005)
            self.assertEqual([metrics[key] for key in ("sim_warnings", "solver_failures", "nonfinite_values")], [0, 0, 0])

    def test_the_summary_says_pass_and_how_many_checks_hold(self):
        outcome = aplomb("run", "stand_balancer")
        self.assertRegex(outcome.out, r"\APASS  stand_balancer: (\d+) of \1 checks hold\n")
        self.assertNotIn("\033", outcome.out)  # no colours in a pipe

    def test_a_standing_run_takes_less_than_200_mb_and_is_faster_than_real_time(self):
        measure = ("import resource, subprocess, sys; subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True);"
                   "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)")
        for scenario in STANDING:
            out = self.folder / scenario
            done = subprocess.run([sys.executable, "-c", measure, support.PROGRAM, "run", scenario, "--out", out],
                                  capture_output=True, text=True, check=True)
            factor = strict_json((out / "timing.json").read_text())["realtime_factor"]
            # The speed is shown, not judged: this machine may be busy with other tests.
            print(f"{scenario}: {int(done.stdout) / 1000:.0f} MB, {factor:.1f} x real time")
            if not support.SANITIZED:
                self.assertLess(int(done.stdout), MOST_MEMORY_KB)


class Contract(support.AppTest):
    def test_json_has_the_keys_of_the_contract_and_is_what_metrics_json_holds(self):
        outcome = self.run_here("run", "stand_coman", "--json", "--out", "result", "--set", "duration_s=0.2")
        self.assertEqual(outcome.out, (self.folder / "result/metrics.json").read_text())
        result = strict_json(outcome.out)
        self.assertEqual(list(result), CONTRACT)
        self.assertEqual([result[key] for key in ("schema", "verb", "scenario")], [1, "run", "stand_coman"])
        self.assertEqual(sorted(result["metrics"]), sorted(METRICS))
        self.assertEqual(sorted(result["provenance"]),
                         ["commit", "robot_sha256", "scenario_sha256", "seed", "version"])
        self.assertEqual(result["faults"], [])
        for check in result["checks"]:
            self.assertEqual(len({"equals", "below", "above"} & set(check)), 1)
            self.assertEqual(check["value"], result["metrics"][check["metric"]])
            self.assertIs(check["ok"], True)

    def test_an_override_changes_the_run_and_its_fingerprint(self):
        plain, changed = (strict_json(aplomb("run", "stand_coman", "--json", "--set", "duration_s=0.1", *more).out)
                          for more in ([], ["--set", "seed=5"]))
        self.assertEqual((plain["provenance"]["seed"], changed["provenance"]["seed"]), (1, 5))
        self.assertNotEqual(plain["provenance"]["scenario_sha256"], changed["provenance"]["scenario_sha256"])

    def test_a_file_runs_like_a_built_in_scenario(self):
        self.write("mine.yaml", "scenario: mine\nrobot: hoap3\nduration_s: 0.3\n")
        result = strict_json(self.run_here("run", "mine.yaml", "--json").out)
        self.assertEqual((result["scenario"], result["verdict"]), ("mine", "pass"))
        self.assertEqual(result["metrics"]["duration_s"], 0.3)


    def test_notes_of_a_run_are_printed(self):
        late = self.run_here("run", "stand_coman", "--set", "duration_s=0.1", "--set",
                             "events=[{push: {force_n: [10, 0, 0], start_s: 5}}]")
        self.assertIn("note: events.0.push starts at 5 s, when the run is over", late.err)
        self.assertEqual(self.run_here("run", "stand_coman", "--set", "duration_s=0.1").err, "")
        pushes = ", ".join(["{push: {force_n: [10, 0, 0], start_s: 5}}"] * 12)
        many = self.run_here("run", "stand_coman", "--set", "duration_s=0.1", "--set", f"events=[{pushes}]").err.splitlines()
        self.assertEqual((len(many), many[-1]), (9, "note: 4 more in the report (--out)"))

    def test_a_demonstration_without_plates_says_that_they_were_looked_for(self):
        bvh = self.write("person.bvh", rise_bvh())
        done = self.run_here("run", "sit_to_stand_coman", "--set", f"plan={{demonstration: {bvh}, parameters: 'true'}}",
                             "--set", "duration_s=0.1")
        self.assertIn("there is no person_grf.mot beside it", done.err)


class Failing(support.AppTest):
    def test_a_check_that_fails_gives_exit_1_and_the_folder_is_written(self):
        outcome = self.run_here("run", "stand_coman", "--out", "result", "--set", "duration_s=0.2",
                                "--set", "checks=[{metric: com_error_max_m, above: 1}]")
        self.assertEqual(outcome.code, 1)
        self.assertRegex(outcome.out, r"\AFAIL  stand_coman: 4 of 5 checks hold\n")
        self.assertIn("FAIL  com_error_max_m", outcome.out)
        self.assertEqual(len(os.listdir(self.folder / "result")), 6)
        self.assertEqual(strict_json((self.folder / "result/metrics.json").read_text())["verdict"], "fail")

    def test_a_robot_that_is_pushed_over_falls_and_the_run_ends_there(self):
        for scenario in STANDING:
            outcome = self.run_here("run", scenario, "--json", "--set", support.FALL, "--out", "result")
            result = strict_json(outcome.out)
            metrics = result["metrics"]
            self.assertEqual((outcome.code, result["verdict"]), (1, "fail"))
            self.assertIs(metrics["fell"], True)
            self.assertGreater(metrics["fell_at_s"], 0.1)
            self.assertLess(metrics["duration_s"], 5)
            self.assertEqual(metrics["duration_s"], metrics["fell_at_s"])
            rows = (self.folder / "result/log.csv").read_text().splitlines()
            self.assertEqual(len(rows) - 1, round(1000 * metrics["fell_at_s"]))

    def test_a_fall_fails_a_run_that_has_no_checks(self):
        outcome = self.run_here("run", "stand_coman", "--json", "--set", support.FALL, "--set", "checks=[]")
        result = strict_json(outcome.out)
        self.assertEqual((outcome.code, result["verdict"], result["metrics"]["fell"]), (1, "fail", True))
        repeated = self.run_here("run", "stand_coman", "--json", "--repeat", "2", "--set", support.FALL,
                                 "--set", "checks=[]")
        self.assertEqual((repeated.code, strict_json(repeated.out)["metrics"]["success_ratio"]), (1, 0))

    def test_robots_that_fall_in_a_comparison_are_shown_and_not_judged(self):
        command = ("compare", "stand_coman", "--controllers", "joint_pd,momentum_balance", "--set", support.FALL)
        shown = self.run_here(*command, "--out", "result")
        self.assertEqual(shown.code, 0)
        self.assertIn("not judged", shown.out)
        self.assertEqual(len(re.findall(r"at \d+\.\d+ s", shown.out)), 2)
        self.assertNotRegex(shown.out, r"(?i)pass")
        self.assertIn("<title>stand_coman: controllers compared on coman: not judged</title>",
                      (self.folder / "result/report.html").read_text())
        result = strict_json(self.run_here(*command, "--json").out)
        self.assertEqual((result["verdict"], result["checks"]), ("not_judged", []))

    def test_a_comparison_in_which_nothing_runs_is_refused(self):
        self.refuse_here(["compare", "stand_hoap3", "--controllers", "momentum_balance", "--out", "none"],
                         "none of the controllers can run stand_hoap3 on hoap3", "momentum_balance: ", "position-controlled")
        one = self.run_here("compare", "stand_hoap3", "--controllers", "momentum_balance,joint_pd", "--set", "duration_s=0.1")
        self.assertEqual(one.code, 0, one)
        self.assertIn("position-controlled", one.out)

    def test_forces_that_no_robot_survives_give_a_verdict_and_finite_numbers(self):
        for scenario in STANDING:
            for axis in range(3):
                for sign in (-1, 1):
                    force = [0, 0, 0]
                    force[axis] = sign * 1_000_000
                    push = f"events=[{{push: {{force_n: {force}, start_s: 0.01, duration_s: 1}}}}]"
                    outcome = self.run_here("run", scenario, "--json", "--set", push, "--set", "duration_s=1")
                    result = strict_json(outcome.out)  # which has no NaN
                    self.assertEqual((outcome.code, outcome.err, result["verdict"]), (1, "", "fail"), force)
                    trouble = [result["metrics"][key] for key in ("sim_warnings", "nonfinite_values")]
                    self.assertTrue(result["metrics"]["fell"] or any(trouble) or result["metrics"]["com_error_max_m"] > 1)


if __name__ == "__main__":
    unittest.main()
