"""Every kind of file that the program reads, damaged in many ways: whatever it holds, the program answers.

    damaged_files_test.py [SEED [TIMES]]    TIMES multiplies the number of damaged files (1)
"""

import json
import pathlib
import random
import shutil
import sys
import tempfile
import time

import answers

ROOT = pathlib.Path(__file__).resolve().parents[2]
PIECES = [b"nan", b"-1", b"0", b"1e308", b"-1e-308", b"99999999999999999999", b"\x00", b"\xff\xfe", b"\t", b"\r\n", b",", b":",
          b"{", b"]", b"<", b"/>", b"&x", b"''", b"- ", b"..", b"   ", b"inf"]

BVH = """HIERARCHY
ROOT Hips
{
 OFFSET 0 0 0
 CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
 JOINT Knee
 {
  OFFSET 0 -40 0
  CHANNELS 3 Zrotation Yrotation Xrotation
  End Site
  {
   OFFSET 0 -40 0
  }
 }
}
MOTION
Frames: 20
Frame Time: 0.01
""" + "\n".join(f"0 {90 + frame} 0 1 2 3 4 5 6" for frame in range(20)) + "\n"

MARKERS = "time,LTOE_x,LTOE_y,LTOE_z,C7_x,C7_y,C7_z\n" + "".join(
    f"{0.01 * frame:.2f},0.2,0.1,0.05,0.0,0.0,{1.5 + 0.001 * frame}\n" for frame in range(60))

TRC = ("PathFileType\t4\t(X/Y/Z)\tm.trc\nDataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\tOrigDataStartFrame"
       "\tOrigNumFrames\n100\t100\t60\t2\tmm\t100\t1\t60\nFrame#\tTime\tLTOE\t\t\tC7\t\t\n\t\tX1\tY1\tZ1\tX2\tY2\tZ2\n\n" + "".join(
           f"{frame + 1}\t{0.01 * frame:.2f}\t200\t100\t50\t0\t0\t{1500 + frame}\n" for frame in range(60)))

PLATE = [f"ground_force_1_{kind}{axis}" for kind in "vpm" for axis in "xyz"]
FORCES = "forces\nnRows=60\nnColumns=10\ninDegrees=no\nendheader\n" + "\t".join(["time", *PLATE]) + "\n" + "".join(
    f"{0.01 * row:.2f}\t1\t600\t2\t0.1\t0\t0.2\t0\t3\t0\n" for row in range(60))


def damaged(content: bytes, dice: random.Random) -> bytes:
    """One to three of: cut off, a bit turned, bytes lost, doubled or inserted, a number or a line replaced."""
    for _ in range(dice.randint(1, 3)):
        at = dice.randrange(len(content) + 1)
        length = dice.choice((1, 8, 60, 400))
        kind = dice.randrange(8)
        lines = content.split(b"\n")
        if kind == 0:
            content = content[:at]
        elif kind == 1 and content:
            at = min(at, len(content) - 1)
            content = content[:at] + bytes([content[at] ^ (1 << dice.randrange(8))]) + content[at + 1:]
        elif kind == 2:
            content = content[:at] + content[at + length:]
        elif kind == 3:
            content = content[:at] + content[at:at + length] + content[at:]
        elif kind == 4:
            content = content[:at] + dice.choice(PIECES) + content[at:]
        elif kind == 5:
            words = content.split(b" ")
            words[dice.randrange(len(words))] = dice.choice(PIECES)
            content = b" ".join(words)
        elif kind == 6:
            lines.insert(dice.randrange(len(lines)), dice.choice(lines))
            content = b"\n".join(lines)
        else:
            lines.pop(dice.randrange(len(lines)))
            content = b"\n".join(lines)
    return content


