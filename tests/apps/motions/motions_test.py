"""`aplomb convert` and `aplomb grade` as their users meet them, and robots in MJCF, on motions that are made here."""

import unittest

import support

ROBOT = """<mujoco model="biped"><compiler angle="radian"/><worldbody><body name="trunk" pos="0 0 0.9"><freejoint/>
<geom type="box" size="0.1 0.15 0.2" mass="10"/>{legs}</body></worldbody></mujoco>"""
LEG = """<body name="{s}_thigh" pos="0 {y} -0.2"><joint name="{s}_hip" axis="0 1 0" range="-2 2"/>
<geom type="capsule" size="0.05" fromto="0 0 0 0 0 -0.3" mass="2"/>
<body name="{s}_shank" pos="0 0 -0.3"><joint name="{s}_knee" axis="0 1 0" range="0 2.5"/>
<geom type="capsule" size="0.04" fromto="0 0 0 0 0 -0.3" mass="1"/>
<body name="{s}_foot" pos="0 0 -0.3"><joint name="{s}_ankle" axis="0 1 0" range="-1 1"/>
<geom type="box" size="0.1 0.05 0.02" pos="0.03 0 -0.03" mass="0.5"/></body></body></body>"""
YAML = """robot: biped
urdf: biped.xml
roles: {pelvis: trunk, left_foot: left_foot, right_foot: right_foot}
soles:
  left: {x_m: [-0.07, 0.13], y_m: [-0.05, 0.05], z_m: -0.05}
  right: {x_m: [-0.07, 0.13], y_m: [-0.05, 0.05], z_m: -0.05}
"""


class Motions(support.AppTest):
    def setUp(self):
        super().setUp()
        legs = LEG.format(s="left", y=0.1) + LEG.format(s="right", y=-0.1)
        self.write("biped.xml", ROBOT.format(legs=legs))
        self.write("biped.yaml", YAML)
        self.write("stand.csv", "".join(f"{1e-4 * i},0,0.851,0,0,0.5,0.8660254,0,0,0,0,0,0\n" for i in range(120)))

    def test_an_mjcf_robot_is_described(self):
        outcome = self.run_here("info", "biped.xml", "--json")
        self.assertEqual(outcome.code, 0, outcome.err)
        self.assertAlmostEqual(support.strict_json(outcome.out)["mass_kg"], 17.0)

    def test_a_table_goes_through_an_archive_and_back(self):
        outcome = self.run_here("convert", "stand.csv", "stand.npz", "--robot", "biped.xml")
        self.assertEqual(outcome.code, 0, outcome.err)
        self.assertIn("assumed   60 frames/s (--fps)", outcome.out)
        outcome = self.run_here("convert", "stand.npz", "back.csv", "--robot", "biped.xml", "--json")
        self.assertEqual(outcome.code, 0, outcome.err)
        read = support.strict_json(outcome.out)
        self.assertEqual((read["format"], read["frames"], read["assumed"]), ("training", 120, []))

    def test_tables_as_other_programs_write_them_are_the_same_motion(self):
        def converted(text):
            self.write("other.csv", text)
            outcome = self.run_here("convert", "other.csv", "out.csv", "--robot", "biped.xml")
            self.assertEqual(outcome.code, 0, outcome.err)
            return (self.folder / "out.csv").read_text()

        plain = (self.folder / "stand.csv").read_text()
        expected = converted(plain)
        names = "x,y,z,qx,qy,qz,qw,left_hip,left_knee,left_ankle,right_hip,right_knee,right_ankle"
        for text in ("\ufeff" + plain, "# of a biped\n" + plain, plain.replace(",", ";"), plain.replace(",", "\t"),
                     plain.replace(",", "  "), plain.replace("\n", ",\n"), plain.replace("\n", "\r\n")):
            self.assertEqual(converted(text), expected, text[:80])
        self.assertEqual(converted("# " + names + "\n" + plain), converted(names + "\n" + plain))

    def test_a_fault_is_refused_in_one_line_and_nothing_is_written(self):
        self.write("nan.csv", "0,0,0.85,0,0,0,1,0,0,0,0,0,nan\n" * 10)
        self.refuse_here(["convert", "nan.csv", "out.csv", "--robot", "biped.xml"], "nan.csv", "finite")
        self.write("short.csv", "0,0,0.85,0,0,0,1,0,0,0,0,0\n" * 10)
        self.refuse_here(["convert", "short.csv", "out.csv", "--robot", "biped.xml"], "12 columns", "13")
        self.refuse_here(["convert", "stand.csv", "out.npz", "--robot", "biped.xml", "--to", "csv"], ".csv")
        self.refuse_here(["convert", "stand.csv", "out.csv", "--robot", "biped.xml", "--to", "bvh"], "training")
        self.assertNotIn("out.csv", self.files_here())

    def test_a_standing_robot_has_an_a_and_a_floating_one_fails(self):
        outcome = self.run_here("grade", "stand.csv", "--robot", "biped.xml", "--at-least", "A", "--out", "grade")
        self.assertEqual(outcome.code, 0, outcome.out + outcome.err)
        for name in ("metrics.json", "log.csv", "report.html"):
            self.assertIn(f"grade/{name}", self.files_here())
        self.write("float.csv", "0,0,0.9,0,0,0.5,0.8660254,0,0,0,0,0,0\n" * 120)
        outcome = self.run_here("grade", "stand.csv", "float.csv", "--robot", "biped.xml", "--at-least", "B", "--out", "grades")
        self.assertEqual(outcome.code, 1, outcome.err)
        self.assertIn("grades/grades.csv", self.files_here())
        self.assertIn("grades/float/report.html", self.files_here())
        outcome = self.run_here("grade", "stand.csv", "none.csv", "--robot", "biped.xml")
        self.assertEqual(outcome.code, 1)
        self.assertIn("not read: none.csv", outcome.err)

    def test_a_floating_robot_is_repaired_in_the_format_that_it_came_in(self):
        self.write("float.csv", "0,0,0.88,0,0,0.5,0.8660254,0,0,0,0,0,0\n" * 120)
        self.refuse_here(["grade", "float.csv", "--robot", "biped.xml", "--repair"], "--out")
        outcome = self.run_here("grade", "float.csv", "--robot", "biped.xml", "--repair", "--at-least", "A", "--out", "mended", "--json")
        self.assertEqual(outcome.code, 0, outcome.out + outcome.err)
        metrics = support.strict_json(outcome.out)["metrics"]
        self.assertEqual((metrics["grade"], metrics["repaired_grade"]), ("E", "A"))
        self.assertGreater(metrics["body_change_mean_m"], 0.02)
        for name in ("float_repaired.csv", "report.html", "repaired/report.html"):
            self.assertIn(f"mended/{name}", self.files_here())
        outcome = self.run_here("grade", "mended/float_repaired.csv", "--robot", "biped.xml", "--at-least", "A")
        self.assertEqual(outcome.code, 0, outcome.out + outcome.err)


if __name__ == "__main__":
    unittest.main()
