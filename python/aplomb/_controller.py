"""The base of controllers that are written in Python."""

from ._aplomb import Command, Context, SensorReadings


class Controller:
    """A controller that is written in Python and runs in any scenario:

        class Hold(aplomb.Controller):
            def step(self, readings):
                self.command.position = self.start_q[7:]
                return self.command

        aplomb.run("stand_coman", controller=Hold)

    The class is made once a run. `step` is called every millisecond of simulated time with what the robot senses, and
    returns `self.command` (any `aplomb.Command`) or an array with the torque of every joint [N m]. What the drives do
    with a command is in the docstring of Command. An exception in `step` ends the run and reaches the caller.

    Values for the log: a dict `self.signals`, whose names (with the unit as suffix) are fixed in `__init__`.
    """

    def __init__(self, context: Context) -> None:
        self.context = context
        self.robot = context.robot  #: as it is believed to be
        self.start_q = context.start_q  #: posture at time 0, (nq,)
        self.command = Command(context.robot)
        self.signals: dict[str, float] = {}

    def step(self, readings: SensorReadings) -> Command:
        raise NotImplementedError(f"{type(self).__name__} has no step(self, readings)")
