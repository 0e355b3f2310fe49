"""Every experiment whose figures stand in a document: commands, columns, what was sensed ideally.

A figure is stated to its last printed digit and may move by one unit of it; a column says where that is another value.
What was sensed ideally: `base` pose and velocity of the base, `joints` angles and rates, `feet`, `hands`, `seat` contact
wrenches, `masses` the model has the true ones (docs/results/README.md).
"""

from book import Column, Experiment, Row

ALL = "base, joints, feet; masses"
SEATED = "base, joints, feet, seat; masses identified"
CELLS = "base, joints; masses (load cells: 0.05 N noise, 0.01 N steps)"
WALL = "base, joints; masses; force of the hand not sensed"

CHECKS = Column("checks that hold", "{checks_ok:x.0} of {checks:x.0}", tolerance=0)
FELL = Column("fell", "{fell:yes}")


def run(key, label, command, **more):
    return Row(key, label, (f"run {command}",), **more)


def overrides(*values):
    return "".join(f" --set '{value}'" for value in values)


IDEAL = overrides("sensors.profile=ideal", "plant.profile=ideal")
LABORATORY_SENSORS = overrides("sensors.profile=laboratory", "plant.profile=ideal")
LABORATORY_BOTH = overrides("sensors.profile=laboratory", "plant.profile=laboratory")

COM_MAX = Column("CoM max [mm]", "{com_error_max_m:mm.1}")
COM_END = Column("CoM end [mm]", "{com_error_end_m:mm.1}")
TRUNK = Column("trunk [deg]", "{trunk_tilt_max_rad:deg.1}")
SLIP = Column("slip [mm]", "{slip_max_m:mm.2}")

STANDING = Experiment(
    "standing", "docs/simulation.md", "robot",
    (FELL, Column("CoM max [um]", "{com_error_max_m:um.2}", tolerance=1e-6),
     Column("largest torque / limit", "{torque_peak_ratio:x.2}"), CHECKS),
    tuple(run(name, f"`{name}`", f"stand_{name}")
          for name in ("balancer", "coman", "g1", "hoap3", "icub", "romeo", "sarcos", "talos")),
    ALL)

BALANCE = Experiment(
    "balance", "docs/momentum_balance.md", "`aplomb run`",
    (FELL, COM_MAX, COM_END, TRUNK,
     Column("CoP margin [mm]", "{cop_margin_min_m:mm.1}"), SLIP,
     Column("linear rate error [N]", "{linear_rate_error_max_n:x.1}"),
     Column("angular rate given up [N m]", "{angular_rate_given_up_max_nm:x.0}"), CHECKS),
    (
        run("push_forward", "`balance_push_forward`, 120 N x 0.1 s", "balance_push_forward"),
        run("side_left", "`balance_push_side_single`, 100 N to the left", "balance_push_side_single"),
        run("side_right", "the same, to the right (`direction_deg` 270)",
            "balance_push_side_single" + overrides("events.0.push.direction_deg=270")),
        run("side_left_150", "to the left, 150 N", "balance_push_side_single" + overrides("events.0.push.magnitude_n=150")),
        run("side_right_150", "to the right, 150 N", "balance_push_side_single" +
            overrides("events.0.push.magnitude_n=150", "events.0.push.direction_deg=270")),
        run("slopes", "`balance_moving_slopes`, T = 4 s", "balance_moving_slopes" + IDEAL),
        run("slopes_fast", "`balance_moving_slopes_fast`, T = 3.5 s", "balance_moving_slopes_fast", long=True),
        run("slopes_too_fast", "the same with T = 3 s (control: it should fall)", "balance_moving_slopes_fast" +
            overrides("world.supports.0.motion.period_s=3", "world.supports.1.motion.period_s=3")),
        run("slopes_phase", "`balance_moving_slopes_phase`", "balance_moving_slopes_phase" + IDEAL, long=True),
        run("rocking", "`balance_rocking`", "balance_rocking" + IDEAL),
        run("ice", "`balance_ice`", "balance_ice" + IDEAL),
        # long: how two hands hit a wall is chaotic, and the last digits move with every change of arithmetic
        run("wall", "`balance_push_wall`, 350 N", "balance_push_wall", sensed="base, joints, feet, hands; masses", long=True),
        run("no_wall", "the same without the wall (control)", "balance_push_wall" + overrides("world.walls=[]")),
    ),
    ALL)

STANDS = overrides("events=[]", "checks=[]", "duration_s=60")
SWAYS = overrides("world.supports=[{foot: both, motion: {axis: x, amplitude_m: 0.1, period_s: 2}}]", "checks=[]")
ROLLS = overrides("world.supports.0.motion.axis=roll", "checks=[]")
LABORATORY = Experiment(
    "laboratory", "docs/simulation.md", "`aplomb run`", (FELL, COM_MAX, TRUNK, SLIP, CHECKS),
    (
        run("rocking_ideal", "`balance_rocking`, ideal", "balance_rocking" + IDEAL, sensed=ALL),
        run("rocking", "the same, laboratory", "balance_rocking" + LABORATORY_BOTH),
        run("slopes_ideal", "`balance_moving_slopes`, ideal", "balance_moving_slopes" + IDEAL, sensed=ALL),
        run("slopes_sensors", "the same, laboratory sensors", "balance_moving_slopes" + LABORATORY_SENSORS),
        run("slopes", "the same, laboratory sensors and plant (control)", "balance_moving_slopes" + LABORATORY_BOTH),
        run("ice_ideal", "`balance_ice`, ideal", "balance_ice" + IDEAL, sensed=ALL),
        run("ice", "the same, laboratory", "balance_ice" + LABORATORY_BOTH),
        run("push_ideal", "`balance_push_forward`, ideal", "balance_push_forward" + IDEAL, sensed=ALL),
        run("push_sensors", "the same, laboratory sensors", "balance_push_forward" + LABORATORY_SENSORS),
        run("push", "the same, laboratory sensors and plant (control)", "balance_push_forward" + LABORATORY_BOTH),
    ) +
    tuple(run(f"rise_{name}{suffix}", f"`sit_to_stand_{name}`, {'ideal' if suffix else 'laboratory'}",
              f"sit_to_stand_{name}" + (IDEAL if suffix else LABORATORY_BOTH), long=True,
              sensed=SEATED if suffix else "masses identified")
          for name in ("natural", "elderly", "natural_heavy", "elderly_heavy") for suffix in ("_ideal", "")),
    "masses")

ESTIMATES = Experiment(
    "estimates", "docs/simulation.md", "`aplomb run`",
    (FELL, Column("tilt off at worst, RMS [deg]", "{base_tilt_error_max_rad:deg.2}, {base_tilt_error_rms_rad:deg.2}"),
     Column("velocity over the feet off, RMS [mm/s]", "{base_velocity_to_feet_error_rms_m_per_s:mm.1}"),
     Column("NEES", "{nees_mean:x.1}"),
     Column("torque change a tick, RMS [% of limit]", "{torque_change_rms_ratio:percent.2}")),
    tuple(run(f"stand_{robot}", f"`{robot}` stands for a minute",
              "balance_push_forward" + overrides(f"robot={robot}") + STANDS + LABORATORY_BOTH, long=True)
          for robot in ("balancer", "coman", "talos", "sarcos", "g1")) +
    (
        run("rocking", "`balance_rocking`", "balance_rocking" + LABORATORY_BOTH),
        run("roll", "the same about x", "balance_rocking" + ROLLS + LABORATORY_BOTH),
        run("sway", "the same, a sway of 10 cm at 2 s", "balance_rocking" + SWAYS + LABORATORY_BOTH),
        run("slopes", "`balance_moving_slopes`, ideal plant", "balance_moving_slopes" + LABORATORY_SENSORS),
    ),
    "masses")

