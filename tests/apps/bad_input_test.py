"""Files and values that are wrong: each is refused with its place, what is valid, and nothing is left behind."""

import random
import unittest

import support

SCENARIO = """scenario: mine
robot: coman
duration_s: 1
events:
  - push: {force_n: [10, 0, 0], start_s: 0.2}
"""


class Files(support.AppTest):
    def test_a_missing_file_is_named(self):
        for verb in ("run", "doctor"):
            self.refuse_here([verb, "missing.yaml", *self.out(verb)], "missing.yaml", "no such file")
        for verb in ("info", "doctor"):
            self.refuse_here([verb, "missing.urdf"], "missing.urdf", "no such file")

    def test_a_missing_file_is_answered_with_the_nearest_name(self):
        self.write("my_run.yaml", SCENARIO)
        self.refuse_here(["run", "my_rnu.yaml"], "no such file; closest is 'my_run.yaml' beside it")
        self.refuse_here(["run", "stand_comann.yaml"], "no such file; closest is the name 'stand_coman'")
        self.refuse_here(["info", "comman.urdf"], "no such file; closest is the name 'coman'")
        self.refuse_here(["run", "stand_coman", "--set", "robot=./comann.urdf"], "closest is the name 'coman'")
        self.refuse_here(["run", "nowhere/mine.yaml"], "there is no folder 'nowhere'")

    def test_a_yaml_with_misspelt_keys_is_judged_by_its_other_keys(self):
        self.write("bad.yaml", "robot: coman\nduration: 1\n")
        self.refuse_here(["doctor", "bad.yaml"], "bad.yaml:2:1: unknown key 'duration'", "'duration_s'")
        self.write("bad.yaml", "robot: coman\nstart: {posture: half_sitting}\n")
        self.refuse_here(["doctor", "bad.yaml"], "bad.yaml", "'scenario'")
        self.write("bad.yaml", "robt: mine\nsoles: {}\n")
        self.refuse_here(["doctor", "bad.yaml"], "bad.yaml:1:1: unknown key 'robt'", "postures")

    def test_a_folder_instead_of_a_file_is_named(self):
        (self.folder / "folder.yaml").mkdir()
        (self.folder / "links.urdf").mkdir()
        for verb in ("run", "doctor"):
            self.refuse_here([verb, "folder.yaml", *self.out(verb)], "folder.yaml", "folder")
        for verb in ("info", "doctor"):
            self.refuse_here([verb, "./links.urdf"], "links.urdf", "is a")

    def test_an_empty_file_is_reported_as_empty(self):
        self.write("empty.yaml", "")
        self.write("nothing.urdf", "")
        for verb in ("run", "doctor"):
            self.refuse_here([verb, "empty.yaml", *self.out(verb)], "empty.yaml", "empty")
        for verb in ("info", "doctor"):
            self.refuse_here([verb, "./nothing.urdf"], "nothing.urdf", "empty")

    def test_a_binary_file_is_refused(self):
        for seed in range(20):
            noise = random.Random(seed).randbytes(3000)
            self.write("noise.yaml", noise)
            self.write("hiss.urdf", noise)
            self.refuse_here(["run", "noise.yaml", "--out", "result"], "noise.yaml")
            self.refuse_here(["doctor", "noise.yaml"], "noise.yaml")
            self.refuse_here(["info", "./hiss.urdf"], "hiss.urdf")

    def test_a_device_is_refused(self):
        for verb in ("run", "info", "doctor"):
            for device in ("/dev/zero", "/dev/null"):
                self.refuse_here([verb, device], device)

    def test_a_robot_is_not_a_scenario_nor_a_scenario_a_robot(self):
        self.write("robot.urdf", "<robot name='r'><link name='l'/></robot>")
        self.write("mine.yaml", SCENARIO)
        self.refuse_here(["run", "robot.urdf"], "robot.urdf", "not a scenario")
        self.refuse_here(["info", "mine.yaml"], "mine.yaml", "not a URDF", "aplomb doctor")

    def test_a_file_of_an_unknown_kind_is_refused_with_the_known_ones(self):
        self.write("notes.txt", "hello")
        self.refuse_here(["doctor", "notes.txt"], "notes.txt", "unknown extension .txt", ".urdf", ".yaml", ".c3d")

    def test_a_robots_description_without_its_urdf_is_named_itself(self):
        self.write("bad.yaml", "robot: mine\n")
        self.refuse_here(["doctor", "bad.yaml"], "error: bad.yaml", "URDF", "duration_s")

    def test_an_impossible_robot_is_refused_with_link_and_line(self):
        self.write("bad.urdf", "<robot name='r'>\n<link name='body'><inertial><mass value='-1'/>"
                               "<inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link></robot>")
        for verb in ("info", "doctor"):
            self.refuse_here([verb, "./bad.urdf"], "bad.urdf:2", "'body'", "mass")

    @staticmethod
    def out(verb):
        return ["--out", "result"] if verb == "run" else []


