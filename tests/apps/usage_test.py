"""Usage: verbs, options, help, and how long an answer takes."""

import os
import subprocess
import unittest

import support
from support import aplomb

VERBS = ("rise", "demo", "run", "demonstrate", "retarget", "estimate", "list", "info", "doctor", "bench")
ROBOTS = ("balancer", "coman", "hoap3", "sarcos", "sarcos_heavy", "sarcos_real")
SCENARIOS = ("stand_balancer", "stand_coman", "stand_hoap3", "stand_sarcos")
ANSWER_S = 0.1 * (20 if support.SANITIZED else 1)


class Verbs(support.AppTest):
    def test_no_verb_is_answered_with_the_verbs(self):
        self.refuse_here([], *VERBS, "--help")

    def test_a_wrong_verb_is_answered_with_the_nearest(self):
        self.refuse_here(["rnu"], "'rnu'", "closest is 'run'", *VERBS)

    def test_an_empty_verb_is_a_wrong_verb(self):
        self.refuse_here([""], "verb", *VERBS)

    def test_an_unknown_option_is_answered_with_the_nearest(self):
        self.refuse_here(["list", "--jsn"], "'--jsn'", "`aplomb list`", "closest is '--json'")
        self.refuse_here(["--jsn"], "'--jsn'", "--version")

    def test_an_unknown_option_is_reported_before_a_missing_argument(self):
        self.refuse_here(["run", "--ot=x"], "'--ot'", "'--out'")

    def test_a_missing_argument_is_named(self):
        for verb, argument in (("run", "SCENARIO"), ("info", "ROBOT"), ("doctor", "FILE")):
            self.refuse_here([verb], argument, f"`aplomb {verb} --help`")

    def test_a_missing_argument_is_explained(self):
        self.refuse_here(["run"], "SCENARIO is missing: a name from `aplomb list`, or a YAML file")

    def test_a_verb_that_resembles_none_gets_no_suggestion(self):
        self.assertNotIn("closest", self.run_here("search").err)

    def test_counts_out_of_range_are_answered_with_what_is_counted(self):
        self.refuse_here(["run", "stand_coman", "--repeat", "0"], "0 runs is not within 1 ... 100000 runs")
        self.refuse_here(["run", "stand_coman", "--repeat", "abc"], "'abc' is not a whole number of runs")
        self.refuse_here(["run", "stand_coman", "--jobs", "100000"], "100000 parallel runs is not within 1 ... 1024")

    def test_a_surplus_argument_is_named(self):
        self.refuse_here(["info", "coman", "hoap3"], "'hoap3'", "`aplomb info --help`")

    def test_an_option_without_its_value_is_named(self):
        self.refuse_here(["run", "stand_coman", "--out"], "--out", "`aplomb run --help`")

    def test_a_value_with_line_breaks_still_makes_one_line(self):
        self.refuse_here(["run", "a\nb\nc"], "a b c")


class Names(support.AppTest):
    def test_an_unknown_robot_is_answered_with_the_nearest_and_all(self):
        self.refuse_here(["info", "cman"], "'cman'", "closest is 'coman'", *ROBOTS)

    def test_an_unknown_scenario_is_answered_with_the_nearest_and_all(self):
        self.refuse_here(["run", "stand_comn"], "'stand_comn'", "closest is 'stand_coman'", "valid: balance_")

    def test_all_unknown_controllers_are_named_at_once(self):
        self.refuse_here(["compare", "stand_coman", "--controllers", "joint_pd,foo,bar"], "'foo', 'bar'", "joint_pd")
        self.refuse_here(["compare", "stand_coman", "--controllers", "joint_pb"], "'joint_pb'", "closest is 'joint_pd'")

    def test_an_unknown_benchmark_is_answered_with_all(self):
        self.refuse_here(["bench", "--filter", "nothing"], "'nothing'", "robot_terms", "cycle_joint_pd")

    def test_an_unknown_log_format_is_answered_with_all(self):
        self.refuse_here(["run", "stand_coman", "--out", "x", "--log", "csv,xml"], "'xml'", "csv", "npz")


