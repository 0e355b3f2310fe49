"""`--plugin LIB`: a controller of the user's own in the installed program."""

import os
import unittest
from pathlib import Path

import support
from support import strict_json

PLUGIN = Path(support.PROGRAM).parent / "examples" / "10_plugin.so"


@unittest.skipUnless(PLUGIN.is_file(), f"no {PLUGIN}: build the target example_10_plugin")
class Plugin(support.AppTest):
    OWN = ("--plugin", PLUGIN, "--set", "controller.kind=damped_springs")

    def test_it_runs_with_its_own_keys(self):
        soft = self.run_here("run", "stand_balancer", *self.OWN, "--json")
        stiff = self.run_here("run", "stand_balancer", *self.OWN, "--json", "--set",
                              "controller.damped_springs.stiffness_nm_per_rad=5000")
        errors = [strict_json(outcome.out)["metrics"]["com_error_end_m"] for outcome in (soft, stiff)]
        self.assertLess(errors[1], 0.7 * errors[0])  # springs sag in inverse proportion to their stiffness
        self.refuse_here(["run", "stand_balancer", *self.OWN, "--set", "controller.damped_springs.stifness=1"],
                         "unknown key 'stifness'")

    def test_repeats_and_comparisons_know_it_too(self):
        repeated = self.run_here("run", "stand_balancer", *self.OWN, "--repeat", 2, "--json", "--out", "out")
        self.assertEqual(strict_json(repeated.out)["metrics"]["runs"], 2)
        compared = self.run_here("compare", "stand_balancer", "--plugin", PLUGIN, "--controllers",
                                 "joint_pd,damped_springs")
        self.assertEqual(compared.code, 0, compared)
        self.assertRegex(compared.out, r"(?m)^damped_springs ")

    def test_without_it_the_controller_is_unknown(self):
        self.refuse_here(["run", "stand_balancer", "--set", "controller.kind=damped_springs"], "damped_springs")

    def test_what_is_no_plugin_is_refused(self):
        text = self.write("text.so", "no library")
        self.refuse_here(["run", "stand_balancer", "--plugin", "none.so"], "no such file")
        self.refuse_here(["run", "stand_balancer", "--plugin", text.name], "text.so", "is no library that can be loaded")
        other = next(PLUGIN.parents[1].glob("lib/libaplomb_core.so"), None) or os.path.realpath("/lib/x86_64-linux-gnu/libm.so.6")
        self.refuse_here(["run", "stand_balancer", "--plugin", other], "aplomb_register_controllers")


if __name__ == "__main__":
    unittest.main()
