"""Checks that are built into the verbs, each with the damaged input that violates it: the table that
scripts/checks-that-can-fail reads. The amounts of a damage are a ladder: the lowest rung that violates counts; --find prints
it."""

import csv
import dataclasses
import math
import os
import re
import shutil
from pathlib import Path
from typing import Callable

ROOT = Path(__file__).resolve().parents[2]
DATA = Path(os.environ.get("APLOMB_TEST_DATA", ROOT.parent / "shared" / "data"))
STS = DATA / "sit_to_stand"


@dataclasses.dataclass
class Damage:
    metric: str
    what: str  # {} is the amount
    amounts: tuple  # by increasing damage
    command: Callable | None  # (folder, amount) -> arguments after `aplomb`
    rule: str = "below"
    test: tuple = ()  # instead of a command: the file and the name of a test that violates the check


@dataclasses.dataclass
class Verb:
    name: str
    prepare: list  # commands that are run once, before the others; {folder} is theirs
    command: Callable  # (folder) -> arguments of the undamaged command
    damages: list
    needs: Path | None = None  # recordings
    is_fast: bool = True
    may_fail: tuple = ()  # checks that do not hold on the undamaged input


# ---- human: markers and force plates as text ---------------------------------------------------------------------------

def human(trial=STS / "STS1.trc", forces=STS / "STS1_grf.mot", static=STS / "static1.trc", mass=59.8):
    return ["human", trial, "--forces", forces, "--static", static, "--mass", mass]


def changed_forces(folder, change):
    """The file of forces after `change(time, {column: value})` for each row; a row becomes None to be left out."""
    lines = (STS / "STS1_grf.mot").read_text().splitlines()
    header = next(number for number, line in enumerate(lines) if line.startswith("time"))
    names = lines[header].split("\t")
    rows = []
    for line in lines[header + 1:]:
        row = dict(zip(names, map(float, line.split("\t"))))
        if change(row["time"], row) is not False:
            rows.append(row)
    begin = [f"nRows={len(rows)}" if line.startswith("nRows") else line for line in lines[:header]]
    path = folder / "changed_grf.mot"
    path.write_text("\n".join(begin + [lines[header]] + ["\t".join(f"{row[name]:.9g}" for name in names) for row in rows])
                    + "\n")
    return path


def plates_moved(axis):
    """The places of all plates, wrong by the amount in every other second: no constant offset explains that."""
    def command(folder, amount):
        def move(time, row):
            for name in row:
                if name.endswith(f"_p{axis}") and int(time) % 2:
                    row[name] += amount
        return human(forces=changed_forces(folder, move))
    return command


def plates_shifted(folder, amount):
    """The places of all plates, wrong by the amount all the time: other masses would explain that."""
    def move(_, row):
        for name in row:
            if name.endswith("_px"):
                row[name] += amount
    return human(forces=changed_forces(folder, move))


def one_plate_shifted(folder, amount):
    def move(_, row):
        row["ground_force_2_px"] += amount
    return human(forces=changed_forces(folder, move))


def plates_cut(folder, amount):
    return human(forces=changed_forces(folder, lambda time, row: time > amount))


def forces_late(folder, amount):
    rows = []
    changed_forces(folder, lambda time, row: rows.append(dict(row)))
    shift = round(amount * 100)

    def change(time, row):
        other = rows[(round(time * 100) - shift) % len(rows)]
        row.update({name: value for name, value in other.items() if name != "time"})
    return human(forces=changed_forces(folder, change))


def changed_markers(folder, source, change):
    lines = source.read_text().splitlines()
    rows = [line.split("\t") for line in lines[5:] if line.strip()]
    for row in rows:
        change(float(row[1]), row)
    path = folder / f"changed_{source.name}"
    path.write_text("\n".join(lines[:5] + ["\t".join(row) for row in rows]) + "\n")
    return path


def cut_markers(folder, amount):
    def change(time, row):
        if time > 7.0:
            row[2::3] = [f"{float(cell) + amount:.6f}" if cell else cell for cell in row[2::3]]
    return human(trial=changed_markers(folder, STS / "STS1.trc", change))


def mirrored(folder, amount):
    """Another axis points the other way from the time `amount` on: no body is left-handed."""
    def change(time, row):
        if time > amount:
            row[2::3] = [f"{-float(cell):.6f}" if cell else cell for cell in row[2::3]]
    return human(trial=changed_markers(folder, STS / "STS1.trc", change))


def larger_static(folder, amount):
    def change(_, row):
        row[2:] = [f"{float(cell) * (1.0 + amount):.6f}" if cell else cell for cell in row[2:]]
    return human(static=changed_markers(folder, STS / "static1.trc", change))


