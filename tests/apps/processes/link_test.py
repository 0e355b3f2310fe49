"""`aplomb serve` and `aplomb control` as two processes, and each against a peer that speaks the messages of
docs/hardware.md from Python. In lock step, so that nothing here depends on time."""

import hashlib
import json
import re
import signal
import socket
import struct
import subprocess
import time
import unittest
import zlib

import support
from support import aplomb, strict_json

MAGIC, VERSION = 0x4B4C5041, 1
HELLO, WELCOME, REFUSAL, READING, COMMAND, FINISHED, REPORT = range(1, 8)


def message(kind, session, sequence, joints, body, version=VERSION) -> bytes:
    head = struct.pack("<IHHIIQQII", MAGIC, version, kind, 40 + len(body), 0, session, sequence, joints, 0)
    checksum = zlib.crc32(head + body)
    return head[:12] + struct.pack("<I", checksum) + head[16:] + body


def parsed(datagram: bytes):
    magic, version, kind, size, checksum, session, sequence, joints, _ = struct.unpack("<IHHIIQQII", datagram[:40])
    assert (magic, version, size) == (MAGIC, VERSION, len(datagram)), datagram[:40]
    assert checksum == zlib.crc32(datagram[:12] + bytes(4) + datagram[16:])
    return kind, session, sequence, joints, datagram[40:]


def text(word: str) -> bytes:
    return word.encode().ljust(64, b"\0")


def digest_of(robot: str) -> tuple[int, int]:
    names = [joint["name"] for joint in strict_json(aplomb("info", robot, "--json").out)["joints"]]
    return int(hashlib.sha256("".join(name + "\n" for name in names).encode()).hexdigest()[:16], 16), len(names)