BY_MASS = "com_damping_per_s: [0.769, 0.769, 0.385], com_stiffness_per_s2: [0.154, 0.154, 0.0577]"
BALANCE_PRINTED = Experiment(
    "balance_printed", "docs/momentum_balance.md", "`aplomb run`",
    (FELL, COM_MAX, COM_END, TRUNK, Column("CoP margin [mm]", "{cop_margin_min_m:mm.1}"),
     Column("CoP off its command, RMS [mm]", "{cop_command_rms_m:mm.1}"),
     Column("linear rate error [N]", "{linear_rate_error_max_n:x.1}"),
     Column("angular rate given up [N m]", "{angular_rate_given_up_max_nm:x.0}"),
     Column("foot in the air off by [mm], [deg]",
            "{swing_foot_position_error_max_m:mm.1}, {swing_foot_rotation_error_max_rad:deg.1}"),
     Column("torque jump [N m]", "{torque_jump_max_nm:x.1}"), CHECKS),
    (
        run("push", "`balance_gains_printed`, gains not divided by the mass", "balance_gains_printed"),
        run("push_literal", "`balance_gains_literal`, divided by it", "balance_gains_literal"),
        run("push_literal_ours", "the same gains, our law", "balance_push_forward" +
            overrides(f"controller.momentum_balance={{{BY_MASS}, angular_damping_per_s: 20}}", "duration_s=10")),
        run("push_no_leak", "`balance_gains_printed`, integrals without leak",
            "balance_gains_printed" + overrides("controller.momentum_balance.integral_leak_per_s=0")),
        run("single", "`paper_push_single`", "paper_push_single"),
        run("single_literal", "`paper_push_single_literal` (control)", "paper_push_single_literal"),
        run("single_ours", "`balance_push_side_single`: the foot in the air is free", "balance_push_side_single"),
        run("swing_foot", "`paper_swing_foot`: our law with eq. 15", "paper_swing_foot"),
        run("no_arms", "`balance_push_side_single`, `arms: excluded`",
            "balance_push_side_single" + overrides("controller.momentum_balance.arms=excluded")),
        run("slopes", "`paper_moving_slopes`", "paper_moving_slopes"),
        run("slopes_no_leak", "the same, integrals without leak (control)",
            "paper_moving_slopes" + overrides("controller.momentum_balance.integral_leak_per_s=0")),
    ),
    ALL)

RELATIVE = Experiment(
    "balance_relative", "docs/momentum_balance.md", "robot",
    (FELL, COM_MAX, TRUNK, Column("largest torque / limit", "{torque_peak_ratio:x.2}"), Column("self-collision")),
    tuple(run(name, f"`{name}`", f"balance_push_relative{overrides(f'robot={name}')}",
              text={"self-collision": collision})
          for name, collision in (("balancer", "yes"), ("coman", "yes"), ("sarcos", "yes"), ("talos", "no: meshes"),
                                  ("g1", "feet and shoulders; the rest are meshes"), ("icub", "no: meshes"),
                                  ("romeo", "no: meshes"))),
    ALL)

PUSH_LIMITS = Experiment(
    "push_limits", "docs/momentum_balance.md", "0, 45, ... 315 deg",
    (Column("largest push of 0.1 s [N]", "{push_limit_n:list.x.0}", tolerance=10),
     Column("smallest of them", "{push_limit_min_n:x.0}", tolerance=10),
     Column("linear inverted pendulum [N]", "{pendulum_limit_n:list.x.0}"), CHECKS),
    (
        run("both_feet", "`balance_push_8`, both feet", "balance_push_8", long=True),
        run("left_foot", "`balance_push_8_single`, left foot", "balance_push_8_single", long=True),
        run("left_foot_eq15", "the same, the foot in the air keeps its pose (`foot_stiffness_per_s2` 100)",
            "balance_push_8_single" + overrides("controller.momentum_balance.foot_stiffness_per_s2=100"), long=True),
        run("left_foot_no_arms", "the same without that, `arms: excluded`",
            "balance_push_8_single" + overrides("controller.momentum_balance.arms=excluded"), long=True),
    ),
    ALL)

FAULTS = Experiment(
    "balance_faults", "docs/momentum_balance.md", "`aplomb run`",
    (FELL, COM_MAX, COM_END, SLIP, Column("torque jump [N m]", "{torque_jump_max_nm:x.0}"), CHECKS),
    (
        run("none", "`balance_push_forward` (control: no fault)", "balance_push_forward"),
        run("sensor_lost", "`balance_fault_sensor_lost`: left foot's wrench lost during the push",
            "balance_fault_sensor_lost", sensed="base, joints, right foot; masses"),
        run("contact_lost", "`balance_fault_contact_lost`: no ground under the left foot for 20 ms",
            "balance_fault_contact_lost"),
        run("friction_drop", "`balance_fault_friction_drop`: friction 0.2 from the middle of the push on",
            "balance_fault_friction_drop"),
        run("delay", "`balance_fault_delay`: joint and base measurements 3 ms late", "balance_fault_delay",
            sensed="feet; masses (base, joints: exact, 3 ms late)"),
        run("mass", "`balance_fault_mass`: 10 % heavier than believed", "balance_fault_mass", sensed="base, joints, feet"),
    ),
    ALL)

# A row of the fault matrix is a script of many runs: every sensor in every situation (scripts/fault-matrix --help).
FAULT_KINDS = {"lost": "lost for good", "nan": "NaN for good", "frozen": "frozen for good", "jump": "off for 0.1 s", "brief": "lost for 0.08 s",
               "late": "5 ms late", "dropped": "5 % of the readings dropped", "bias": "off for good", "noise": "noise x 5"}
FAULT_MATRIX = Experiment(
    "fault_matrix", "docs/failsafe.md", "controller: what one sensor does",
    (Column("runs", "{runs:x.0}", tolerance=0), Column("outcomes", "{outcomes:text}"), Column("fell with", "{fell_with:text}"),
     Column("named in runs", "{named_runs:x.0}", tolerance=0), Column("at the latest after [s]", "{named_slowest_s:x.3}"),
     Column("other outcome, not named", "{changed_unnamed_runs:x.0}", tolerance=0)),
    tuple(Row(f"{controller}_{fault}", f"`{controller}`: {text}", (f"scripts/fault-matrix {controller} {fault}",), long=True)
          for controller in ("momentum_balance", "inverse_dynamics", "partial_force", "task_priority")
          for fault, text in FAULT_KINDS.items()),
    ALL)

FEEDBACK = "controller.partial_force.force_feedback=true"
FORCE_SENSED = "base, joints, hand force"


def hand_fault(kind, more=""):
    return f"events=[{{sensor_fault: {{sensor: right_hand_wrench, kind: {kind}{more}, start_s: 3}}}}]"


