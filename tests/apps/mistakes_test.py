"""Sixty mistakes, as a new user makes them: each is answered with one line, exit code 2, the cause and the cure, and
nothing is written."""

import shutil
import unittest
from pathlib import Path

import support

ROBOTS = Path(__file__).resolve().parents[2] / "robots"

# What is typed, and words of the answer: the cause, and what is valid or what to do.
MISTAKES = [
    # the command line
    ([], "no verb given", "--help"),
    (["rnu"], "no verb named 'rnu'", "closest is 'run'"),
    (["rise"], "RECORDING is missing", "--help"),
    (["rise", "sts.c3d"], "--robot is missing", "`aplomb list`"),
    (["rise", "sts.c3d", "--robott", "coman"], "'--robott'", "closest is '--robot'"),
    (["run", "stand_coman", "hoap3"], "unexpected argument 'hoap3'", "--help"),
    (["run", "stand_coman", "--out"], "--out", "--help"),
    (["run", "stand_coman", "--repeat", "0"], "0 runs is not within 1 ... 100000 runs"),
    (["run", "stand_coman", "--repeat", "ten"], "'ten' is not a whole number of runs"),
    (["run", "stand_coman", "--log", "xml", "--out", "x"], "'xml'", "csv"),
    # names
    (["info", "comann"], "'comann'", "closest is 'coman'"),
    (["run", "stand_comann"], "'stand_comann'", "closest is 'stand_coman'"),
    (["compare", "stand_coman", "--controllers", "joint_pb"], "'joint_pb'", "closest is 'joint_pd'"),
    (["bench", "--filter", "nothing"], "'nothing'", "robot_terms"),
    (["demonstrate", "natral", "--out", "x.c3d"], "'natral'", "natural"),
    (["rise", "sts.c3d", "--robot", "comann"], "'comann'", "closest is 'coman'"),
    # files that are not there, or are something else
    (["rise", "stss.c3d", "--robot", "coman"], "no such file", "closest is 'sts.c3d' beside it"),
    (["human", "stss.c3d"], "no such file", "closest is 'sts.c3d' beside it"),
    (["doctor", "nowhere/sts.c3d"], "no such file", "there is no folder 'nowhere'"),
    (["info", "mime.urdf"], "no such file", "closest is 'mine.urdf' beside it"),
    (["rise", "sts.c3d", "--robot", "coman", "--forces", "grf.mot"], "grf.mot: no such file"),
    (["rise", "sts.c3d", "--robot", "coman", "--static", "still.c3d"], "still.c3d: no such file"),
    (["rise", "mine.urdf", "--robot", "coman"], "mine.urdf", "is not a motion", ".c3d"),
    (["rise", "empty", "--robot", "coman"], "contains no motion", ".c3d"),
    (["run", "mine.urdf"], "is a robot, not a scenario", "--set robot="),
    (["run", "empty"], "empty"),
    (["human", "broken.c3d"], "broken.c3d"),
    (["retarget", "broken.c3d", "--robot", "coman"], "broken.c3d"),
    (["info", "broken.urdf"], "broken.urdf"),
    (["view", "empty"], "has no result to show", "--out"),
    (["view", "sts.c3d"], "is not a folder", "--out"),
    (["view", "run", "--figure", "com", "--save", "com.png"], "'com.png'", ".svg"),
    (["view", "run", "--figure", "com", "--save", "com.pdf"], "'com.pdf'", ".svg"),
    (["view", "run", "--figure", "com"], "--figure NAME and --save FILE belong together"),
    (["doctor", "bad.yaml"], "bad.yaml", "'bad.urdf' does not exist"),
    (["identify", "postures.csv", "--robot", "sarcos_real"], "postures.csv: no such file"),
    (["estimate", "sensors.csv", "--robot", "coman"], "sensors.csv: no such file"),
    # quantities
    (["human", "sts.c3d", "--mass", "59200"], "59200 kg is not within 2 ... 400 kg", "is 59.2 kg meant?"),
    (["human", "sts.c3d", "--height", "175"], "175 m is not within", "is 1.75 m meant?"),
    (["human", "sts.c3d", "--sex", "X"], "--sex is F or M"),
    (["rise", "sts.c3d", "--robot", "coman", "--chair-height", "45"], "45 m is not within", "is 0.45 m meant?"),
    (["retarget", "sts.c3d", "--robot", "coman", "--chair-height", "45"], "45 m is not within", "is 0.45 m meant?"),
    (["rise", "sts.c3d", "--robot", "coman", "--chair-height", "0.6"], "--chair-height", "too high"),
    (["rise", "sts.c3d", "--robot", "coman", "--chair-height", "0.1"], "--chair-height", "it can from"),
    (["rise", "sts.c3d", "--robot", "coman", "--rise", "0"], "0 rises is not within 1"),
    (["rise", "sts.c3d", "--robot", "coman", "--rise", "2"], "has 1 rise", "there is no number 2"),
    # robots
    (["rise", "sts.c3d", "--robot", "mine.urdf"], "no left foot with a sole", "aplomb info mine.urdf --write-yaml"),
    (["rise", "sts.c3d", "--robot", "coman", "--robot-model", str(ROBOTS / "hoap3/hoap3.urdf")],
     "is not a model of robot 'coman'"),
    (["info", "mine.urdf", "--write-yaml", "mine.txt"], "ends in .yaml"),
    (["info", "blind.urdf", "--write-yaml", "blind.yaml"], "cannot be seen", "put a folder lost_description"),
    (["info", "mine.urdf", "--write-yaml", "bad.yaml"], "already exists"),
    # scenarios
    (["run", "typo.yaml"], "typo.yaml:3", "unknown key 'worlds'", "closest is 'world'"),
    (["run", "tab.yaml"], "tab.yaml:3", "a tab indents this line", "spaces"),
    (["run", "short.yaml"], "short.yaml", "duration_s"),
    (["run", "stand_coman", "--set", "duration_s=long"], "--set duration_s=long", "number"),
    (["run", "stand_coman", "--set", "duration_s"], "KEY=VALUE is expected"),
    (["run", "stand_coman", "--set", "world.flor.friction=1"], "'flor'", "closest is 'floor'"),
    (["run", "stand_coman", "--set", "events.0.push.start_s=1"], "there is no '0'", "--set 'events=["),
    (["run", "sit_to_stand_coman", "--set", "plan.demonstration=stss.c3d"], "stss.c3d", "closest is 'sts.c3d'"),
    (["run", "balance_push_forward", "--set", "plan.style=natural"], "a rise needs a chair"),
    (["run", "sit_to_stand_coman", "--set", "reference.trajectory.folder=plan"], "plan", "no such file"),
    (["rise", "sts.c3d", "--robot", "coman", "--out", "taken"], "taken", "will not be overwritten"),
]


