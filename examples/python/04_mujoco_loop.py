"""One of aplomb's controllers in somebody else's loop: MuJoCo's own Python bindings simulate, aplomb balances.

pip install mujoco (any version: aplomb brings its own for itself)
"""

import sys
from pathlib import Path

import mujoco
import numpy as np

import aplomb

TICK_S, SUBSTEPS = 1e-3, 4  # a controller of aplomb is stepped every millisecond

controller = aplomb.make_controller("stand_coman", {"controller.kind": "momentum_balance"})
robot = controller.robot

# MuJoCo's model: the robot's URDF with a free base, on a floor.
urdf = Path(robot.urdf).read_text()
free = (f'<link name="world"/><joint name="base" type="floating"><parent link="world"/>'
        f'<child link="{robot.roles["pelvis"]}"/></joint>')
spec = mujoco.MjSpec.from_string(urdf.replace("</robot>", free + "</robot>"))
spec.worldbody.add_geom(type=mujoco.mjtGeom.mjGEOM_PLANE, size=[0, 0, 1], name="floor", friction=[0.8, 0, 0])
spec.option.timestep = TICK_S / SUBSTEPS
model = spec.compile()
for geom in range(model.ngeom):  # only the floor touches: the links of a humanoid overlap at its joints
    model.geom_contype[geom], model.geom_conaffinity[geom] = (1, 1) if model.geom(geom).name == "floor" else (1, 0)
model.geom("floor").contype[:], model.geom("floor").conaffinity[:] = 0, 1
data = mujoco.MjData(model)
q_at = np.array([model.joint(name).qposadr[0] for name in robot.joints])
v_at = np.array([model.joint(name).dofadr[0] for name in robot.joints])
feet = [model.body(robot.roles[role]).id for role in ("left_foot", "right_foot")]

# Start: aplomb's quaternions are (x, y, z, w), MuJoCo's (w, x, y, z).
data.qpos[:3], data.qpos[3:7], data.qpos[q_at] = controller.start_q[:3], controller.start_q[[6, 3, 4, 5]], controller.start_q[7:]
mujoco.mj_forward(model, data)
readings = aplomb.SensorReadings(robot)


def sense():
    """MuJoCo's state as aplomb's sensor readings."""
    rotation = np.zeros(9)
    mujoco.mju_quat2Mat(rotation, data.qpos[3:7])
    readings.time_s = data.time
    readings.q[:3], readings.q[3:7], readings.q[7:] = data.qpos[:3], data.qpos[[4, 5, 6, 3]], data.qpos[q_at]
    readings.v[:3] = rotation.reshape(3, 3).T @ data.qvel[:3]  # in base axes; MuJoCo has world axes
    readings.v[3:6], readings.v[6:] = data.qvel[3:6], data.qvel[v_at]
    readings.foot_wrench[:] = 0.0
    for i in range(data.ncon):
        contact, force = data.contact[i], np.zeros(6)
        mujoco.mj_contactForce(model, data, i, force)
        for side, foot in enumerate(feet):
            if foot not in model.geom_bodyid[contact.geom]:
                continue
            sign = 1.0 if model.geom_bodyid[contact.geom[1]] == foot else -1.0  # the force is on the second geom
            world = sign * contact.frame.reshape(3, 3).T @ force[:3]
            to_foot = data.xmat[foot].reshape(3, 3).T
            arm = contact.pos - data.xpos[foot]
            readings.foot_wrench[side, :3] += to_foot @ world
            readings.foot_wrench[side, 3:] += to_foot @ np.cross(arm, world)


heights = []
for tick in range(2000):
    sense()
    command = controller.step(readings)
    for _ in range(SUBSTEPS):
        torque = (command.torque + command.stiffness * (command.position - data.qpos[q_at])
                  + command.damping * (command.velocity - data.qvel[v_at]))
        data.qfrc_applied[v_at] = np.clip(torque, -robot.effort, robot.effort)
        if tick in range(500, 600):
            data.xfrc_applied[model.body(robot.roles["trunk"]).id, 0] = 20.0  # a push forward [N]
        else:
            data.xfrc_applied[:] = 0.0
        mujoco.mj_step(model, data)
    heights.append(data.qpos[2])

drop = heights[0] - min(heights)
print(f"MuJoCo {mujoco.__version__}: after 2 s and a push of 20 N the pelvis stands {1e3 * drop:.1f} mm lower at most")
sys.exit(0 if drop < 0.05 else 1)