FORCE = Experiment(
    "partial_force", "docs/partial_force.md", "`aplomb run`",
    (FELL, Column("force RMSE [N]", "{hand_force_rmse_n:x.4}"), Column("force error max [N]", "{hand_force_error_max_n:x.2}"),
     Column("CoM RMS [mm]", "{com_error_rms_m:mm.3}"), Column("hand slip [mm]", "{hand_slip_max_m:mm.3}"),
     CHECKS, Column("paper")),
    (
        run("wall", "`coman_wall`", "coman_wall", text={"paper": "0.01 N, 0.6 mm"}),
        run("wall_closed_form", "the same, `law: closed_form`",
            "coman_wall" + overrides("controller.partial_force.law=closed_form"), text={"paper": "as above"}),
        run("paper", "`coman_wall_paper`: no friction, one row, closed form, the paper's gains", "coman_wall_paper",
            text={"paper": "as above"}),
        run("trunk_105", "5 % more trunk mass than in the model",
            "coman_wall" + overrides("plant.link_mass_scale.trunk=1.05"), sensed="base, joints"),
        run("trunk_090", "10 % less trunk mass, `force_feedback`",
            "coman_wall" + overrides("plant.link_mass_scale.trunk=0.9", FEEDBACK), sensed=FORCE_SENSED),
        run("trunk_110", "10 % more trunk mass, `force_feedback`",
            "coman_wall" + overrides("plant.link_mass_scale.trunk=1.1", FEEDBACK), sensed=FORCE_SENSED),
        run("mass_090", "10 % less mass of all links, `force_feedback`",
            "coman_wall" + overrides("plant.mass_scale=0.9", FEEDBACK), sensed=FORCE_SENSED),
        run("mass_110", "10 % more mass of all links, `force_feedback`",
            "coman_wall" + overrides("plant.mass_scale=1.1", FEEDBACK), sensed=FORCE_SENSED),
        run("mass_110_open", "10 % more mass of all links, no `force_feedback` (control)",
            "coman_wall" + overrides("plant.mass_scale=1.1"), sensed="base, joints"),
        run("noise_002", "0.02 m/s of white noise on the base velocity",
            "coman_wall" + overrides("sensors.base_velocity.noise=0.02"), sensed="joints, base but its velocity; masses"),
        run("noise_010", "0.1 m/s of white noise on the base velocity",
            "coman_wall" + overrides("sensors.base_velocity.noise=0.1"), sensed="joints, base but its velocity; masses",
            long=True),  # limits are active all the time: ten times slower
        run("slip", "`coman_wall_slip`: friction 0.2, wall tilted by 10 degrees", "coman_wall_slip"),
        run("push", "`coman_push_on_wall`: 60 N for 0.1 s", "coman_push_on_wall"),
        run("two_hands", "`coman_two_hands`", "coman_two_hands"),
        run("talos_20", "`coman_wall` on Talos, 20 N", "coman_wall" + overrides("robot=talos")),
        run("talos_30", "on Talos, 30 N", "coman_wall" + overrides("robot=talos", "reference.hands.right.force_n=30")),
        run("talos_40", "on Talos, 40 N: more than the arm holds in this posture",
            "coman_wall" + overrides("robot=talos", "reference.hands.right.force_n=40")),
    ),
    WALL)

FORCE_FAULTS = Experiment(
    "partial_force_faults", "docs/partial_force.md", "`coman_wall` with",
    (FELL, Column("force error max [N]", "{hand_force_error_max_n:x.2}"),
     Column("hand speed max [m/s]", "{hand_speed_max_m_per_s:x.2}"), Column("slip of the feet [mm]", "{slip_max_m:mm.0}")),
    (
        run("wall_vanishes", "the wall at the hand vanishes after 3 s",
            "coman_wall" + overrides("events=[{contact_lost: {hand: right, start_s: 3, duration_s: 10}}]")),
        run("sensor_lost", "`force_feedback`, force sensor lost", "coman_wall" + overrides(FEEDBACK, hand_fault("lost")),
            sensed=FORCE_SENSED + "; masses"),
        run("sensor_frozen", "`force_feedback`, force sensor frozen",
            "coman_wall" + overrides(FEEDBACK, hand_fault("frozen")), sensed=FORCE_SENSED + "; masses"),
        run("sensor_nan", "`force_feedback`, force sensor NaN", "coman_wall" + overrides(FEEDBACK, hand_fault("nan")),
            sensed=FORCE_SENSED + "; masses"),
        run("sensor_biased", "`force_feedback`, force sensor biased by 2 N on each axis",
            "coman_wall" + overrides(FEEDBACK, hand_fault("bias", ", bias: 2")), sensed="base, joints; masses"),
        run("friction_020", "friction of the ground falls to 0.2 after 3 s",
            "coman_wall" + overrides("events=[{friction: {value: 0.2, start_s: 3}}]")),
        run("friction_015", "friction of the ground falls to 0.15 after 3 s",
            "coman_wall" + overrides("events=[{friction: {value: 0.15, start_s: 3}}]")),
    ),
    WALL)

TALOS_STEP = ("robot=talos", "reference.com=hold")
STEP = Experiment(
    "step_jumps", "docs/partial_force.md", "`aplomb run`",
    (FELL, Column("torque at lift-off, switch [N m]", "{torque_jump_liftoff_nm:x.3}, {torque_jump_switch_nm:x.3}"),
     Column("foot force at lift-off, switch [N]", "{foot_force_jump_liftoff_n:x.2}, {foot_force_jump_switch_n:x.2}"),
     Column("ZMP at lift-off, switch [mm]", "{zmp_jump_liftoff_m:mm.2}, {zmp_jump_switch_m:mm.2}"),
     Column("touch-down [N], [N m]", "{touchdown_force_jump_n:x.1}, {touchdown_torque_jump_nm:x.1}"),
     Column("whole run [N m], [N]", "{torque_jump_max_nm:x.2}, {contact_force_jump_max_n:x.1}"), CHECKS),
    (
        run("force", "`coman_step_force`", "coman_step_force"),
        run("rigid", "`coman_step_rigid` (control: contacts switched at once)", "coman_step_rigid"),
        run("force_closed_form", "`coman_step_force` with `law: closed_form`",
            "coman_step_force" + overrides("controller.partial_force.law=closed_form")),
        run("rigid_bounded", "`coman_step_rigid` with `law: bounded` (control)",
            "coman_step_rigid" + overrides("controller.partial_force.law=bounded")),
        run("paper_force", "`paper_step_force`: closed form and third-order filter as printed", "paper_step_force"),
        run("paper_by_hand", "`paper_step_by_hand`: the same, normal force prescribed by hand", "paper_step_by_hand"),
        run("paper_rigid", "`paper_step_rigid`: the same, switched at once (control)", "paper_step_rigid"),
        run("fast_loaded", "`coman_step_force`, loaded as fast as the ramp allows (`carry_s` 4.01)",
            "coman_step_force" + overrides("reference.feet.0.carry_s=4.01")),
        run("fast_unloaded", "the same, unloaded (`unload_s` 1.99)",
            "coman_step_force" + overrides("reference.feet.0.unload_s=1.99")),
        run("talos", "on Talos", "coman_step_force" + overrides(*TALOS_STEP)),
    ),
    "base, joints; masses")

LEVELS = Experiment(
    "levels", "docs/partial_force.md", "`aplomb run`",
    (FELL, Column("largest change of a torque in a tick [N m]", "{torque_jump_max_nm:x.2}"), CHECKS),
    (
        run("ramp", "`coman_levels`: posture above the CoM and back", "coman_levels"),
        run("at_once", "the same with `level_ramp_s: 0` (control)",
            "coman_levels" + overrides("controller.partial_force.level_ramp_s=0")),
        run("stiff", "the same with the default gains: the CoP reaches the edge of the soles", "coman_levels" +
            overrides("controller.partial_force.stiffness_per_s2=100", "controller.partial_force.damping_per_s=20",
                      "controller.partial_force.posture_stiffness_per_s2=100",
                      "controller.partial_force.posture_damping_per_s=20")),
    ),
    WALL)

PRIORITY = Experiment(
    "task_priority", "docs/task_priority.md", "`aplomb run`",
    (FELL, Column("ZMP error max [mm]", "{zmp_error_max_m:mm.1}"), Column("ZMP offset [mm]", "{zmp_offset_end_m:mm.1}"),
     Column("within 2 mm after [s]", "{zmp_settle_s:x.2}"),
     Column("CoM height [mm]", "{com_height_error_max_m:mm.2}"),
     Column("joints repeat [deg]", "{period_repeat_max_rad:deg.3}"),
     Column("feet [mm], [deg]", "{feet_position_error_max_m:mm.2}, {feet_rotation_error_max_rad:deg.3}"),
     Column("largest torque / limit", "{torque_peak_ratio:x.2}"), CHECKS),
    (
        run("push", "`hoap3_stand_push`, half-sine 8.6 N, 0.1 s, four sides", "hoap3_stand_push"),
        run("push_open", "`hoap3_stand_push_open` (control: no ZMP feedback)", "hoap3_stand_push_open"),
        run("held", "`hoap3_stand_held`, 6 N for 2 s", "hoap3_stand_held"),
        run("held_open", "`hoap3_stand_held_open` (control)", "hoap3_stand_held_open"),
        run("held_step", "`hoap3_stand_held`, push without ramps",
            "hoap3_stand_held" + overrides("events.0.push.ramp_s=0")),
        run("squat", "`hoap3_squat`, 25 mm in 4 s", "hoap3_squat"),
        run("squat_deep", "`hoap3_squat_deep`, 60 mm in 3 s, torques x 3", "hoap3_squat_deep"),
        run("step", "`hoap3_step`, 4 cm, torques x 2", "hoap3_step"),
        run("step_listed", "`hoap3_step` with the listed torques (control: it should fall)", "hoap3_step" +
            overrides("plant.torque_limit_scale=1", "controller.task_priority.torque_scale=1")),
    ),
    CELLS)