class Mistakes(support.AppTest):
    def setUp(self):
        super().setUp()
        self.assertEqual(self.run_here("demonstrate", "natural", "--out", "sts.c3d").code, 0)
        urdf = (ROBOTS / "coman/coman.urdf").read_text()
        self.write("mine.urdf", urdf)
        self.write("blind.urdf", self.without_feet(urdf))
        self.write("broken.c3d", b"\x02\x50" + bytes(100))
        self.write("broken.urdf", "<robot name='broken'><link name='a'>")
        self.write("bad.yaml", "robot: bad\nurdf: bad.urdf\n")
        self.write("typo.yaml", "scenario: typo\nrobot: coman\nworlds: {}\nduration_s: 1\n")
        self.write("tab.yaml", "scenario: tab\nworld:\n\tfloor: {friction: 1}\nrobot: coman\nduration_s: 1\n")
        self.write("short.yaml", "scenario: short\nrobot: coman\n")
        for folder in ("empty", "run", "taken"):
            (self.folder / folder).mkdir()
        self.write("taken/note.txt", "mine")

    @staticmethod
    def without_feet(urdf: str) -> str:
        """The robot with feet that are meshes of a package that is not there."""
        import xml.etree.ElementTree as xml
        robot = xml.fromstring(urdf)
        for link in robot.findall("link"):
            if link.get("name") not in ("LFoot", "RFoot"):
                continue
            for shape in link.findall("collision") + link.findall("visual"):
                geometry = shape.find("geometry")
                geometry.clear()
                xml.SubElement(geometry, "mesh", filename="package://lost_description/foot.stl")
        return xml.tostring(robot, encoding="unicode")

    def test_each_is_answered_with_cause_and_cure_and_writes_nothing(self):
        self.assertGreaterEqual(len(MISTAKES), 60)
        for arguments, *words in MISTAKES:
            with self.subTest(" ".join(arguments)):
                self.refuse_here(arguments, *words)


if __name__ == "__main__":
    unittest.main()
