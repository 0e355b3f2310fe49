"""A rise from a chair as a BVH file: a skeleton in the sagittal plane, y up and z forward, in centimetres."""

import math

THIGH, SHANK, ANKLE_UP, HIP_OUT = 42.0, 42.0, 8.0, 9.0
RATE_HZ = 60


def minimum_jerk(u: float) -> float:
    u = min(max(u, 0.0), 1.0)
    return u**3 * (10.0 - 15.0 * u + 6.0 * u * u)


def leg(side: str, sign: float) -> str:
    return (f"JOINT {side}UpLeg {{ OFFSET {sign * HIP_OUT} 0 0 CHANNELS 1 Xrotation\n"
            f"JOINT {side}Leg {{ OFFSET 0 {-THIGH} 0 CHANNELS 1 Xrotation\n"
            f"JOINT {side}Foot {{ OFFSET 0 {-SHANK} 0 CHANNELS 1 Xrotation\n"
            f"JOINT {side}ToeBase {{ OFFSET 0 {-ANKLE_UP + 2.0} 13 CHANNELS 1 Xrotation\n"
            "End Site { OFFSET 0 0 6 } } } } }\n")


def arm(side: str, sign: float) -> str:
    return (f"JOINT {side}Arm {{ OFFSET {sign * 18} 42 0 CHANNELS 1 Xrotation\n"
            f"JOINT {side}ForeArm {{ OFFSET 0 -29 0 CHANNELS 1 Xrotation\n"
            f"JOINT {side}Hand {{ OFFSET 0 -26 0 CHANNELS 1 Xrotation\n"
            "End Site { OFFSET 0 -8 0 } } } }\n")


def posture(time_s: float) -> list[float]:
    """The root's place, its turn, then each joint's [cm, degrees]: sits until 1 s, leans forward, is up at 3.8 s."""
    up = minimum_jerk((time_s - 1.8) / 2.0)
    lean = 42.0 * (minimum_jerk((time_s - 1.0) / 1.0) - minimum_jerk((time_s - 2.1) / 1.7))
    # From level thighs over shanks that lean by 22 degrees to legs that are nearly straight.
    thigh = 90.0 - 78.0 * up  # forward, from hanging down
    shank = -22.0 + 12.0 * up  # its foot behind the knee
    back = THIGH * math.sin(math.radians(thigh)) + SHANK * math.sin(math.radians(shank))
    height = ANKLE_UP + THIGH * math.cos(math.radians(thigh)) + SHANK * math.cos(math.radians(shank))
    one_leg = [-thigh - lean, thigh - shank, shank, 0.0]
    one_arm = [-25.0, -60.0, 0.0]
    return [0.0, height, -back, lean, *one_leg, *one_leg, 0.0, 0.0, *one_arm, *one_arm]


def rise_bvh() -> str:
    frames = [posture(i / RATE_HZ) for i in range(5 * RATE_HZ)]
    head = "JOINT Neck { OFFSET 0 46 0 CHANNELS 1 Xrotation JOINT Head { OFFSET 0 12 2 CHANNELS 1 Xrotation\n" \
           "End Site { OFFSET 0 10 0 } } }\n"
    text = "HIERARCHY\nROOT Hips { OFFSET 0 0 0 CHANNELS 4 Xposition Yposition Zposition Xrotation\n"
    text += leg("Left", 1.0) + leg("Right", -1.0) + head + arm("Left", 1.0) + arm("Right", -1.0) + "}\n"
    text += f"MOTION\nFrames: {len(frames)}\nFrame Time: {1.0 / RATE_HZ:.7f}\n"
    return text + "".join(" ".join(f"{value:.5f}" for value in frame) + "\n" for frame in frames)