PRIORITY_LIMITS = Experiment(
    "task_priority_limits", "docs/task_priority.md", "forward, left, back, right",
    (Column("largest push [N]", "{push_limit_n:list.x.2}", tolerance=0.25), CHECKS),
    tuple(run(name, label, name, long=True) for name, label in (
        ("hoap3_held_limit", "`hoap3_held_limit`, held for 2 s"),
        ("hoap3_held_limit_open", "`hoap3_held_limit_open` (control: no ZMP feedback)"),
        ("hoap3_push_limit", "`hoap3_push_limit`, half-sine of 0.1 s"),
        ("hoap3_push_limit_open", "`hoap3_push_limit_open` (control)"))),
    CELLS)



def com_points(*points):
    listed = ", ".join(f"{{time_s: {time}, offset_m: {offset}}}" for time, offset in points)
    return f"reference.com={{points: [{listed}]}}"


PRIORITY_REFERENCES = Experiment(
    "task_priority_references", "docs/task_priority.md", "CoM reference",
    (FELL, Column("joint limit margin [deg]", "{joint_limit_margin_min_rad:deg.1}"),
     Column("ZMP margin [mm]", "{zmp_margin_min_m:mm.0}"), CHECKS),
    (
        run("jump", "`hoap3_fault_jump`: jumps by 10 cm ahead, then to the left", "hoap3_fault_jump"),
        run("reach", "`hoap3_fault_reach`: 10 cm up, then ahead", "hoap3_fault_reach"),
        run("side", "15 cm to the left in 2 s", "hoap3_fault_reach" +
            overrides(com_points((1, "[0, 0, 0]"), (3, "[0, 0.15, 0]")))),
        run("ahead", "20 cm ahead and 5 cm down in 2 s", "hoap3_fault_reach" +
            overrides(com_points((1, "[0, 0, 0]"), (3, "[0.2, 0, -0.05]")))),
    ),
    CELLS)

PRIORITY_PRINTED = Experiment(
    "task_priority_printed", "docs/task_priority.md", "`aplomb run`",
    (FELL, Column("ZMP error RMS [mm]", "{zmp_error_rms_m:mm.1}"), Column("ZMP offset at the end [mm]", "{zmp_offset_end_m:mm.1}"),
     Column("largest torque change in a tick [N m]", "{torque_jump_max_nm:x.2}"),
     Column("joint limit margin [deg]", "{joint_limit_margin_min_rad:deg.1}"), CHECKS),
    tuple(run(name, label, f"paper_{name}") for name, label in (
        ("stand_push", "`paper_stand_push`: pushes, Kp = 0.02"),
        ("stand_push_delay", "`paper_stand_push_delay`: the same, load cells 10 ms late"),
        ("zmp_gain_004", "`paper_zmp_gain_004`: Kp = 0.04"),
        ("zmp_gain_006", "`paper_zmp_gain_006` (control: Kp = 0.06)"),
        ("stand_held", "`paper_stand_held`: 6 N held, Kp = 0.02"),
        ("squat", "`paper_squat`: feet and CoM"),
        ("squat_comfort", "`paper_squat_comfort` (control: all three levels)"))),
    CELLS)

PRIORITY_ROBOTS = Experiment(
    "task_priority_robots", "docs/task_priority.md", "robot, scenario",
    (FELL, Column("ZMP margin [mm]", "{zmp_margin_min_m:mm.0}"), Column("largest torque / limit", "{torque_peak_ratio:x.2}"),
     Column("self-collision")),
    tuple(run(f"{robot}_{name}", f"{robot}, `{name}`", f"{name}{overrides(f'robot={robot}')}",
              text={"self-collision": collision}, long=robot == "talos")
          for robot, collision in (("coman", "yes"), ("talos", "no: meshes"))
          for name in ("hoap3_stand_push", "hoap3_stand_held", "hoap3_squat", "hoap3_squat_deep", "hoap3_step")),
    CELLS)

NOISY = "orientation of the base; geometry (noise: CoP 2 mm, force 2 N, joints 0.0035 rad)"
BIASED = "orientation of the base; geometry (noise and constant errors of joints and feet)"

IDENTIFY_ONCE = Experiment(
    "identify_once", "docs/identification.md", "`aplomb run`, seed 1",
    (Column("hold-out [mm]", "{holdout_rms_m:mm.2}"), Column("CAD, hold-out [mm]", "{cad_holdout_rms_m:mm.1}"),
     Column("CoM along the stand-up path [mm]", "{com_path_error_rms_m:mm.2}"),
     Column("plain least squares there [mm]", "{com_path_error_least_squares_rms_m:mm.2}"),
     Column("CAD there [mm]", "{com_path_error_cad_rms_m:mm.1}")),
    tuple(run(name, f"`{name}`", name, long=is_long, sensed=sensed) for name, is_long, sensed in (
        ("identify_sarcos_real", False, ""), ("identify_sarcos_20", False, ""), ("identify_sarcos_heavy", True, ""),
        ("identify_sarcos_3d", True, ""), ("identify_sarcos_biased", True, BIASED))),
    NOISY)

TORQUES = Experiment(
    "identify_torques", "docs/identification.md", "`aplomb run`",
    (Column("CoM along the stand-up path [mm]", "{com_path_error_rms_m_mean:mm.2}"),
     Column("without the torques [mm]", "{com_path_error_without_torques_rms_m_mean:mm.2}"),
     Column("plain least squares [mm]", "{com_path_error_least_squares_rms_m_mean:mm.2}"),
     Column("without the torques [mm]", "{com_path_error_least_squares_without_torques_rms_m_mean:mm.2}")),
    (run("noise_1", "`paper_identification --repeat 10`, torque noise 1 N m", "paper_identification --repeat 10", long=True),
     run("noise_5", "the same, 5 N m",
         "paper_identification --repeat 10" + overrides("identify.torque_noise_nm=5"), long=True)),
    NOISY)

IDENTIFY = Experiment(
    "identify", "docs/identification.md", "`aplomb run NAME --repeat 30`",
    (Column("hold-out [mm], mean (worst)", "{holdout_rms_m_mean:mm.2} ({holdout_rms_m_max:mm.2})"),
     Column("CAD, hold-out [mm]", "{cad_holdout_rms_m_mean:mm.1}"),
     Column("CoM along the stand-up path [mm]", "{com_path_error_rms_m_mean:mm.2} ({com_path_error_rms_m_max:mm.2})"),
     Column("plain least squares there [mm]",
            "{com_path_error_least_squares_rms_m_mean:mm.2} ({com_path_error_least_squares_rms_m_max:mm.2})"), CHECKS),
    tuple(run(name, label, f"{name} --repeat 30", long=True, sensed=sensed) for name, label, sensed in (
        ("identify_sarcos_real", "`identify_sarcos_real`", ""),
        ("identify_sarcos_heavy", "`identify_sarcos_heavy`", ""),
        ("identify_sarcos_20", "`identify_sarcos_20` (20 postures)", ""),
        ("identify_sarcos_3d", "`identify_sarcos_3d`", ""),
        ("identify_sarcos_biased", "`identify_sarcos_biased` (control: constant sensor errors)",
         BIASED))),
    NOISY)

PAYLOAD = Experiment(
    "payload", "docs/identification.md", "`aplomb run`",
    (FELL, Column("mass [kg]", "{payload_mass_kg:x.2}"),
     Column("estimated CoM within 2 mm after [s]", "{payload_corrected_s:x.2}"), COM_MAX, COM_END, CHECKS),
    (run("estimated", "`identify_payload`: the balancer is handed 3 kg", "identify_payload"),),
    "base, joints, feet, payload's link; other masses")