class Linked(support.AppTest):
    def start(self, *arguments) -> subprocess.Popen:
        process = subprocess.Popen([support.PROGRAM, *arguments], cwd=self.folder, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def serve(self, robot, scenario, *options):
        """The process, and the address at which it waits."""
        process = self.start("serve", robot, "--scenario", scenario, "--listen", "127.0.0.1:0", "--lockstep", *options)
        line = process.stderr.readline()
        self.assertRegex(line, r"waits at 127\.0\.0\.1:\d+ for a controller")
        return process, re.search(r"127\.0\.0\.1:\d+", line)[0]

    def through_two_processes(self, robot, scenario, controller, *overrides):
        options = [word for override in overrides for word in ("--set", override)]
        server, address = self.serve(robot, scenario, "--json", *options)
        control = self.start("control", "--robot", robot, "--controller", controller, "--scenario", scenario,
                             "--connect", address, "--json", *options)
        out, err = server.communicate(timeout=support.PATIENCE_S)
        control_out, control_err = control.communicate(timeout=support.PATIENCE_S)
        self.assertEqual(control.returncode, 0, control_err)
        self.assertEqual(strict_json(control_out)["verb"], "control")
        return server.returncode, strict_json(out)

    def assert_same(self, alone: support.Outcome, code: int, linked):
        one = strict_json(alone.out)
        self.assertEqual(code, alone.code)
        self.assertEqual(linked["verdict"], one["verdict"])
        for name, value in one["metrics"].items():
            if not isinstance(value, list):
                self.assertEqual(linked["metrics"][name], value, name)
        self.assertIs(linked["metrics"]["link_damped"], False)
        self.assertEqual(linked["metrics"]["link_limited_commands"], 0)


class TwoProcesses(Linked):
    def test_a_push_ends_as_in_one_process(self):
        alone = self.run_here("run", "balance_push_forward", "--json")
        self.assert_same(alone, *self.through_two_processes("balancer", "balance_push_forward", "momentum_balance"))
        self.assertEqual(alone.code, 0)

    @unittest.skipIf(support.SANITIZED, "a rise takes minutes under sanitizers")
    def test_a_rise_ends_as_in_one_process(self):
        alone = self.run_here("run", "sit_to_stand_natural", "--json")
        self.assert_same(alone, *self.through_two_processes("sarcos_real", "sit_to_stand_natural", "inverse_dynamics"))
        self.assertEqual(alone.code, 0)

    def test_a_failed_check_is_the_same_too(self):
        damage = "events.0.push.force_n=[140, 0, 0]"
        alone = self.run_here("run", "balance_push_forward", "--set", damage, "--json")
        self.assertEqual(alone.code, 1)
        self.assert_same(alone, *self.through_two_processes("balancer", "balance_push_forward", "momentum_balance",
                                                            damage))

    def test_a_killed_controller_is_replaced_by_dampers_within_20_ms(self):
        server, address = self.serve("balancer", "stand_balancer", "--json", "--set", "duration_s=600")
        control = self.start("control", "--robot", "balancer", "--controller", "joint_pd", "--connect", address)
        self.assertIn("controlled by joint_pd", server.stderr.readline())
        time.sleep(0.3)  # some ticks; how many does not matter
        control.kill()
        out, _ = server.communicate(timeout=support.PATIENCE_S)
        result = strict_json(out)
        self.assertEqual((server.returncode, result["verdict"]), (1, "fail"))
        metrics = result["metrics"]
        self.assertIs(metrics["link_damped"], True)
        self.assertLessEqual(metrics["link_damped_at_s"] - metrics["link_last_command_s"], 0.020)
        self.assertEqual([fault["name"] for fault in result["faults"]], ["command_lost"])
        self.assertEqual(metrics["nonfinite_values"], 0)

    def test_an_interrupted_robot_ends_its_controller(self):
        server, address = self.serve("balancer", "stand_balancer", "--set", "duration_s=600")
        control = self.start("control", "--robot", "balancer", "--controller", "joint_pd", "--connect", address)
        self.assertIn("controlled by", server.stderr.readline())
        server.send_signal(signal.SIGINT)
        self.assertEqual(server.wait(timeout=support.PATIENCE_S), 130)
        control.communicate(timeout=support.PATIENCE_S)
        self.assertEqual(control.returncode, 1)

    def test_both_write_a_report_with_a_histogram(self):
        server, address = self.serve("balancer", "stand_balancer", "--set", "duration_s=0.5", "--out", "robot")
        control = self.start("control", "--robot", "balancer", "--controller", "joint_pd", "--connect", address,
                             "--out", "controller")
        self.assertEqual(control.wait(timeout=support.PATIENCE_S), 0)
        server.communicate(timeout=support.PATIENCE_S)
        for folder, key in (("robot", "round_trip_us_p999"), ("controller", "control_cycle_us_p999")):
            timing = json.loads((self.folder / folder / "timing.json").read_text())
            self.assertGreater(timing[key], 0)
            self.assertIn("Times of the loop", (self.folder / folder / "report.html").read_text())
            self.assertTrue(support.has_all_its_files(self.folder / folder))


class Messages(Linked):
    """From Python, by the tables of docs/hardware.md."""

    def setUp(self):
        super().setUp()
        self.peer = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.peer.bind(("127.0.0.1", 0))
        self.peer.settimeout(support.PATIENCE_S)
        self.addCleanup(self.peer.close)
        self.here = "127.0.0.1:%d" % self.peer.getsockname()[1]

    def connect(self, address):
        host, port = address.split(":")
        self.peer.connect((host, int(port)))

    def test_a_controller_in_python_holds_a_robot_with_springs(self):
        digest, joints = digest_of("balancer")
        server, address = self.serve("balancer", "stand_balancer", "--json", "--set", "duration_s=0.2", "checks=[]")
        self.connect(address)
        self.peer.send(message(HELLO, 0, 0, joints, text("balancer") + struct.pack("<Q", digest) + text("python")))
        kind, session, _, _, body = parsed(self.peer.recv(65536))
        self.assertEqual(kind, WELCOME)
        self.assertEqual(struct.unpack("<dQ", body[136:152]), (0.001, 1))
        held, answered = None, 0
        while True:
            kind, _, sequence, _, body = parsed(self.peer.recv(65536))
            if kind == FINISHED:
                break
            self.assertEqual((kind, len(body)), (READING, 8 * (95 + 2 * joints)))
            answered += 1
            self.assertEqual(sequence, answered)
            q = struct.unpack_from(f"<{joints}d", body, 16 + 8 * 7)
            held = held or q
            columns = [0.0] * joints + list(held) + [0.0] * joints + [2000.0] * joints + [50.0] * joints
            command = struct.pack("<QQ", sequence, 0) + struct.pack(f"<{5 * joints + 4}d", *columns, *[float("nan")] * 4)
            self.peer.send(message(COMMAND, session, answered, joints, command))
        report = struct.pack("<Q", 1) + text("deadline_misses") + struct.pack("<Qd", 2, 3.0) + text("")
        self.peer.send(message(REPORT, session, answered + 1, joints, report))
        out, _ = server.communicate(timeout=support.PATIENCE_S)
        metrics = strict_json(out)["metrics"]
        self.assertEqual(answered, 200)
        self.assertEqual(metrics["deadline_misses"], 3)
        self.assertIs(metrics["link_damped"], False)
        self.assertEqual(metrics["link_late_commands"], 0)

    def test_a_nan_of_the_controller_never_reaches_the_robot_and_fails_the_run(self):
        digest, joints = digest_of("balancer")
        server, address = self.serve("balancer", "stand_balancer", "--json", "--watchdog-ms", "5", "--set",
                                     "duration_s=0.05", "checks=[]")
        self.connect(address)
        self.peer.send(message(HELLO, 0, 0, joints, text("balancer") + struct.pack("<Q", digest) + text("python")))
        _, session, _, _, _ = parsed(self.peer.recv(65536))
        numbers = 0
        while True:
            kind, _, sequence, _, _ = parsed(self.peer.recv(65536))
            if kind == FINISHED:
                break
            numbers += 1
            command = struct.pack("<QQ", sequence, 0) + struct.pack("<d", float("nan")) * (5 * joints + 4)
            self.peer.send(message(COMMAND, session, numbers, joints, command))
        self.peer.send(message(REPORT, session, numbers + 1, joints, struct.pack("<Q", 0)))
        out, _ = server.communicate(timeout=support.PATIENCE_S)
        result = strict_json(out)
        self.assertEqual((server.returncode, result["verdict"]), (1, "fail"))
        self.assertGreater(result["metrics"]["link_refused_commands"], 0)
        self.assertEqual(result["metrics"]["nonfinite_values"], 0)
        self.assertIs(result["metrics"]["link_damped"], True)

    def test_another_version_is_refused_by_both_sides(self):
        digest, joints = digest_of("balancer")
        server, address = self.serve("balancer", "stand_balancer", "--wait", "2")
        self.connect(address)
        hello = message(HELLO, 0, 0, joints, text("balancer") + struct.pack("<Q", digest) + text("python"), version=2)
        self.peer.send(hello)
        kind, _, _, _, body = parsed(self.peer.recv(65536))
        self.assertEqual((kind, struct.unpack("<Q", body[72:80])[0]), (REFUSAL, 1))
        server.communicate(timeout=support.PATIENCE_S)
        self.assertEqual(server.returncode, 2)

    def answer_hello(self, answer):
        """What `control` says when a robot answers its hello so."""
        control = self.start("control", "--robot", "balancer", "--controller", "joint_pd", "--connect", self.here)
        hello, there = self.peer.recvfrom(65536)
        kind, _, _, joints, body = parsed(hello)
        digest, _ = digest_of("balancer")
        self.assertEqual((kind, struct.unpack("<Q", body[64:72])[0]), (HELLO, digest))
        self.peer.sendto(answer(joints), there)
        out, err = control.communicate(timeout=support.PATIENCE_S)
        return support.Outcome(control.returncode, out, err)

    def test_a_robot_of_another_version_is_named(self):
        outcome = self.answer_hello(lambda joints: message(REFUSAL, 0, 0, joints, bytes(80), version=3))
        self.assert_refused(outcome, "version 3", "version 1", "same version")

    def test_another_robot_is_named(self):
        body = text("coman") + struct.pack("<QQ", 5, 2)
        self.assert_refused(self.answer_hello(lambda joints: message(REFUSAL, 0, 0, joints, body)), "is coman", "--robot")

    def test_what_is_no_robot_is_named(self):
        self.assert_refused(self.answer_hello(lambda joints: b"HTTP/1.1 400 Bad Request\r\n" + bytes(40)),
                            "not a robot that is served by aplomb")

    def test_a_port_in_use_is_refused(self):
        self.refuse_here(["serve", "balancer", "--scenario", "stand_balancer", "--listen", self.here], "is in use",
                         self.here)


class BadInput(Linked):
    def test_one_line_says_what_is_wrong(self):
        serve = ["serve", "balancer", "--scenario", "stand_balancer"]
        control = ["control", "--robot", "balancer", "--controller", "joint_pd", "--connect"]
        for arguments, *words in (
                ([*control, "robot:4000"], "--connect robot:4000", "127.0.0.1:4000"),
                ([*control, "127.0.0.1"], "port"),
                ([*control, "127.0.0.1:0"], "1 to 65535"),
                ([*control, "192.168.1.2:4000"], "--allow-network"),
                ([*control, "127.0.0.1:9", "--wait", "0.3"], "no robot answers at 127.0.0.1:9", "aplomb serve balancer"),
                (["control", "--robot", "balancer", "--controller", "joint_pb", "--connect", "127.0.0.1:9"], "joint_pd"),
                ([*serve, "--listen", "0.0.0.0:4000"], "--allow-network"),
                ([*serve, "--listen", "203.0.113.1:4000", "--allow-network"], "not an address of this machine"),
                ([*serve, "--listen", "127.0.0.1:0", "--wait", "0.3"], "no controller came", "aplomb control"),
                ([*serve, "--watchdog-ms", "21"], "1 ... 20"),
                (["serve", "balancerr", "--scenario", "stand_balancer"], "closest is 'balancer'"),
                (["serve", "balancer", "--scenario", "stand_balancerr"], "closest is 'stand_balancer'"),
                (["serve", "balancer", "--scenario", "stand_balancer", "--set", "search={key: duration_s}"], "search"),
        ):
            with self.subTest(" ".join(arguments)):
                outcome = self.run_here(*arguments)
                self.assertEqual((outcome.code, outcome.out), (2, ""), outcome)
                last = outcome.err.splitlines()[-1]
                self.assertTrue(last.startswith("aplomb: error: "), outcome)
                for word in words:
                    self.assertIn(word, last)
                self.assertEqual(self.files_here(), [])


if __name__ == "__main__":
    unittest.main()
