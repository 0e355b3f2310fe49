"""`aplomb doctor` on recordings: what a person is told of a good one, and how a damaged one is refused."""

import math
import random
import resource
import struct
import subprocess
import unittest

import support

KEYS = "DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\tOrigDataStartFrame\tOrigNumFrames"
BODY = {"LTOE": (0.2, 0.1, 0.05), "LHEE": (0.0, 0.1, 0.05), "C7": (0.0, 0.0, 1.5), "LASI": (0.1, 0.1, 1.0),
        "LPSI": (-0.1, 0.1, 1.0)}


def trc(frames=60, unit="mm", scale=1000.0, up="z", lost=(), swapped=()):
    """A standing body that sways; `lost` (marker, frame) pairs are blank, in `swapped` frames LASI and LPSI change places."""
    lines = ["PathFileType\t4\t(X/Y/Z)\tbody.trc", KEYS,
             f"100\t100\t{frames}\t{len(BODY)}\t{unit}\t100\t1\t{frames}",
             "Frame#\tTime\t" + "\t\t\t".join(BODY) + "\t\t",
             "\t\t" + "\t".join(f"X{i}\tY{i}\tZ{i}" for i in range(1, len(BODY) + 1)), ""]
    for frame in range(1, frames + 1):
        cells = [str(frame), f"{0.01 * (frame - 1):.2f}"]
        for label in BODY:
            source = {"LASI": "LPSI", "LPSI": "LASI"}.get(label, label) if frame in swapped else label
            x, y, z = BODY[source]
            x += 0.02 * math.sin(0.05 * frame)
            if up == "y":
                x, y, z = x, z, -y
            cells += ["", "", ""] if (label, frame) in lost else [f"{scale * value:.3f}" for value in (x, y, z)]
        lines.append("\t".join(cells))
    return "\n".join(lines) + "\n"


def forces(rows=120, newtons=700.0, up="y"):
    axes = "xyz"
    names = [f"ground_force_1_{kind}{axis}" for kind in "vpm" for axis in axes]
    lines = ["forces", f"nRows={rows}", "nColumns=10", "inDegrees=no", "endheader", "\t".join(["time", *names])]
    for row in range(rows):
        force = {"y": (1.0, newtons, 2.0), "z": (1.0, -2.0, newtons)}[up]
        lines.append("\t".join(map(str, (0.01 * row, *force, 0.1, 0.0, 0.2, 0.0, 0.0, 0.0))))
    return "\n".join(lines) + "\n"