HUMAN_COLUMNS = (Column("markers RMS [cm]", "{marker_rms_m:cm.2}"), Column("95 % of frames [cm]", "{marker_p95_frame_m:cm.2}"),
                 Column("worst marker [cm]", "{marker_worst_m:cm.2}"),
                 Column("CoP forward, mean body [cm]", "{cop_x_rms_before_m:cm.1}"),
                 Column("adjusted [cm]", "{cop_x_rms_m:cm.1}"), Column("held out [cm]", "{cop_x_holdout_rms_m:cm.1}"),
                 Column("CoP sideways, adjusted / held out [cm]", "{cop_y_rms_m:cm.1} / {cop_y_holdout_rms_m:cm.1}"),
                 Column("held-out samples within two deviations [%]", "{cop_within_two_deviations_ratio:percent.0}"),
                 Column("force forward, up [N]", "{force_x_rms_n:x.0}, {force_z_rms_n:x.0}"),
                 Column("mass from plates [kg]", "{mass_from_plates_kg:x.1}"), Column("rises", "{rises:x.0}", tolerance=0),
                 Column("verdict", "{verdict:text}"))
STS = "human {data}/sit_to_stand/STS1.trc --forces {data}/sit_to_stand/STS1_grf.mot --static {data}/sit_to_stand/static1.trc"
HUMAN = Experiment(
    "human", "docs/human.md", "`aplomb human STS1.trc --forces STS1_grf.mot --static static1.trc`",
    HUMAN_COLUMNS,
    (Row("sts1", "`--mass 62.6`", (STS + " --mass 62.6",)),
     Row("sts1_155", "`--mass 62.6 --skeleton 155`", (STS + " --mass 62.6 --skeleton 155",), long=True),
     Row("walking_p3", "`P3/walking1.trc --forces walking1_grf.mot --static static1.trc --mass 79.4`",
         ("human {data}/people/P3/walking1.trc --forces {data}/people/P3/walking1_grf.mot "
          "--static {data}/people/P3/static1.trc --mass 79.4",)),
     Row("sts1_wrong_mass", "`--mass 90` (control: another person's mass)", (STS + " --mass 90",))),
    "")

HUMAN_DEMONSTRATOR = Experiment(
    "human_demonstrator", "docs/human.md", "`aplomb demonstrate` ..., `aplomb human`",
    (Column("markers RMS [mm]", "{marker_rms_m:mm.2}"), Column("CoP forward [mm]", "{cop_x_rms_m:mm.1}"),
     Column("CoP sideways [mm]", "{cop_y_rms_m:mm.1}"), Column("rises", "{rises:x.0}", tolerance=0)),
    tuple(Row(f"{style}_{noise}_{seed}_{cutoff}", f"`{style} --seed {seed} --marker-noise-m {noise}`, `--cutoff-hz {cutoff}`",
              (f"demonstrate {style} --seed {seed} --marker-noise-m {noise} --out {{out}}/person.c3d",
               f"human {{out}}/person.c3d --cutoff-hz {cutoff}"), long=seed != 1)
          for style in ("natural", "elderly") for noise, seed, cutoff in
          (("0", 1, 4), ("0.001", 1, 4), ("0.001", 3, 4), ("0.001", 5, 4), ("0.001", 1, 6), ("0.001", 3, 6), ("0.001", 5, 6))),
    "plates, masses' proportions (the skeleton is the one that is fitted)")

HUMAN_FORCES = Experiment(
    "human_forces", "docs/human.md", "recording, its plates held back",
    (Column("feet, vertical [% of weight]", "{feet_force_error_ratio:percent.1}"),
     Column("each foot [% of weight]", "{foot_force_error_ratio:percent.1}"),
     Column("CoP of the feet, forward [cm]", "{feet_cop_error_m:cm.1}"),
     Column("seat [% of weight]", "{seat_share_error_ratio:percent.1}")),
    (Row("sts1", "`STS1`, five rises", (STS + " --mass 62.6",)),
     Row("walking_p3", "`P3/walking1`, one second", HUMAN.row("walking_p3").commands),
     *(Row(style, f"`demonstrate {style} --seed 7 --height 1.62 --mass 54 --marker-noise-m 0.001`",
           (f"demonstrate {style} --seed 7 --height 1.62 --mass 54 --marker-noise-m 0.001 --out {{out}}/person.c3d",
            "human {out}/person.c3d")) for style in ("natural", "elderly", "fast"))),
    "")

TRIALS = "scripts/human-trials"
REJECTED = (Column("trials", "{trials:x.0}", tolerance=0), Column("rejected [%]", "{rejected_ratio:percent.0}"))
PLANTED = (("good", "nothing: good trials"), ("mass", "`--mass` 10 % too small, too large"))


def planted(key, groups, command):
    return tuple(Row(f"{key}_{group}", label, (command,), prefix=f"{group}.", long=True) for group, label in groups)


HUMAN_RECORDED = Experiment(
    "human_recorded", "docs/human.md", "recordings of three people; planted", REJECTED,
    planted("recorded", (*PLANTED, ("shift_rises", "rises: one plate or both 3 cm off"),
                         ("shift_walking", "walking: one plate or both 3 cm off"),
                         ("forces", "forces of another trial, or of another movement of this one"),
                         ("static", "static trial of another person")), TRIALS + " recorded --data {data}"), "")
HUMAN_PEOPLE = Experiment(
    "human_people", "docs/human.md", "synthetic people; planted", REJECTED,
    planted("people", (*PLANTED, ("shift", "the foot plate 3 cm off"), ("forces", "forces of another person and style"),
                       ("static", "static trial of another person")), TRIALS + " people --people 16"), "")
HUMAN_ACCURACY = Experiment(
    "human_accuracy", "docs/human.md", "the same people, good trials",
    (Column("CoP forward, held out, median / worst [cm]", "{cop_x_holdout_rms_m_median:cm.2} / {cop_x_holdout_rms_m_max:cm.2}"),
     Column("CoP sideways [cm]", "{cop_y_holdout_rms_m_median:cm.2} / {cop_y_holdout_rms_m_max:cm.2}"),
     Column("samples within two deviations [%]", "{cop_within_two_deviations_ratio:percent.0}")),
    (Row("people", "`scripts/human-trials people --people 16`", (TRIALS + " people --people 16",), prefix="good.", long=True),), "")
HUMAN_LOSSES = Experiment(
    "human_losses", "docs/human.md", "`STS1`, samples lost in bursts of 0.1 to 0.6 s",
    (Column("drawings", "{drawings:x.0}", tolerance=0), Column("CoM moves by, median [mm]", "{com_change_median_m:mm.1}"),
     Column("95 % [mm]", "{com_change_p95_m:mm.1}"), Column("at worst [mm]", "{com_change_max_m:mm.1}"),
     Column("drawings within the limit [%]", "{within_limit_ratio:percent.0}"),
     Column("accepted [%]", "{accepted_ratio:percent.0}")),
    (Row("10", "10 % (limit 2.5 mm)", (TRIALS + " losses --ratio 0.1 --limit 0.0025 --data {data}",), long=True),
     Row("20", "20 % (limit 5 mm)", (TRIALS + " losses --ratio 0.2 --limit 0.005 --data {data}",), long=True)), "")