class Yaml(support.AppTest):
    def refuse(self, text: str, *words: str):
        self.write("mine.yaml", text)
        self.refuse_here(["run", "mine.yaml", "--out", "result"], *words)
        self.refuse_here(["doctor", "mine.yaml"], *words)

    def test_the_unmodified_scenario_is_valid(self):
        self.write("mine.yaml", SCENARIO)
        self.assertEqual(self.run_here("doctor", "mine.yaml").code, 0)

    def test_an_unknown_key_is_answered_with_its_place_and_the_nearest(self):
        self.refuse(SCENARIO.replace("duration_s: 1", "durations_s: 1"), "mine.yaml:3:1", "'durations_s'", "'duration_s'")
        self.refuse(SCENARIO.replace("start_s: 0.2", "strat_s: 0.2"), "mine.yaml:5:33", "'strat_s'", "'start_s'")

    def test_values_that_are_not_numbers_are_refused_with_their_place(self):
        for word in (".nan", ".inf", "-.inf", "soon", "[1]", "1e999"):
            self.refuse(SCENARIO.replace("duration_s: 1", f"duration_s: {word}"), "mine.yaml:3:13", "duration_s")
        self.refuse(SCENARIO.replace("[10, 0, 0]", "[10, .nan, 0]"), "mine.yaml:5:26")

    def test_durations_out_of_range_are_refused_with_the_range(self):
        for word in ("-1", "0", "1e9"):
            self.refuse(SCENARIO.replace("duration_s: 1", f"duration_s: {word}"), "mine.yaml:3:13", "at least 0.001", "3600")

    def test_forces_out_of_range_are_refused_with_the_range(self):
        self.refuse(SCENARIO.replace("[10, 0, 0]", "[1e9, 0, 0]"), "mine.yaml:5:", "1e+06", "[N]")

    def test_a_robot_posture_link_or_joint_that_does_not_exist_is_refused(self):
        self.refuse(SCENARIO.replace("coman", "cman"), "'cman'", "'coman'")
        self.refuse(SCENARIO + "start: {posture: half_siting}\n", "mine.yaml:6:", "'half_siting'", "half_sitting")
        self.refuse(SCENARIO + "start: {joint_offset_rad: {LKneSag: 0.1}}\n", "mine.yaml:6:", "'LKneSag'", "'LKneeSag'")
        self.refuse(SCENARIO.replace("{force_n", "{link: nose, force_n"), "mine.yaml:5:", "'nose'")

    def test_a_check_of_an_unknown_metric_is_refused(self):
        self.refuse(SCENARIO + "checks: [{metric: com_eror_max_m, below: 1}]\n", "mine.yaml:6:", "'com_error_max_m'")

    def test_a_tab_is_named_with_its_line(self):
        self.refuse(SCENARIO + "world:\n\tfloor: {friction: 1}\n", "mine.yaml:7: ", "a tab indents this line")

    def test_a_missing_key_is_named(self):
        self.refuse("scenario: mine\nrobot: coman\n", "mine.yaml", "duration_s")


class Overrides(support.AppTest):
    def refuse(self, override: str, *words: str):
        self.refuse_here(["run", "stand_coman", "--out", "result", "--set", override], *words)

    def test_an_override_without_key_or_value_is_refused(self):
        self.refuse("duration_s", "KEY=VALUE")
        self.refuse("=1", "--set =1")
        self.refuse("duration_s=", "duration_s")

    def test_an_override_of_an_unknown_key_is_answered_with_the_nearest(self):
        self.refuse("world.floor.frction=1", "'frction'", "friction")

    def test_an_override_with_an_invalid_value_is_refused(self):
        self.refuse("duration_s=-1", "--set duration_s=-1", "at least 0.001")
        self.refuse("duration_s=.nan", "finite")
        self.refuse("robot=nosuch", "'nosuch'")
        self.refuse("events.0.push.force_n=[1,0,0]", "events")
        self.refuse("events=[{", "--set events=[{")

    def test_an_item_of_an_empty_list_is_answered_with_how_to_add_one(self):
        self.refuse("events.0.push.start_s=1", "events has 0 items", "--set 'events=[{push: ...}]'")

    def test_a_wall_that_is_added_is_in_the_world_and_unknown_to_the_controller(self):
        wall = "world.walls=[{touches: right_hand, normal: [0, 1, 0]}]"
        done = self.run_here("run", "stand_coman", "--set", "duration_s=0.05", "--set", wall, "--json")
        self.assertIn(done.code, (0, 1), done.err)
        self.assertEqual([fault["name"] for fault in support.strict_json(done.out)["faults"]], ["wall_0_unknown"])

    def test_a_rise_without_a_chair_is_refused_at_once(self):
        self.refuse_here(["run", "balance_push_forward", "--set", "plan.style=natural"], "a rise needs a chair",
                         "world.chair.height_m")


if __name__ == "__main__":
    unittest.main()