class Help(support.AppTest):
    def test_the_program_explains_itself_and_names_every_verb(self):
        outcome = aplomb("--help")
        self.assertEqual((outcome.code, outcome.err), (0, ""))
        for verb in VERBS:
            self.assertRegex(outcome.out, rf"(?m)^  {verb} ")
        self.assertIn("aplomb VERB --help", outcome.out)

    def test_every_verb_explains_itself_with_an_example(self):
        for verb in VERBS:
            outcome = aplomb(verb, "--help")
            self.assertEqual((outcome.code, outcome.err), (0, ""), verb)
            self.assertRegex(outcome.out, rf"(?m)^  aplomb {verb}\b")

    def test_help_fits_a_terminal_of_100_columns(self):
        for arguments in ([], *([verb] for verb in VERBS)):
            for line in aplomb(*arguments, "--help").out.splitlines():
                self.assertLessEqual(len(line), 100, line)

    def test_the_version_names_the_commit(self):
        self.assertRegex(aplomb("--version").out, r"\Aaplomb \d+\.\d+\.\d+ \([0-9a-z-]+\)\n\Z")


class Answers(support.AppTest):
    def test_list_shows_scenarios_robots_and_controllers(self):
        outcome = aplomb("list")
        self.assertEqual((outcome.code, outcome.err), (0, ""))
        for name in (*ROBOTS, *SCENARIOS, "joint_pd"):
            self.assertIn(name, outcome.out)
        listed = support.strict_json(aplomb("list", "--json").out)
        self.assertLessEqual(set(ROBOTS), {robot["name"] for robot in listed["robots"]})
        self.assertLessEqual(set(SCENARIOS), {scenario["name"] for scenario in listed["scenarios"]})

    def test_info_describes_each_robot_in_words_and_in_json(self):
        for robot in ROBOTS:
            outcome = aplomb("info", robot)
            self.assertEqual((outcome.code, outcome.err), (0, ""))
            described = support.strict_json(aplomb("info", robot, "--json").out)
            self.assertGreater(described["mass_kg"], 1)
            self.assertIn(f"{described['mass_kg']:.4f} kg", outcome.out)
            for joint in described["joints"]:
                self.assertRegex(outcome.out, rf"(?m)^{joint['name']} ")
            self.assertNotIn("-0.0000 ", outcome.out.split("joint")[0])

    def test_info_list_and_help_answer_in_100_ms(self):
        for arguments in (["--help"], ["run", "--help"], ["list"], ["info", "sarcos"], ["info", "coman", "--json"]):
            # The time that the processor spent on it: on a busy machine the clock on the wall measures the others.
            times = sorted(self.processor_time(arguments) for _ in range(5))
            print(f"aplomb {' '.join(arguments)}: {1e3 * times[2]:.0f} ms")
            self.assertLess(times[2], ANSWER_S, arguments)

    def processor_time(self, arguments) -> float:
        process = subprocess.Popen([support.PROGRAM, *arguments], stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(process.returncode, 0, arguments)  # a program that does not start answers in 1 ms
        return usage.ru_utime + usage.ru_stime

    def test_bench_answers_in_json_without_allocations(self):
        results = support.strict_json(aplomb("bench", "--filter", "terms", "--json").out)["results"]
        self.assertEqual([result["name"] for result in results], ["pinocchio_all_terms", "robot_terms"])
        for result in results:
            self.assertEqual(result["allocations"], 0)
            self.assertLessEqual(0, result["p50_us"])
            self.assertLessEqual(result["p50_us"], result["p99_us"])


class BrokenStreams(support.AppTest):
    def test_output_that_cannot_be_written_is_an_error(self):
        for arguments in (["list"], ["info", "sarcos", "--json"], ["--help"], ["run", "stand_balancer", "--json"]):
            with open("/dev/full", "wb") as full:
                done = subprocess.run([support.PROGRAM, *arguments], stdout=full, stderr=subprocess.PIPE)
            self.assertEqual((done.returncode, done.stderr), (2, b"aplomb: error: cannot write to standard output\n"))

    def test_a_closed_stdout_is_an_error(self):
        done = subprocess.run(["/bin/sh", "-c", '"$0" list >&-', support.PROGRAM], stderr=subprocess.PIPE)
        self.assertEqual((done.returncode, done.stderr), (2, b"aplomb: error: cannot write to standard output\n"))

    def test_a_broken_stderr_changes_nothing_else(self):
        for redirection in ("2>/dev/full", "2>&-"):
            for arguments, code in (("nosuchverb", 2), ("run stand_balancer --out result", 0)):
                done = subprocess.run(["/bin/sh", "-c", f'"$0" {arguments} {redirection}', support.PROGRAM],
                                      stdout=subprocess.DEVNULL, cwd=self.folder)
                self.assertEqual(done.returncode, code, (arguments, redirection))


if __name__ == "__main__":
    unittest.main()