HUMAN_INPUT = Experiment(
    "human_input", "docs/human.md", "`STS1`, changed",
    (Column("CoM moves by, RMS [mm]", "{com_change_m:mm.1}"), Column("its standard deviation [mm]", "{com_uncertainty_m:mm.1}"),
     Column("markers RMS [cm]", "{marker_rms_m:cm.2}"), Column("rises", "{rises:x.0}", tolerance=0), Column("verdict", "{verdict:text}")),
    tuple(Row(kind, label, (f"{TRIALS} damage {kind} --data {{data}}",), long=True) for kind, label in (
        ("rate_30", "at 30 Hz"), ("rate_50", "at 50 Hz"), ("rate_300", "at 300 Hz"), ("millimetres", "millimetres labelled as metres"),
        ("swapped", "four pairs of labels swapped for 1 s"), ("jumping", "40 markers jump by 0.4 m for up to 0.14 s"),
        ("lost_pelvis_2s", "both ASIS lost for 2 s"), ("lost_chest_3s", "C7 and sternum lost for 3 s"),
        ("asymmetric", "12 markers missing, each on one side"), ("clusters", "clusters only: no marker on knees, ankles, elbows, wrists"),
        ("legs", "legs and pelvis only"))), "")

RETARGET = Experiment(
    "retarget", "docs/retargeting.md", "robot, style",
    (Column("marker RMS (without CoM) [mm]", "{marker_rms_m:mm.1} ({marker_rms_free_m:mm.1})"),
     Column("CoM shift [mm]", "{com_target_shift_max_m:mm.1}"), Column("slowdown", "{slowdown:x.2}"),
     Column("infeasible frames", "{infeasible_frames:x.0}"), Column("trunk off the person's, RMS / at the end [deg]", "{trunk_angle_error_rms_rad:deg.1} / {trunk_angle_end_error_rad:deg.1}"),
     Column("arms, RMS [deg]", "{arm_angle_error_rms_rad:deg.0}"),
     Column("ZMP margin [mm]", "{zmp_margin_planned_min_m:mm.0}"), Column("dip [mm]", "{com_dip_m:mm.0}"),
     Column("speed [rad/s]", "{joint_speed_max_rad_per_s:x.1}"), Column("chair [m]", "{chair_height_m:x.3}"), CHECKS),
    tuple(Row(f"{robot}_{style}", f"{robot}, {style}",
              (f"demonstrate {style} --out {{out}}/trial.c3d",
               f"retarget {{out}}/trial.c3d --robot {robot}{' --force' if robot == 'romeo' else ''} --out {{out}}/plan"),
              long=robot != "coman")
          for robot in ("sarcos_real", "coman", "talos", "hoap3", "g1", "icub", "romeo") for style in ("natural", "elderly")),
    "")

PLANS = Experiment(
    "plans", "docs/retargeting.md", "robot, recordings",
    (Column("plans", "{motions:x.0}", tolerance=0), Column("refused", "{refused:x.0}", tolerance=0),
     Column("every check [%]", "{every_check_ratio:percent.0}"), Column("CoP in the soles [%]", "{cop_ratio:percent.0}"),
     Column("CoM [%]", "{com_ratio:percent.0}"), Column("CoM at worst [mm]", "{com_deviation_max_m:mm.0}"),
     Column("jerk at worst [rad/s³]", "{jerk_max_rad_per_s3:x.0}"), Column("torque [%]", "{torque_ratio:percent.0}"),
     Column("trunk [%]", "{trunk_ratio:percent.0}"), Column("trunk RMS, median [deg]", "{trunk_rms_median_rad:deg.1}"),
     Column("arms [%]", "{arms_ratio:percent.0}"), Column("arms RMS, median [deg]", "{arms_rms_median_rad:deg.0}"),
     Column("hands [%]", "{hands_ratio:percent.0}")),
    tuple(Row(f"{robot}_{clip.replace('-', '_')}", f"{robot}, {clip}s{label}",
              (f"scripts/plan-trials recorded --robot {robot} --clip {clip}{options} --json --data {{data}}",),
              prefix=f"{clip.replace('-', '_')}.", long=True)
          for robot, options, label in (("sarcos_real", "", ""), ("talos", " --first 2", ", two of each recording"),
                                        ("g1", " --first 2", ", two of each recording"))
          for clip in ("rise", "sit-down")),
    "")
REPAIR = Experiment(
    "repair", "docs/motions.md", "motion",
    (Column("frames of flight [%]", "{flight_ratio:percent.1}"),
     Column("floating [%]", "{floating_ratio:percent.1} → {repaired_floating_ratio:percent.1}"),
     Column("sliding [%]", "{sliding_ratio:percent.1} → {repaired_sliding_ratio:percent.1}"),
     Column("ZMP outside [%]", "{zmp_outside_ratio:percent.1} → {repaired_zmp_outside_ratio:percent.1}"),
     Column("torque [%]", "{torque_ratio:percent.1} → {repaired_torque_ratio:percent.1}"),
     Column("mean change [cm]", "{body_change_mean_m:cm.1}"), Column("lines of what is left", "{unmended:x.0}")),
    tuple(Row(name, name, (f"grade {{data}}/g1_motions/{name}.csv --robot g1 --repair --out {{out}}/grade",), long=True)
          for name in ("B_Fence2", "B_HandsChop", "B_HandsUp", "J_Dance0_StepTouch", "J_Dance18_TikTok", "J_Dance20_DWG",
                       "J_ShortDance14_Disco", "J_ShortDance16_JazzWalk", "M_Move11", "M_Move8", "M_ShortMove12", "M_ShortMove14")),
    "")

RISE = (Column("stands up", "{stood_up:yes}"), FELL, Column("drift [mm]", "{hold_drift_m:mm.1}"),
        Column("seat-off - planned [ms]", "{seat_off_s-seat_off_planned_s:+ms.0}"),
        Column("CoM forward RMS / max [mm]", "{com_x_error_rms_m:mm.1} / {com_x_error_max_m:mm.1}"),
        Column("CoP - planned ZMP RMS [mm]", "{cop_zmp_rms_m:mm.1}"),
        Column("heel / toe margin [mm]", "{heel_margin_min_m:mm.0} / {toe_margin_min_m:mm.0}"),
        Column("largest torque / limit", "{torque_peak_ratio:x.2}"),
        Column("slowdown", "{slowdown:x.2}"), Column("CoM shift [mm]", "{com_target_shift_max_m:mm.0}"), CHECKS)
STYLES = ("natural", "elderly", "natural_heavy", "elderly_heavy")
PD = "controller.kind=joint_pd"
FORWARD = "controller.joint_pd.feed_forward=true"

RISES = Experiment(
    "rises", "docs/sit_to_stand.md", "`sit_to_stand_...`", RISE,
    tuple(run(style, f"`{style}`", f"sit_to_stand_{style}", long=style != "natural") for style in STYLES) +
    tuple(run(f"{style}_pd", f"`{style}`, `joint_pd`", f"sit_to_stand_{style}{overrides(PD)}", long=True) for style in STYLES) +
    tuple(run(f"{style}_ff", f"`{style}`, `joint_pd` with `feed_forward`", f"sit_to_stand_{style}{overrides(PD, FORWARD)}",
              long=True) for style in STYLES),
    SEATED)

CAD = "plan.parameters=cad"
RISES_CAD = Experiment(
    "rises_cad", "docs/sit_to_stand.md", "`sit_to_stand_...`, masses of the CAD model",
    (Column("stands up", "{stood_up:yes}"), FELL, Column("CoP - planned ZMP RMS [mm]", "{cop_zmp_rms_m:mm.0}"),
     Column("heel / toe margin [mm]", "{heel_margin_min_m:mm.0} / {toe_margin_min_m:mm.0}"), CHECKS),
    tuple(run(f"{style}_{key}", f"`{style}`, {label}", f"sit_to_stand_{style}{overrides(CAD, *more)}", long=True)
          for style in STYLES
          for key, label, more in (("pd", "`joint_pd`", (PD,)), ("ff", "`joint_pd` with `feed_forward`", (PD, FORWARD)),
                                   ("id", "`inverse_dynamics`", ()))),
    "base, joints, feet, seat")

