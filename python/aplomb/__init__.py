"""aplomb: from a human demonstration to a robot that stands up and keeps its balance.

The main job in six calls, as in C++:

    recording = aplomb.read_recording("sts.c3d")               # or aplomb.demonstrate(), the built-in person
    person = aplomb.analyse(recording)                         # person.com: (n, 3)
    robot = aplomb.Robot("sarcos_real")
    believed = aplomb.identify(aplomb.measure_postures(robot), robot.cad)
    plan = aplomb.retarget(person, believed)                   # plan.q, plan.com, plan.zmp
    run = aplomb.stand_up(robot, believed, plan)               # run.metrics, run.log, run.report("rise.html")

Scenarios, as on the command line:

    aplomb.run("balance_push_forward", {"world.floor.friction": 0.3})
    aplomb.compare("balance_push_forward", ["momentum_balance", "partial_force"])
    aplomb.repeat("balance_push_forward", 20, {"vary.world.floor.friction": [0.2, 0.9]})

Many jobs, on this machine or on many: `aplomb.batch("jobs.yaml", "out/sweep", executor="ray")`.
A controller of one's own: `aplomb.Controller`. One of ours in a loop of one's own: `aplomb.make_controller`.
Every number is in SI units; arrays are float64; what an array holds and in which frame is in its docstring. Errors of
input are `aplomb.Error` with the text that the command line prints. Long calls release the interpreter's lock, stop on
Ctrl-C, and take `progress`: None a bar on a terminal, False nothing, or a function of the fraction done.
"""

from . import _aplomb
from ._aplomb import (
    Command,
    Comparison,
    Context,
    Error,
    FileError,
    Identified,
    InvalidValue,
    ManyRuns,
    Outcome,
    Person,
    Plan,
    Postures,
    Recording,
    Robot,
    Run,
    ScenarioController,
    SensorReadings,
    SimulatedRobot,
    Terms,
    UnknownName,
    analyse,
    controllers,
    demonstrate,
    identify,
    load_plan,
    measure_postures,
    read_recording,
    retarget,
    robots,
    scenarios,
    stand_up,
    styles,
)
from ._batch import Batch, batch
from ._controller import Controller
from ._notebook import show_in_notebooks
from ._scenarios import compare, make_controller, repeat, run, search, simulate

show_in_notebooks()

__version__: str = getattr(_aplomb, "__version__")  # stubs have no names of this kind
__commit__: str = getattr(_aplomb, "__commit__")

__all__ = [name for name in dir() if not name.startswith("_") and name != "show_in_notebooks"]