def c3d(frames=30, plate_type=None):
    """Intel, real, one marker; with a plate of six channels when a type is given."""
    records = b""

    def record(group, name, body):
        nonlocal records
        records += struct.pack("<bb", len(name), group) + name + struct.pack("<H", len(body) + 2) + body

    def parameter(group, name, kind, sizes, data):
        record(group, name, struct.pack("<bB", kind, len(sizes)) + bytes(sizes) + data + b"\0")

    channels = 6 if plate_type else 0
    record(-1, b"POINT", b"\0")
    parameter(1, b"SCALE", 4, [], struct.pack("<f", -1))
    parameter(1, b"UNITS", -1, [2], b"mm")
    parameter(1, b"LABELS", -1, [4, 1], b"LASI")
    if plate_type:
        record(-2, b"FORCE_PLATFORM", b"\0")
        parameter(2, b"USED", 1, [], b"\1")
        parameter(2, b"TYPE", 2, [1], struct.pack("<h", plate_type))
        parameter(2, b"CHANNEL", 2, [6, 1], struct.pack("<6h", *range(1, 7)))
        parameter(2, b"CORNERS", 4, [3, 4, 1], struct.pack("<12f", 0, 600, 0, 400, 600, 0, 400, 0, 0, 0, 0, 0))
        parameter(2, b"ORIGIN", 4, [3, 1], struct.pack("<3f", 0, 0, -40))
    section = b"\1\x50\0\x54" + records
    section += b"\0" * (-len(section) % 512)
    header = struct.pack("<BBHHHHHfHHf", 2, 0x50, 1, channels, 1, frames, 0, -1.0, 2 + len(section) // 512, 1, 100.0)
    data = b"".join(struct.pack("<4f", 100, 200, 1000 + frame, 0) + struct.pack(f"<{channels}f", *([0, 0, -650, 0, 0, 0][:channels]))
                    for frame in range(frames))
    return header + b"\0" * (512 - len(header)) + section + data + b"\0" * (-len(data) % 512)


class Doctor(support.AppTest):
    def examine(self, name, content, *options):
        self.write(name, content)
        outcome = self.run_here("doctor", name, "--json", *options)
        self.assertEqual((outcome.code, outcome.err), (0, ""), outcome)
        words = self.run_here("doctor", name, *options)
        self.assertEqual((words.code, words.err), (0, ""))
        return support.strict_json(outcome.out), words.out

    def test_markers_are_listed_with_their_gaps(self):
        found, words = self.examine("body.trc", trc(lost=[("C7", 10), ("C7", 11), ("LHEE", 60)]))
        gaps = {marker["label"]: marker["gap_ranges"] for marker in found["markers"]}
        self.assertEqual(gaps, {"LTOE": [], "LHEE": [[60, 60]], "C7": [[10, 11]], "LASI": [], "LPSI": []})
        self.assertIn("3 of 5 markers are complete and have no jumps:\n  LTOE  LASI  LPSI\n", words)
        self.assertRegex(words, r"C7 +2 +1 +2 .* gaps 10-11")

    def test_swapped_labels_are_listed_by_frame(self):
        found, words = self.examine("body.trc", trc(swapped=range(30, 41)))
        self.assertEqual([(swap["frame"], set(swap["markers"])) for swap in found["suspected_swaps"]],
                         [(30, {"LASI", "LPSI"}), (41, {"LASI", "LPSI"})])
        self.assertIn("exchanged from frame 30", words)

    def test_unit_and_axis_are_decided_with_evidence_and_can_be_given(self):
        for up in "yz":
            for unit, scale in (("mm", 1000.0), ("cm", 100.0), ("m", 1.0), ("", 1000.0)):
                found, words = self.examine("body.trc", trc(unit=unit, scale=scale, up=up))
                self.assertEqual(found["up"]["value"], up)
                self.assertEqual(found["unit"]["value"], unit or "mm")
                self.assertTrue(found["up"]["evidence"] and found["unit"]["evidence"])
                self.assertIn(found["up"]["evidence"][0], words)
        found, _ = self.examine("body.trc", trc(), "--up", "-x", "--unit", "cm")
        self.assertEqual((found["up"]["value"], found["unit"]["value"]), ("-x", "cm"))
        self.refuse_here(["doctor", "body.trc", "--up", "w"], "'w'", "-z")
        self.refuse_here(["doctor", "body.trc", "--unit", "mile"], "'mile'", "mm")

    def test_an_implausible_unit_is_overruled_with_a_warning(self):
        found, _ = self.examine("body.trc", trc(unit="mm", scale=1.0))
        self.assertEqual(found["unit"]["value"], "m")
        self.assertIn("'mm'", found["warnings"][0])

    def test_forces_of_a_second_file_give_the_body_weight(self):
        self.write("forces.mot", forces())
        found, words = self.examine("body.trc", trc(frames=120, up="y"), "--forces", "forces.mot", "--mass", "75")
        self.assertAlmostEqual(found["body_weight_n"], 700.0)
        self.assertIn("75.0 kg", " ".join(found["warnings"]))
        self.assertIn("71.38 kg", words)
        self.refuse_here(["doctor", "body.trc", "--forces", "body.trc"], "no ground forces")

    def test_plates_are_described_and_unknown_types_refused_by_name(self):
        found, words = self.examine("good.c3d", c3d(frames=80, plate_type=2))
        self.assertEqual([plate["type"] for plate in found["plates"]], [2])
        self.assertAlmostEqual(found["plates"][0]["mean_loaded_n"], 650.0)
        self.assertIn("type 2", words)
        found, words = self.examine("odd.c3d", c3d(plate_type=7))
        self.assertEqual(found["plates"], [])
        self.assertIn("type 7", found["refused_plates"][0])
        found, words = self.examine("none.c3d", c3d())
        self.assertIn("markers only", words)

    def test_samples_off_a_markers_path_are_listed_by_frame(self):
        lines = trc().split("\n")
        first = lines.index("") + 1
        cells = lines[first + 29].split("\t")
        lines[first + 29] = "\t".join(cells[:2] + [str(float(cell) + 1000.0) for cell in cells[2:]])  # [mm]
        found, words = self.examine("body.trc", "\n".join(lines))
        self.assertEqual((found["outlying_samples"], found["outlying_frames"], found["cuts"]), (5, 1, []))
        self.assertIn("frame 30 (0.290 s): 5 markers, up to 1.73 m off", words)
        cells[6] = "1e30"
        lines[first + 29] = "\t".join(cells)
        found, words = self.examine("body.trc", "\n".join(lines))
        self.assertEqual((found["outlying_samples"], found["up"]["value"], found["unit"]["value"]), (1, "z", "mm"))

    def test_a_time_that_does_not_increase_is_reported_and_refused_by_an_analysis(self):
        lines = trc(frames=120).split("\n")
        first = lines.index("") + 1
        for i in (40, 41):
            lines[first + i] = lines[first + i].replace(f"\t{0.01 * i:.2f}\t", f"\t{0.01 * (81 - i):.2f}\t", 1)
        place = first + 42  # counted from 1
        found, _ = self.examine("body.trc", "\n".join(lines))
        self.assertTrue(any(f"line {place}: time does not increase" in warning for warning in found["warnings"]))
        self.refuse_here(["human", "body.trc"], f"body.trc:{place}", "time does not increase")
        rows = forces().split("\n")
        rows[50] = "\t".join(["50.0", *rows[50].split("\t")[1:]])
        self.write("forces.mot", "\n".join(rows))
        self.write("good.trc", trc(frames=120, up="y"))
        self.refuse_here(["human", "good.trc", "--forces", "forces.mot"], "forces.mot:52", "time does not increase")

    def test_a_file_with_another_formats_name_is_told_apart(self):
        self.write("body.c3d", trc())
        self.refuse_here(["doctor", "body.c3d"], "body.c3d", "content is that of a TRC file", "rename it to .trc")
        self.write("forces.trc", forces())
        self.refuse_here(["doctor", "forces.trc"], "forces.trc", "MOT", ".mot")
        self.write("plates.mot", c3d())
        self.refuse_here(["doctor", "plates.mot"], "plates.mot", "C3D", ".c3d")
        self.write("body.txt", trc(frames=4000))  # above 1 MB
        self.refuse_here(["doctor", "body.txt"], "body.txt", "unknown extension .txt", "the content of a TRC file")

    def test_a_recording_that_does_not_fit_into_memory_is_named(self):
        if support.SANITIZED:
            self.skipTest("a sanitizer needs the memory for itself")
        self.write("small.trc", trc())
        self.write("large.trc", trc(frames=400_000))  # 50 MB, 24 MB in memory

        def doctor(file, megabytes):
            limit = megabytes << 20
            done = subprocess.run([support.PROGRAM, "doctor", file], cwd=self.folder, capture_output=True,
                                  timeout=support.PATIENCE_S,
                                  preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))
            return support.Outcome(done.returncode, done.stdout.decode(), done.stderr.decode())

        least = next(megabytes for megabytes in range(30, 2000, 10) if doctor("small.trc", megabytes).code == 0)
        self.assert_refused(doctor("large.trc", least), "large.trc", "memory")

    def test_damaged_files_are_refused_in_one_line(self):
        whole = c3d(frames=100)
        self.write("cut.c3d", whole[:-800])
        self.refuse_here(["doctor", "cut.c3d"], "cut.c3d", "100 frames", "truncated")
        self.write("noise.c3d", random.Random(1).randbytes(5000))
        self.refuse_here(["doctor", "noise.c3d"], "noise.c3d", "not a C3D file")
        self.write("short.trc", trc().replace("\t50.000\n", "\n", 1).replace("\t1000.000\n", "\n", 1))
        self.refuse_here(["doctor", "short.trc"], "short.trc:7:", "cells")
        self.write("old.bvh", "HIERARCHY\nROOT a\n{\n")
        self.refuse_here(["doctor", "old.bvh"], "old.bvh:3")
        self.write("x.mot", "time\ta\n0\t1\n")
        self.refuse_here(["doctor", "x.mot"], "endheader")
        self.write("x.csv", "1,2\n")
        self.refuse_here(["doctor", "x.csv"], "x.csv:1", "name the columns")
        for ending in ("c3d", "trc", "mot", "sto", "bvh", "csv"):
            self.write(f"empty.{ending}", "")
            self.refuse_here(["doctor", f"empty.{ending}"], "empty")
            self.refuse_here(["doctor", f"missing.{ending}"], "no such file")

    def test_options_of_recordings_are_for_recordings(self):
        self.write("stand.yaml", "scenario: stand\nrobot: coman\nduration_s: 1\n")
        self.refuse_here(["doctor", "stand.yaml", "--json"], "--json", "recordings", "URDFs")
        self.write("robot.urdf", "<robot name='r'/>")
        self.refuse_here(["doctor", "robot.urdf", "--mass", 60], "--mass", "recordings")


if __name__ == "__main__":
    unittest.main()