RISES_ROBOTS = Experiment(
    "rises_robots", "docs/sit_to_stand.md", "robot, chair, style",
    (*RISE, Column("self-collision")),
    tuple(run(f"{robot}_{style}", f"{robot}, {chair} m, {style}",
              f"sit_to_stand_{robot}{overrides(f'plan.style={style}')}", long=robot not in ("coman", "icub"),
              text={"self-collision": collision})
          for robot, chair, collision in (("coman", "0.25", "yes"), ("talos", "0.40", "no: meshes"),
                                          ("icub", "0.191", "no: meshes"),
                                          ("g1", "0.262", "feet and shoulders; the rest are meshes"))
          for style in ("natural", "elderly")) +
    (run("hoap3_strong", "hoap3, 0.116 m, natural, four times the torque that it has", "sit_to_stand_hoap3", long=True,
         text={"self-collision": "yes"}),
     run("hoap3", "hoap3 with its own torque (control: it lacks the torque)",
         "sit_to_stand_hoap3" + overrides("plant.torque_limit_scale=1"), long=True, text={"self-collision": "yes"})),
    "base, joints, feet, seat; masses")

RISES_RECORDED = Experiment(
    "rises_recorded", "docs/sit_to_stand.md", "rise of STS1", RISE,
    tuple(Row(f"rise_{number}{suffix}", f"{number}{label}",
              (STS + " --mass 62.6 --out {out}/sts",
               f"run sit_to_stand_natural --set 'plan={{demonstration: {{out}}/sts, rise: {number}{more}}}' --set duration_s=9"),
              long=True, sensed=sensed)
          for suffix, label, more, sensed in (("", "", "", ""), ("_true", ", true masses", ", parameters: true",
                                                                 "base, joints, feet, seat; masses"))
          for number in range(1, 6)),
    SEATED)

RISES_ARM_RESTS = Experiment(
    "rises_arm_rests", "docs/sit_to_stand.md", "`aplomb run`",
    (*RISE, Column("force on both hands [N]", "{hand_force_max_n:x.0}")),
    (run("arm_rests", "`sit_to_stand_arm_rests`", "sit_to_stand_arm_rests", long=True,
         sensed="base, joints, feet, hands, seat; masses identified"),
     run("without", "the same person, a chair without arm rests (control)",
         "sit_to_stand_natural" + overrides("plan.style=arm_rests"), long=True)),
    SEATED)

SIT_DOWNS = Experiment(
    "sit_downs", "docs/sit_to_stand.md", "`aplomb run`",
    (Column("sits down", "{sat_down:yes}"), FELL, Column("touch - planned [ms]", "{seat_on_s-seat_on_planned_s:+ms.0}"),
     Column("speed at the touch [mm/s]", "{touch_velocity_m_per_s:mm.0}"),
     Column("peak seat force / load at the end", "{seat_force_peak_ratio:x.2}"),
     Column("seat force - planned RMS [N]", "{seat_force_error_rms_n:x.1}"),
     Column("heel / toe margin [mm]", "{heel_margin_min_m:mm.0} / {toe_margin_min_m:mm.0}"),
     Column("foot force jump [N]", "{foot_force_jump_max_n:x.1}"),
     Column("torque jump / limit", "{torque_jump_ratio_max:x.3}"), CHECKS),
    tuple(run(name, f"`{name}`", name, long=name != "sit_down_natural")
          for name in ("sit_down_natural", "sit_down_elderly", "sit_stand_sit")) +
    tuple(run(f"{name}_identified", f"`{name}`, identified masses, cushion of 100 kN/m",
              name + overrides("plan.parameters=identified", "world.chair.stiffness_n_per_m=1e5", "world.chair.damping_n_s_per_m=2000"),
              long=True, sensed="base, joints, feet; masses identified") for name in ("sit_down_natural", "sit_down_elderly")) +
    tuple(run(f"{robot}_{style}", f"{robot}, `{style}`",
              f"sit_to_stand_{robot}{overrides(f'plan.style={style}', 'duration_s=11', 'checks=[{metric: sat_down, equals: true}]')}",
              long=True)
          for robot in ("coman", "talos", "g1") for style in ("sit_down", "sit_down_elderly", "sit_stand_sit")),
    "base, joints, feet; masses")

CHAIRS = (("-4 cm", "world.chair.height_m=0.41"), ("-2 cm", "world.chair.height_m=0.43"), ("+2 cm", "world.chair.height_m=0.47"),
          ("+4 cm", "world.chair.height_m=0.49"), ("4 cm ahead", "world.chair.forward_m=0.04"),
          ("4 cm behind", "world.chair.forward_m=-0.04"), ("tilted 5 deg forward", "world.chair.pitch_rad=0.087"),
          ("tilted 5 deg back", "world.chair.pitch_rad=-0.087"), ("cushion of 20 kN/m", "world.chair.stiffness_n_per_m=2e4"),
          ("cushion of 100 kN/m", "world.chair.stiffness_n_per_m=1e5"))
CUSHION = "world.chair.damping_n_s_per_m=1000"
RISES_CHAIRS = Experiment(
    "rises_chairs", "docs/sit_to_stand.md", "scenario, chair",
    (Column("outcome", "{rise_outcome:text}"), Column("gave up at [s]", "{gave_up_s:x.2}"),
     Column("heel / toe margin [mm]", "{heel_margin_min_m:mm.0} / {toe_margin_min_m:mm.0}"),
     Column("speed at the touch [mm/s]", "{touch_velocity_m_per_s:mm.0}"), CHECKS),
    tuple(run(f"{scenario}_{chair}".replace(" ", "_"), f"`{scenario}`, {chair}",
              scenario + overrides("plan.parameters=true", change, *([CUSHION] if "cushion" in chair else [])), long=True)
          for scenario in ("sit_to_stand_natural", "sit_to_stand_elderly", "sit_down_natural", "sit_down_elderly")
          for chair, change in CHAIRS) +
    (run("no_arm_rests", "`sit_to_stand_arm_rests`, no arm rests",
         "sit_to_stand_arm_rests" + overrides("plan.parameters=true", "world.chair.arm_rests=false"), long=True),),
    "base, joints, feet; masses (the chair is not where it was believed)")

INSTANTS = (1.4, 1.8, 2.0, 2.2, 2.4, 2.6, 3.0)
RISE_FAULTS = Experiment(
    "rise_faults", "docs/sit_to_stand.md", "`sit_to_stand_natural`, fault, at [s]",
    (Column("outcome", "{rise_outcome:text}"), Column("gave up at [s]", "{gave_up_s:x.2}"),
     Column("because", "{gave_up_reason:text}"), Column("values not finite", "{nonfinite_values:x.0}", tolerance=0)),
    tuple(run(f"{key}_{instant:g}", f"{label}, {instant:g}",
              "sit_to_stand_natural" + overrides("plan.parameters=true", "events=[" + event.replace("AT", f"{instant:g}") + "]"),
              long=True)
          for key, label, event in (
              ("foot_sensor", "left foot's wrench lost", "{sensor_fault: {sensor: left_foot_wrench, kind: lost, start_s: AT}}"),
              ("encoders", "joint angles lost for 50 ms",
               "{sensor_fault: {sensor: joint_position, kind: lost, start_s: AT, duration_s: 0.05}}"),
              ("contact", "no ground under the left foot for 50 ms",
               "{contact_lost: {foot: left, start_s: AT, duration_s: 0.05}}"),
              ("push_back", "push of 20 N s backwards",
               "{push: {link: trunk, at: link_com, force_n: [-200, 0, 0], start_s: AT, duration_s: 0.1}}"),
              ("push_side", "push of 20 N s to the left",
               "{push: {link: trunk, at: link_com, force_n: [0, 200, 0], start_s: AT, duration_s: 0.1}}"))
          for instant in INSTANTS),
    "base, joints, feet; masses")

# A push is survived when the robot ends at rest, standing or on the seat: how rough that was is not judged.
SURVIVED = ("checks=[{metric: ended_safely, equals: true}, {metric: torque_jump_ratio_max, above: -1}, "
            "{metric: foot_force_jump_max_n, above: -1}, {metric: foot_force_peak_per_weight, above: -1}, "
            "{metric: torque_saturated_s, above: -1}, {metric: joint_speed_ratio_max, above: -1}]")
PUSH_SEARCH = ("search={key: events.0.push.magnitude_n, low: 50, high: 550, step: 50, "
               "directions: [0, 45, 90, 135, 180, 225, 270, 315]}")
