"""`aplomb doctor` on files that aplomb wrote itself: it says what they are and which command uses them."""

import pathlib
import unittest

import support

ROOT = pathlib.Path(__file__).resolve().parents[2]


class OwnFiles(support.AppTest):
    def says(self, file, *words):
        done = self.run_here("doctor", file)
        self.assertEqual(done.code, 0, done)
        for word in words:
            self.assertIn(word, done.out)

    def test_files_of_an_analysed_person_and_of_a_plan_are_named(self):
        for command in (("demonstrate", "natural", "--out", "person.c3d"), ("human", "person.c3d", "--out", "person")):
            self.assertEqual(self.run_here(*command).code, 0, command)
        self.run_here("retarget", "person", "--robot", "coman", "--out", "plan")  # how good the plan is does not matter here
        self.says("person/subject.yaml", "a subject's model", "markers     ", "aplomb human TRIAL --model person")
        self.says("person/trial.yaml", "an analysed trial", "rises       1", "aplomb retarget person --robot ROBOT")
        self.says("person/contacts.yaml", "contacts of a person over a recording", "contact     seat, 0.000 s")
        self.says("person/human.urdf", "a URDF robot")
        self.says("plan/contacts.yaml", "the contacts of a motion", "robot       coman", "seat")
        for name in ("plan/trajectory.csv", "plan/trajectory.npz"):
            self.says(name, "a robot's motion that `aplomb retarget` planned")

    def test_postures_are_named_with_their_sensors(self):
        self.assertEqual(self.run_here("identify", "--make-example", "postures.csv", "--robot", "sarcos_real",
                                       "--postures", "20").code, 0)
        self.says("postures.csv", "a posture file for `aplomb identify`", "left_foot (CoP)", "right_foot (CoP)",
                  "aplomb identify postures.csv --robot ROBOT")
        lines = (self.folder / "postures.csv").read_text().splitlines()
        lines[1] = lines[1].rpartition(",")[0] + ","  # an empty field
        self.write("damaged.csv", "\n".join(lines) + "\n")
        self.says("damaged.csv", "problem     1 values are no finite numbers")

    def test_a_log_is_named(self):
        self.assertEqual(self.run_here("run", "stand_coman", "--set", "duration_s=0.1", "--out", "run").code, 0)
        self.says("run/log.csv", "the log of a run", "aplomb view run")

    def test_robots_marker_sets_and_maps_are_named(self):
        self.says(ROOT / "robots" / "coman" / "coman.yaml", "a robot's description")
        self.says(ROOT / "marker_sets" / "cmu.yaml", "marker set 'cmu'")
        self.write("map.yaml", "left_hand: left_wrist_link\nright_hand: none\n")
        self.says("map.yaml", "a map of 2 segments of the person to links", "--map map.yaml")

    def test_a_damaged_subject_is_refused_with_its_place(self):
        self.write("subject.yaml", "skeleton: '47'\nsex: female\nmass_kg: -5\nsegments: {}\nmarkers: []\n")
        self.refuse_here(["doctor", "subject.yaml"], "subject.yaml:3:10", "mass_kg")


if __name__ == "__main__":
    unittest.main()