HUMAN = Verb("human", [], lambda folder: human(), needs=STS, damages=[
    Damage("cop_x_holdout_rms_m", "plates {} m ahead in every other second", (0.03, 0.06, 0.12, 0.25), plates_moved("x")),
    Damage("cop_y_holdout_rms_m", "plates {} m sideways in every other second", (0.03, 0.06, 0.12, 0.25), plates_moved("z")),
    Damage("cop_offset_before_m", "plates {} m ahead", (0.03, 0.05, 0.1), plates_shifted),
    Damage("plate_shift_deviations", "one plate {} m ahead", (0.02, 0.03, 0.05, 0.1), one_plate_shifted),
    Damage("mass_disagreement_ratio", "a stated mass of {} kg", (65, 70, 90), lambda folder, amount: human(mass=amount)),
    Damage("plates_carry_body", "forces late by {} s", (0.05, 0.1, 0.2, 0.5), forces_late, "equals"),
    Damage("plate_coverage_ratio", "no forces before {} s", (0.5, 1.0, 2.0, 5.0), plates_cut, "above"),
    Damage("force_z_unexplained_ratio", "forces of squats under the motion of rises", (), None,
           test=("tests/human/plates/plate_judgement_test.cpp", "RejectsForcesOfAnotherMotion")),
    Damage("marker_rms_m", "an axis that points the other way from {} s on", (5.0, -1.0), mirrored),
    Damage("marker_distance_change_m", "a static trial larger by the fraction {}", (0.02, 0.05, 0.1), larger_static),
    Damage("marker_cuts", "all markers {} m ahead from 7 s on", (0.02, 0.05, 0.1, 0.3), cut_markers, "equals"),
])

# ---- identify: postures ------------------------------------------------------------------------------------------------

