"""The whole job: a person's rise from a chair becomes a robot's. Recording, centre of mass, masses, plan, rise."""

import aplomb

recording = aplomb.demonstrate("natural")  # one of your own: aplomb.read_recording("sts.c3d")

person = aplomb.analyse(recording)
robot = aplomb.Robot("sarcos_real")  # the robot that stands there
believed = aplomb.identify(aplomb.measure_postures(robot), robot.cad)  # what is known of it
plan = aplomb.retarget(person, believed)
rise = aplomb.stand_up(robot, believed, plan)

print(f"the person's centre of mass rises by {1e2 * (person.com[:, 2].max() - person.com[0, 2]):.0f} cm")
print(f"the robot weighs {robot.mass:.2f} kg; its CAD says {robot.cad.mass:.2f} kg, identified {believed.mass:.2f} kg")
print(f"the plan has {len(plan)} samples; the robot {'stands' if rise.passed else 'does not stand'}")
raise SystemExit(0 if rise.passed else 1)
