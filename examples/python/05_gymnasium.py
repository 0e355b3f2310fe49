"""A Gymnasium environment: aplomb simulates, a policy adds to the targets of the joints' springs.

pip install gymnasium
"""

import gymnasium
import numpy as np

import aplomb


class Stand(gymnasium.Env):
    """Stay up under a random push. Observation: q, v. Action: change of every joint's target, (joints,) [rad]."""

    TICKS = 20  # of 1 ms, per step: 50 Hz

    def __init__(self, scenario="stand_coman", max_s=2.0):
        self.scenario, self.max_s = scenario, max_s
        robot = aplomb.simulate(scenario).robot
        self.robot = robot
        self.observation_space = gymnasium.spaces.Box(-np.inf, np.inf, (robot.nq + robot.nv,), np.float64)
        self.action_space = gymnasium.spaces.Box(-0.1, 0.1, (len(robot.joints),), np.float64)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        direction = self.np_random.uniform(0.0, 2.0 * np.pi)
        force = [float(30.0 * np.cos(direction)), float(30.0 * np.sin(direction)), 0.0]
        self.simulation = aplomb.simulate(self.scenario, {"events": [{"push": {"force_n": force, "start_s": 0.5}}]})
        self.balance = self.simulation.controller()
        self.start_height = self.simulation.q[2]
        return self._observe(), {}

    def step(self, action):
        for _ in range(self.TICKS):
            command = self.balance.step(self.simulation.read())
            command.position = command.position + action
            self.simulation.step(command)
        height = self.simulation.q[2] / self.start_height
        fell = not self.simulation.is_finite or height < 0.7
        return self._observe(), float(height), fell, self.simulation.time_s >= self.max_s, {}

    def _observe(self):
        return np.concatenate([self.simulation.q, self.simulation.v])


environment = Stand()
observation, _ = environment.reset(seed=1)
steps, done, fell = 0, False, False
while not done:
    observation, reward, fell, truncated, _ = environment.step(np.zeros(environment.action_space.shape))
    steps, done = steps + 1, fell or truncated
print(f"{steps} steps, {'fell' if fell else 'still standing'}")
raise SystemExit(1 if fell else 0)