def sensor_moved(folder, amount):
    rows = list(csv.DictReader((folder / "postures.csv").open()))
    for row in rows[:len(rows) // 2]:
        for foot in ("left", "right"):
            row[f"{foot}_foot_cop_x_m"] = float(row[f"{foot}_foot_cop_x_m"]) + amount
    with (folder / "moved.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return ["identify", folder / "moved.csv", "--robot", "sarcos_real"]


IDENTIFY = Verb(
    "identify", [["identify", "--make-example", "{folder}/postures.csv", "--robot", "sarcos_real", "--postures", "24"]],
    lambda folder: ["identify", folder / "postures.csv", "--robot", "sarcos_real"],
    [Damage("holdout_rms_m", "foot sensors {} m ahead in the first half of the postures", (0.02, 0.05, 0.1), sensor_moved)])

# ---- retarget: an analysed motion, or a robot, that is changed -----------------------------------------------------------

def retarget(motion, robot="sarcos_real"):
    return ["retarget", motion, "--robot", robot, "--force"]


def changed_motion(folder, change):
    """The analysed motion after `change(time, {column: value})` for each row."""
    motion = folder / "changed"
    shutil.rmtree(motion, ignore_errors=True)
    shutil.copytree(folder / "person", motion)
    lines = (motion / "angles.mot").read_text().splitlines()
    header = next(number for number, line in enumerate(lines) if line.startswith("time"))
    names = lines[header].split("\t")
    for number in range(header + 1, len(lines)):
        row = dict(zip(names, map(float, lines[number].split("\t"))))
        change(row["time"], row)
        lines[number] = "\t".join(f"{row[name]:.12g}" for name in names)
    (motion / "angles.mot").write_text("\n".join(lines) + "\n")
    return motion


def pelvis_sways(folder, amount):
    def change(time, row):
        row["pelvis_tx"] += amount * math.sin(4.0 * math.pi * time)
    return retarget(changed_motion(folder, change))


def motion_faster(folder, amount):
    def change(time, row):
        row["time"] = time / amount
    motion = changed_motion(folder, change)
    trial = motion / "trial.yaml"
    trial.write_text(re.sub(r"(_s: )([\d.]+)", lambda found: f"{found.group(1)}{float(found.group(2)) / amount:.9g}",
                            trial.read_text()))
    return retarget(motion)


def weaker_robot(folder, amount):
    robot = folder / "weaker"
    shutil.rmtree(robot, ignore_errors=True)
    shutil.copytree(ROOT / "robots" / "sarcos_real", robot)
    urdf = robot / "sarcos_real.urdf"
    urdf.write_text(re.sub(r'effort="([^"]*)"', lambda found: f'effort="{amount * float(found.group(1)):.6g}"', urdf.read_text()))
    return retarget(folder / "person", urdf)


RETARGET = Verb(
    "retarget", [["demonstrate", "natural", "--out", "{folder}/natural.c3d"],
                 ["human", "{folder}/natural.c3d", "--out", "{folder}/person"]],
    lambda folder: retarget(folder / "person"), is_fast=False, damages=[
        Damage("infeasible_frames", "joints with {} of their torque", (0.2, 0.1, 0.05), weaker_robot, "equals"),
        Damage("com_residual_max_m", "a CoM beside its reference (of the modes frames and hard)", (), None,
               test=("tests/retarget/retarget_checks_test.cpp", "EachTurnsRedByADamageJustBeyondItsBound")),
        Damage("com_target_shift_max_m", "the pelvis swaying by {} m at 2 Hz", (0.02, 0.05, 0.1, 0.2), pelvis_sways),
        Damage("joint_speed_ratio_max", "the motion {} times as fast", (2, 3, 4, 6), motion_faster),
        Damage("plan_torque_ratio_max", "joints with {} of their torque", (0.4, 0.2, 0.1, 0.05), weaker_robot),
        Damage("person_flight_s", "a person who jumps", (), None,
               test=("tests/retarget/retarget_checks_test.cpp", "EachTurnsRedByADamageJustBeyondItsBound")),
        Damage("plan_settled", "a solver that stopped early", (), None, "equals",
               test=("tests/retarget/retarget_checks_test.cpp", "EachTurnsRedByADamageJustBeyondItsBound")),
        Damage("plan_cop_margin_length_min_m", "the pelvis swaying by {} m at 2 Hz", (0.05, 0.1, 0.2), pelvis_sways, "above"),
        Damage("plan_cop_margin_width_min_m", "the pelvis swaying by {} m at 2 Hz", (0.05, 0.1, 0.2), pelvis_sways, "above"),
        Damage("motions_failed", "one of three files is no recording", (), None, "equals",
               test=("tests/apps/retarget_test.py", "test_many_motions_make_a_table_and_a_failed_one_does_not_stop_the_rest")),
    ])

# ---- runs: the checks that every run, every rise, every repeat and every search has ---------------------------------------

def run(scenario, *overrides, more=()):
    return ["run", scenario, *(part for override in overrides for part in ("--set", override)), *more]


def run_with(scenario, override, *always):
    """The scenario without checks of its own, and with the amount in an override."""
    return lambda folder, amount: run(scenario, "checks=[]", *always, override % amount)


PUSH = "events=[{push: {force_per_weight: [%s, 0, 0], start_s: 0.1}}]"
RUN = Verb("run", [], lambda folder: run("stand_coman", "checks=[]"), [
    Damage("fell", "a push of {} body weights for 0.1 s", (0.2, 0.5, 1), run_with("stand_coman", PUSH), "equals"),
    Damage("sim_warnings", "a push of {} body weights for 0.1 s", (1e6, 1e9), run_with("stand_coman", PUSH), "equals"),
    Damage("solver_failures", "a controller whose solve fails", (), None, "equals",
           test=("tests/run/run_test.cpp", "AFailedSolveFailsTheRunWhetherOrNotASensorIsLost")),
    Damage("nonfinite_values", "a controller that commands not-a-number", (), None, "equals",
           test=("tests/run/run_test.cpp", "EndsAtACommandThatIsNotFinite"))])

RISE = Verb("rise", [], lambda folder: run("sit_to_stand_natural", "checks=[]"), is_fast=False, damages=[
    Damage("joint_speed_ratio_max", "the plan {} times as fast", (3,), run_with("sit_to_stand_natural", "plan.speed=%s")),
    Damage("torque_saturated_s", "torque limits times {}", (0.5, 0.4), run_with("sit_to_stand_natural", "plant.torque_limit_scale=%s")),
    Damage("foot_force_peak_per_weight", "the plan {} times as fast", (1.8, 2), run_with("sit_to_stand_natural", "plan.speed=%s")),
    Damage("foot_force_jump_max_n", "the plan {} times as fast", (2, 3), run_with("sit_to_stand_natural", "plan.speed=%s")),
    Damage("torque_jump_ratio_max", "noise of {} rad/s on the joint velocities", (0.05, 0.2),
           run_with("sit_to_stand_natural", "sensors.joint_velocity.noise=%s")),
])

SIT_DOWN = Verb("sit_down", [], lambda folder: run("sit_down_natural", "checks=[]", "plan.parameters=true"), is_fast=False, damages=[
    Damage("touch_velocity_m_per_s", "a chair that is {} m high, and believed to be 0.45", (0.47, 0.49),
           run_with("sit_down_natural", "world.chair.height_m=%s")),
    Damage("seat_force_peak_ratio", "a chair that is {} m high, and believed to be 0.45", (0.47, 0.49),
           run_with("sit_down_natural", "world.chair.height_m=%s")),
])

REPEAT = Verb("repeat", [], lambda folder: run("stand_coman", more=["--repeat", "2", "--jobs", "1"]), [
    Damage("success_ratio", "a push of {} body weights for 0.1 s", (0.2, 0.5, 1),
           lambda folder, amount: run("stand_coman", PUSH % amount, more=["--repeat", "2", "--jobs", "1"]), "equals"),
    Damage("run_errors", "in some runs the chair is up to {} m high, and the robot starts inside of it", (0.8,),
           lambda folder, amount: run("sit_to_stand_coman", f"vary.world.chair.height_m=[0.24, {amount}]",
                                      "plan.parameters=true", "duration_s=0.1", more=["--repeat", "3", "--jobs", "1"]),
           "equals")])

SEARCH = "search={key: events.0.push.magnitude_n, low: %s, high: %s, step: 10}"
FALLS = "checks=[{metric: fell, equals: false}]"
LIMIT = Verb("search", [], lambda folder: run("balance_push_8", SEARCH % (100, 110), FALLS), [
    Damage("search_failures", "pushes from {} N on", (500,),
           lambda folder, amount: run("balance_push_8", SEARCH % (amount, amount + 10), FALLS), "equals")])

VERBS = [HUMAN, IDENTIFY, RETARGET, RUN, RISE, SIT_DOWN, REPEAT, LIMIT]
