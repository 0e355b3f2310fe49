"""Scenarios: the functions that take a scenario's name and changes of its values."""

import json
import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from . import _aplomb
from ._aplomb import Comparison, InvalidValue, ManyRuns, Run, ScenarioController, SimulatedRobot

Values = Mapping[str, Any]
Progress = Callable[[float], object] | bool | None
ControllerChoice = str | type | None


def _plain(value: Any) -> Any:
    """A value without NumPy's types."""
    if hasattr(value, "tolist"):  # arrays and NumPy's numbers
        return value.tolist()
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    return value


def _set(values: Values | None) -> list[str]:
    """The options --set KEY=VALUE for a dict of values. JSON is YAML; a text is taken as YAML, as on the command line."""
    if values is None:
        return []
    if not isinstance(values, Mapping):
        raise InvalidValue(f"values is {values!r}; valid is a dict of keys and values, "
                           "{'world.floor.friction': 0.3}")
    texts = []
    for key, value in values.items():
        plain = _plain(value)
        try:
            text = plain if isinstance(plain, str) else json.dumps(plain, allow_nan=False)
        except (TypeError, ValueError) as error:
            raise InvalidValue(f"the value {value!r} of {key} cannot be written in a scenario: {error}") from None
        texts.append(f"{key}={text}")
    return texts


def _name(scenario: str | os.PathLike) -> str:
    return os.fspath(scenario)


def run(scenario: str | os.PathLike, values: Values | None = None, *, controller: ControllerChoice = None,
        progress: Progress = None) -> Run:
    """Runs one scenario and judges it by its checks.

    scenario: a name from `aplomb.scenarios()`, or a path to a YAML file.
    values: changes of the scenario, {"world.floor.friction": 0.3, "events.0.push.force_n": [0, 40, 0]}.
    controller: a kind of `aplomb.controllers()`, or a class derived from `aplomb.Controller`; else the scenario's own.

    >>> result = aplomb.run("stand_coman")
    >>> result.verdict, result.metrics["com_error_max_m"], result.log["com_x_m"]
    """
    return _aplomb.run(_name(scenario), _set(values), controller, progress)


def repeat(scenario: str | os.PathLike, runs: int, values: Values | None = None, *,
           controller: ControllerChoice = None, jobs: int | None = None, progress: Progress = None) -> ManyRuns:
    """Runs a scenario many times, each run with its own seed and the values that `vary` draws.

    runs: 1 to 100000. jobs: at the same time; all cores when left out. The result is the same for any number of jobs.
    A controller written in Python holds the interpreter's lock while it steps, so that more jobs hardly help it.
    """
    return _aplomb.repeat(_name(scenario), runs, _set(values), controller, jobs, progress)


def search(scenario: str | os.PathLike, values: Values | None = None, *, controller: ControllerChoice = None,
           jobs: int | None = None, progress: Progress = None) -> ManyRuns:
    """Looks for the largest value of the scenario's key `search` that still passes, in each of its directions."""
    return _aplomb.search(_name(scenario), _set(values), controller, jobs, progress)


def compare(scenario: str | os.PathLike, controllers: Sequence[str | type] | None = None,
            values: Values | None = None, *, progress: Progress = None) -> Comparison:
    """Runs one scenario under several controllers, all else being the same; its checks are not evaluated.

    controllers: kinds of `aplomb.controllers()` and at most one class; all kinds of our own when left out.
    Metrics are named CONTROLLER.METRIC.
    """
    if controllers is None:
        controllers = [kind for kind in _aplomb.controllers() if kind != "python"]
    if isinstance(controllers, str):
        raise InvalidValue(f"controllers is the text {controllers!r}; valid is a list of kinds")
    return _aplomb.compare(_name(scenario), list(controllers), _set(values), progress)


def make_controller(scenario: str | os.PathLike, values: Values | None = None) -> ScenarioController:
    """One of aplomb's controllers as a scenario sets it up, to step in a loop of one's own, every millisecond:

        controller = aplomb.make_controller("stand_coman")
        readings = aplomb.SensorReadings(controller.robot)
        readings.q[:] = ...                      # from any simulator or robot
        command = controller.step(readings)
    """
    return _aplomb.make_controller(_name(scenario), _set(values))


def simulate(scenario: str | os.PathLike, values: Values | None = None) -> SimulatedRobot:
    """A scenario's robot and world in simulation, to step in a loop of one's own, one tick of 1 ms at a time."""
    return _aplomb.simulate(_name(scenario), _set(values))