RISE_PUSHES = Experiment(
    "rise_pushes", "docs/sit_to_stand.md", "push of 0.1 s at the CoM, 0, 45, ... 315 deg, at [s]",
    (Column("largest that is survived [N]", "{push_limit_n:list.x.0}", tolerance=50),
     Column("smallest of them [N]", "{push_limit_min_n:x.0}", tolerance=50),
     Column("directions in which the largest that is tried passes", "{search_unbracketed:x.0}", tolerance=0)),
    tuple(run(f"at_{instant:g}", f"{instant:g}, {when}",
              "sit_to_stand_natural" + overrides(
                  "plan.parameters=true", "events=[{push: {link: trunk, at: com, magnitude_n: 100, direction_deg: 0, "
                  f"start_s: {instant:g}, duration_s: 0.1}}}}]", PUSH_SEARCH, SURVIVED), long=True)
          for instant, when in ((1.4, "the trunk leans forward"), (1.8, "shortly before seat-off"), (2.04, "at seat-off"),
                                (2.34, "0.3 s after it"), (2.84, "0.8 s after it"))) +
    (run("standing", "standing, `momentum_balance`",
         "balance_push_8" + overrides("robot=sarcos_real", PUSH_SEARCH, "checks=[{metric: fell, equals: false}]"), long=True),),
    "base, joints, feet; masses")

RISE_FALLS = Experiment(
    "rise_falls", "docs/sit_to_stand.md", "`sit_to_stand_natural`",
    (Column("outcome", "{rise_outcome:text}"), Column("largest force of the impact [N]", "{impact_peak_n:x.0}"),
     Column("values not finite", "{nonfinite_values:x.0}", tolerance=0)),
    tuple(run(key, label, "sit_to_stand_natural" + overrides("plan.parameters=true", f"events=[{event}]"), long=True)
          for key, label, event in (
              ("forward", "push of 90 N s forwards at 2.84 s",
               "{push: {link: trunk, at: com, force_n: [900, 0, 0], start_s: 2.84, duration_s: 0.1}}"),
              ("back", "push of 90 N s backwards at 2.84 s",
               "{push: {link: trunk, at: com, force_n: [-900, 0, 0], start_s: 2.84, duration_s: 0.1}}"),
              ("side", "push of 90 N s to the left at 2.84 s",
               "{push: {link: trunk, at: com, force_n: [0, 900, 0], start_s: 2.84, duration_s: 0.1}}"),
              ("blind", "joint angles lost for good at 2.4 s",
               "{sensor_fault: {sensor: joint_position, kind: lost, start_s: 2.4}}"))),
    "base, joints, feet; masses")

VARIED = "base, joints, feet, seat; masses identified (chair, friction, gains, start posture vary)"
RISES_REPEAT = Experiment(
    "rises_repeat", "docs/sit_to_stand.md", "`aplomb run NAME --repeat 200`",
    (Column("runs", "{runs:x.0}", tolerance=0), Column("pass", "{success_ratio:percent.1} %"),
     Column("stand up", "{stood_up_mean:percent.1} %"), Column("fall", "{fell_mean:percent.1} %"),
     Column("heel margin p10, min [mm]", "{heel_margin_min_m_p10:mm.0}, {heel_margin_min_m_min:mm.0}"),
     Column("drift p90, max [mm]", "{hold_drift_m_p90:mm.1}, {hold_drift_m_max:mm.1}")),
    tuple(run(name, f"`sit_to_stand_{name}`", f"sit_to_stand_{name} --repeat 200", long=True, sensed=sensed)
          for name, sensed in (("natural", ""), ("natural_heavy", ""), ("elderly", ""), ("elderly_heavy", ""),
                               ("natural_hard", "base, joints, feet, seat (masses +-5 %, chair, speed, push vary)"))),
    VARIED)

PAPER_GAINS = tuple(f"controller.partial_force.{key}" for key in (
    "stiffness_per_s2=10", "damping_per_s=5", "posture_stiffness_per_s2=10", "posture_damping_per_s=5"))
CONTROLLERS = ("joint_pd", "task_priority", "momentum_balance", "partial_force")
COMPARE = Experiment(
    "compare", "docs/compare.md", "robot, push, controller",
    (FELL, Column("CoM max [mm]", "{com_error_max_m:mm.1}"), Column("recovery [s]", "{recovery_s:x.2}"),
     Column("largest torque / limit", "{torque_peak_ratio:x.2}"), Column("torque jump [N m]", "{torque_jump_max_nm:x.1}"),
     Column("force jump [N]", "{contact_force_jump_max_n:x.1}")),
    tuple(Row(f"{robot}_{push}_{controller}", f"{robot}, {label}, `{controller}`",
              (f"compare {scenario} --controllers {','.join(CONTROLLERS)} --robot {robot}",), prefix=f"{controller}.",
              sensed={"task_priority": "base, joints, load cells; masses", "partial_force": "base, joints; masses"}
              .get(controller, ""))
          for robot in ("coman", "talos")
          for push, label, scenario in (("12ns", "12 N s", "balance_push_forward"),
                                        ("relative", "0.2 weights", "balance_push_relative"))
          for controller in CONTROLLERS) +
    (Row("coman_12ns_paper_gains", "coman, 12 N s, `partial_force` with the paper's gains (control)",
         (f"compare balance_push_forward --controllers partial_force --robot coman{overrides(*PAPER_GAINS)}",),
         prefix="partial_force.", sensed="base, joints; masses"),),
    ALL)

TIMED = (("robot_terms", "terms of the robot, all (sarcos)"), ("nnls_6x32_cold", "8 corners x 4 edges of friction cones, cold"),
         ("nnls_6x32_warm", "the same, warm"), ("bvls_6x12_warm", "two foot wrenches in boxes, warm"),
         ("hierarchy_4_levels", "12 + 6 + 6 + 29 rows on 35 variables"), ("cycle_task_priority", "whole tick, hoap3"),
         ("cycle_momentum_balance", "whole tick, balancer"), ("cycle_momentum_balance_sarcos", "whole tick, sarcos"),
         ("cycle_momentum_balance_talos", "whole tick, Talos"), ("cycle_partial_force", "whole tick, CoMan"),
         ("human_fit_frame", "one frame, light skeleton"), ("human_fit_frame_155", "one frame, large skeleton"),
         ("retarget_frame", "one frame alone, sarcos_real, 41 markers"))
TIMING = Experiment(
    "timing", "docs/solvers.md", "case of `aplomb bench`",
    (Column("what"), Column("median", "{p50_ratio:x.2}", relative=0.3),
     Column("allocations", "{allocations:x.0}", tolerance=0)),
    tuple(Row(name, f"`{name}`", ("bench",), prefix=f"{name}.", text={"what": what}, long=True) for name, what in TIMED),
    "", alone=True)

EXPERIMENTS = {experiment.name: experiment for experiment in (
    STANDING, LABORATORY, ESTIMATES, BALANCE, BALANCE_PRINTED, RELATIVE, PUSH_LIMITS, FAULTS, FAULT_MATRIX, FORCE, FORCE_FAULTS, STEP, LEVELS,
    PRIORITY, PRIORITY_LIMITS, PRIORITY_REFERENCES, PRIORITY_ROBOTS, PRIORITY_PRINTED, IDENTIFY_ONCE, TORQUES, IDENTIFY,
    PAYLOAD, HUMAN, HUMAN_DEMONSTRATOR, HUMAN_FORCES, HUMAN_RECORDED, HUMAN_PEOPLE, HUMAN_ACCURACY, HUMAN_LOSSES, HUMAN_INPUT,
    RETARGET, PLANS, REPAIR, RISES, RISES_CAD, RISES_ROBOTS, RISES_RECORDED, RISES_ARM_RESTS, SIT_DOWNS, RISES_CHAIRS, RISE_FAULTS,
    RISE_PUSHES, RISE_FALLS,
    RISES_REPEAT, COMPARE, TIMING)}