def prepare(folder: pathlib.Path):
    """Sound files of every kind, from our own writers or by hand: [(file, arguments that read it, how many are damaged)]."""
    def make(*arguments):
        fault = answers.fault_of(arguments, folder)
        assert not fault, (arguments, fault)

    def write(name: str, text: str):
        (folder / name).write_text(text)

    for ending in ("urdf", "yaml"):
        shutil.copy(ROOT / f"robots/coman/coman.{ending}", folder / f"mine.{ending}")
    shutil.copy(ROOT / "scenarios/coman_wall.yaml", folder / "scenario.yaml")
    shutil.copy(ROOT / "scenarios/hoap3_tasks.yaml", folder / "tasks.yaml")
    shutil.copy(ROOT / "marker_sets/plug_in_gait.yaml", folder / "markers.yaml")
    write("motion.bvh", BVH)
    write("markers.csv", MARKERS)
    write("markers.trc", TRC)
    write("forces.mot", FORCES)
    write("links.yaml", "thorax: DWYTorso\nhead: none\n")
    make("demonstrate", "natural", "--out", "rise.c3d")
    make("human", "rise.c3d", "--out", "person")
    make("identify", "--make-example", "postures.csv", "--robot", "sarcos_real", "--postures", "24")
    make("retarget", "person", "--robot", "coman", "--out", "plan")
    write("follow.yaml", "scenario: follow\nrobot: coman\nduration_s: 0.02\nworld: {chair: {height_m: 0.25}}\n"
                         "reference: {trajectory: {folder: plan}}\ncontroller: {kind: joint_pd}\n")
    short = ("--set", "duration_s=0.02", "--json")
    doctors = [(name, ("doctor", name), 60)
               for name in ("rise.c3d", "markers.trc", "forces.mot", "motion.bvh", "markers.csv", "scenario.yaml", "mine.urdf")]
    doctors += [(name, ("doctor", name), 20)
                for name in ("person/subject.yaml", "person/trial.yaml", "plan/contacts.yaml", "plan/trajectory.npz",
                             "postures.csv", "markers.yaml", "links.yaml")]
    return doctors + [
        ("mine.urdf", ("info", "./mine.urdf"), 60), ("mine.yaml", ("info", "./mine.yaml"), 60),
        ("mine.yaml", ("run", "stand_coman", "--set", "robot=./mine.urdf", *short), 30),
        ("scenario.yaml", ("run", "scenario.yaml", *short), 60), ("tasks.yaml", ("run", "tasks.yaml", *short), 60),
        ("rise.c3d", ("human", "rise.c3d", "--json"), 10),
        ("markers.yaml", ("human", "rise.c3d", "--markers", "markers.yaml", "--json"), 10),
        ("postures.csv", ("identify", "postures.csv", "--robot", "sarcos_real", "--json"), 10),
        ("links.yaml", ("retarget", "person", "--robot", "coman", "--map", "links.yaml", "--json"), 5),
        ("person/trial.yaml", ("retarget", "person", "--robot", "coman", "--json"), 8),
        ("person/subject.yaml", ("retarget", "person", "--robot", "coman", "--json"), 5),
        ("person/human.urdf", ("retarget", "person", "--robot", "coman", "--json"), 5),
        ("person/contacts.yaml", ("retarget", "person", "--robot", "coman", "--json"), 5),
        ("person/angles.mot", ("retarget", "person", "--robot", "coman", "--json"), 8),
        ("plan/trajectory.csv", ("run", "follow.yaml", "--json"), 30),
        ("plan/contacts.yaml", ("run", "follow.yaml", "--json"), 30),
        ("person/metrics.json", ("view", "person", "--figure", "cop", "--save", "cop.svg"), 20),
    ]


def main(seed: int = 1, times: float = 0.1 if answers.SANITIZED else 1.0) -> int:
    start, count, faults, slowest = time.monotonic(), 0, 0, (0.0, "")
    with tempfile.TemporaryDirectory(prefix="aplomb_damaged_") as name:
        folder = pathlib.Path(name)
        for file, arguments, files in prepare(folder):
            sound = (folder / file).read_bytes()
            for number in range(max(1, round(times * files))):
                case = f"{file} for `{' '.join(arguments)}`, seed {seed}, number {number}"
                (folder / file).write_bytes(damaged(sound, random.Random(case)))
                begin = time.monotonic()
                fault = answers.fault_of(arguments, folder)
                slowest = max(slowest, (time.monotonic() - begin, case))
                count += 1
                if fault:
                    faults += 1
                    print(f"{case}:\n  {fault}", flush=True)
                    shutil.copy(folder / file, pathlib.Path(f"damaged_{faults}_{pathlib.Path(file).name}"))
            (folder / file).write_bytes(sound)
    print(f"{count} damaged files in {time.monotonic() - start:.0f} s, {faults} without a proper answer; the slowest took "
          f"{slowest[0]:.1f} s ({slowest[1]})")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(*map(json.loads, sys.argv[1:3])))
