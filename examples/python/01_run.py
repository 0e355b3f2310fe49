"""One scenario: is the robot still standing, and what did its centre of mass do?"""

import numpy as np

import aplomb

run = aplomb.run("stand_coman", {"events": [{"push": {"force_n": [0, 40, 0], "start_s": 1}}]})
print(run.table())

time_s, com_y = run.log["time_s"], run.log["com_y_m"]  # NumPy arrays over the log's own memory
print(f"the centre of mass went {1e3 * np.ptp(com_y):.1f} mm sideways, most at {time_s[np.argmax(np.abs(com_y))]:.2f} s")

try:
    aplomb.run("stand_coman", {"world.floor.frictoin": 0.3})
except aplomb.Error as error:
    print(f"an error names what is valid: {error}")

raise SystemExit(0 if not run.metrics["fell"] else 1)
