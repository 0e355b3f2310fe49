"""`aplomb view`: a server for this machine's browser and for nobody else, and figures without a browser."""

import contextlib
import json
import re
import shutil
import signal
import socket
import struct
import subprocess
import threading
import time
import unittest
import xml.etree.ElementTree

import support

SECRET = "nobody outside may read this"
# Ways to ask for a file beside or above what is served: plain, encoded once and twice, in other notations.
CLIMBS = ["..", "../", "../secret.txt", "../../secret.txt", "./../secret.txt", "..\\secret.txt", "..%2fsecret.txt",
          "%2e%2e/secret.txt", "%2e%2e%2fsecret.txt", "%252e%252e%252fsecret.txt", "..%5csecret.txt",
          "%2e%2e%5csecret.txt", "..%c0%afsecret.txt", "..%ef%bc%8fsecret.txt", "%c0%ae%c0%ae/secret.txt",
          "....//secret.txt", "....\\\\secret.txt", "..;/secret.txt", "..%00/secret.txt", "secret.txt%00.html",
          "/etc/passwd", "//etc/passwd", "///etc/passwd", "file:///etc/passwd", "..//..//..//etc/passwd",
          "%2fetc%2fpasswd", "run/0/../../../secret.txt", "run/0/log/../../../secret.txt", "run/-1", "run/1", "run/99",
          "run/18446744073709551616", "run/0x0", "run/0/", "run/0/log/", "run/0/report.html", "run/0/metrics.json",
          "run/0/log.csv", "run//0", "run/0/log%00", "run/%30/..", "run/+0", "run/ 0", "run/0 ",
          "report.html", "log.csv", "metrics.json", ".", "./", "~", "~/secret.txt", "C:\\secret.txt", "run/0/log\u0000"]

# Each of them also below other addresses, with a query or a fragment, and longer.
PREFIXES = ["", "run/0/", "run/0/log/", "./", "%2e/"]
HOSTS = ["evil.example", "evil.example:{port}", "127.0.0.1", "127.0.0.1:1", "127.0.0.1.evil.example:{port}", "",
         "[::1]:{port}", "0.0.0.0:{port}", "localhost", "localhost:1", "LOCALHOST:{port}", "localhost.:{port}",
         "localhost.evil.example:{port}", "127.0.0.1:{port}:{port}", "127.0.0.1:0{port}", "127.1:{port}",
         "2130706433:{port}", "user@127.0.0.1:{port}", "127.0.0.1:{port}/", "127.0.0.1:{port},evil.example"]


def is_closed(connection) -> bool:
    """Whether the server has closed it; waits for at most 50 ms."""
    connection.settimeout(0.05)
    try:
        return connection.recv(4096) == b""
    except TimeoutError:
        return False
    except OSError:
        return True


class View(support.AppTest):
    def setUp(self):
        super().setUp()
        self.write("secret.txt", SECRET)
        done = self.run_here("run", "stand_balancer", "--set", "duration_s=0.2", "--out", "run")
        self.assertEqual(done.code, 0, done)

    def serve(self, *folders):
        """Starts it; returns the process, the port and the token."""
        process = subprocess.Popen([support.PROGRAM, "view", *folders], cwd=self.folder, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True,
                                   preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
        for clean in (process.wait, process.kill, process.stdout.close, process.stderr.close):
            self.addCleanup(clean)
        match = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/([0-9a-f]{32})/\n", process.stdout.readline())
        self.assertIsNotNone(match)
        return process, int(match[1]), match[2]

    def ask(self, port, target, method="GET", **headers):
        """The raw target, as no well-behaved client would send it: status, headers and body."""
        headers = {"Host": f"127.0.0.1:{port}", "Connection": "close", **headers}
        lines = [f"{method} {target} HTTP/1.1", *(f"{name}: {value}" for name, value in headers.items()), "", ""]
        with socket.create_connection(("127.0.0.1", port), timeout=20) as connection:
            connection.sendall("\r\n".join(lines).encode())
            answer = b""
            while chunk := connection.recv(65536):
                answer += chunk
        head, _, body = answer.partition(b"\r\n\r\n")
        status, *fields = head.decode("latin-1").split("\r\n")
        named = {name.lower(): value for name, _, value in (field.partition(": ") for field in fields)}
        return int(status.split()[1]) if status else 0, named, body

    def test_the_page_runs_only_its_own_script(self):
        _, port, token = self.serve("run")
        status, headers, body = self.ask(port, f"/{token}/")
        self.assertEqual(status, 200)
        self.assertIn(b'id="view-data">{"runs":["run"]}<', body)
        policy = headers["content-security-policy"]
        for rule in ("default-src 'none'", "script-src 'sha256-", "style-src 'sha256-", "connect-src 'self'",
                     "frame-ancestors 'none'", "base-uri 'none'", "form-action 'none'"):
            self.assertIn(rule, policy)
        for forbidden in ("unsafe", "*", "http:", "https:", "data:"):
            self.assertNotIn(forbidden, policy)
        self.assertEqual(headers["x-content-type-options"], "nosniff")
        self.assertEqual(headers["referrer-policy"], "no-referrer")
        self.assertEqual(headers["cache-control"], "no-store")

    def test_the_log_comes_at_its_full_rate(self):
        _, port, token = self.serve("run")
        status, _, body = self.ask(port, f"/{token}/run/0/log")
        self.assertEqual(status, 200)
        length, = struct.unpack_from("<I", body)
        header = json.loads(body[4:4 + length])
        self.assertEqual(header["rows"], 200)
        self.assertEqual(header["columns"][0], {"name": "time_s", "unit": "s"})
        times = struct.unpack_from("<200d", body, 4 + length)
        self.assertAlmostEqual(times[-1] - times[0], 0.199)

    def test_no_address_leads_out_of_the_folder(self):
        _, port, token = self.serve("run")
        below = {f"/{token}/{prefix}{climb}" for prefix in PREFIXES for climb in CLIMBS}
        targets = sorted(below - {f"/{token}/run/0/log"}) + [f"/{climb}" for climb in CLIMBS]
        targets += [f"/{token}/{'../' * depth}secret.txt" for depth in (1, 10, 1000)]
        self.assertGreaterEqual(len(targets), 271)
        for target in targets:
            quoted = target.replace(" ", "%20").replace("\u0000", "%00")
            status, headers, body = self.ask(port, quoted)
            self.assertIn(status, (400, 404), target)
            self.assertNotIn(SECRET.encode(), body, target)
            self.assertNotIn(b"root:", body, target)
            self.assertLess(len(body), 200, target)

    def test_a_wrong_token_is_answered_like_any_other_address(self):
        _, port, token = self.serve("run")
        answers = {self.ask(port, target)[::2] for target in
                   ("/", "/x", "/favicon.ico", f"/{token[:-1]}/", f"/{token}x/", f"/{'0' * 32}/", f"/{token.upper()}X/")}
        self.assertEqual(answers, {(404, b"not here\n")})

    def test_other_hosts_and_origins_are_refused(self):
        _, port, token = self.serve("run")
        page = f"/{token}/"
        self.assertGreaterEqual(len(HOSTS), 15)
        for host in HOSTS:
            self.assertEqual(self.ask(port, page, Host=host.format(port=port))[0], 403, host)
        for origin in ("http://evil.example", "null", f"https://127.0.0.1:{port}", f"http://127.0.0.1:{port + 1}",
                       f"http://localhost:{port}"):
            self.assertEqual(self.ask(port, page, Origin=origin)[0], 403, origin)
        self.assertEqual(self.ask(port, page, Origin=f"http://127.0.0.1:{port}")[0], 200)
        self.assertEqual(self.ask(port, page, Host=f"localhost:{port}")[0], 200)

    def test_only_get_is_answered(self):
        _, port, token = self.serve("run")
        for method in ("POST", "PUT", "DELETE", "PATCH", "OPTIONS", "HEAD"):
            status, headers, _ = self.ask(port, f"/{token}/", method=method, **{"Content-Length": "0"})
            self.assertEqual(status, 405, method)
            self.assertEqual(headers["allow"], "GET")

    def test_the_server_listens_on_loopback_only(self):
        process, port, _ = self.serve("run")
        with open("/proc/net/tcp") as table:
            listening = [line.split()[1] for line in table if line.split()[3] == "0A"]
        self.assertEqual([one for one in listening if one.endswith(f":{port:04X}")], [f"0100007F:{port:04X}"])

    def test_many_slow_connections_do_not_block_the_server(self):
        _, port, token = self.serve("run")
        slow = []
        for _ in range(200):
            slow.append(socket.create_connection(("127.0.0.1", port), timeout=20))
            self.addCleanup(slow[-1].close)
            slow[-1].sendall(b"GET / HTTP/1.1\r\nX: ")
        is_over = threading.Event()

        def drip():
            while not is_over.wait(0.1):
                for connection in slow:
                    with contextlib.suppress(OSError):
                        connection.send(b"x")
        dripping = threading.Thread(target=drip)
        dripping.start()
        try:
            begin = time.monotonic()
            for _ in range(5):
                self.assertEqual(self.ask(port, f"/{token}/")[0], 200)
            self.assertLess(time.monotonic() - begin, 15)
            end = time.monotonic() + 30
            while slow and time.monotonic() < end:  # every one of them is closed in time
                slow = [connection for connection in slow if not is_closed(connection)]
            self.assertEqual(slow, [])
        finally:
            is_over.set()
            dripping.join()

    def test_ctrl_c_stops_the_server(self):
        process, _, _ = self.serve("run")
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(timeout=support.PATIENCE_S), 0)

    def test_a_damaged_folder_gives_a_page_that_reports_what_is_missing(self):
        report = (self.folder / "run" / "report.html").read_bytes()
        damages = {"is not a report": b"<html></html>", "is truncated": report[:report.index(b'id="page-data"') + 1000],
                   "no such file": None}
        for words, content in damages.items():
            shutil.copytree(self.folder / "run", self.folder / "damaged")
            if content is None:
                (self.folder / "damaged" / "report.html").unlink()
            else:
                (self.folder / "damaged" / "report.html").write_bytes(content)
            process, port, token = self.serve("damaged")
            _, _, body = self.ask(port, f"/{token}/run/0")
            data = support.strict_json(body.decode())
            self.assertEqual(data["verdict"], "unknown")
            self.assertIn(words, data["notes"][0])
            self.assertIn("com_error_max_m", [metric["name"] for metric in data["metrics"]])
            process.kill()
            shutil.rmtree(self.folder / "damaged")

    def test_a_log_that_was_cut_off_is_named(self):
        for name in ("log.npz", "log.csv"):
            (self.folder / "run" / name).write_bytes((self.folder / "run" / name).read_bytes()[:5000])
            _, port, token = self.serve("run")
            status, _, body = self.ask(port, f"/{token}/run/0/log")
            self.assertEqual(status, 422)
            self.assertIn(name, body.decode())
            (self.folder / "run" / name).unlink()

    def test_a_path_that_is_not_a_folder_is_refused(self):
        self.refuse_here(["view", "nothing"], "nothing", "not a folder")
        self.refuse_here(["view", "secret.txt"], "not a folder")

    def test_a_folder_without_a_result_is_refused(self):
        (self.folder / "empty").mkdir()
        (self.folder / "photos").mkdir()
        self.write("photos/cat.jpg", "x")
        (self.folder / "other").mkdir()
        self.write("other/metrics.json", '{"accuracy": 0.9}')
        self.write("other/report.html", "<html></html>")
        for folder in ("empty", "photos", "other", "."):
            self.refuse_here(["view", folder], folder, "no result to show")
        self.refuse_here(["view", "run", "empty"], "empty")

    def texts_of(self, file):
        root = xml.etree.ElementTree.fromstring((self.folder / file).read_text())
        return ["".join(node.itertext()) for node in root.iter("{http://www.w3.org/2000/svg}text")]

    def test_a_figure_is_drawn_without_a_browser(self):
        done = self.run_here("view", "run", "--figure", "centre_of_mass_forward", "--save", "com.svg")
        self.assertEqual((done.code, done.out), (0, ""))
        texts = self.texts_of("com.svg")
        for words in ("Centre of mass, forward", "time [s]", "CoM x [m]", "CoM", "reference"):
            self.assertIn(words, texts)
        again = self.run_here("view", "run", "--figure", "centre_of_mass_forward", "--save", "again.svg")
        self.assertEqual(again.code, 0)
        self.assertEqual((self.folder / "com.svg").read_bytes(), (self.folder / "again.svg").read_bytes())
        plane = self.run_here("view", "run", "--figure", "centre_of_pressure_of_the_left_foot", "--save", "cop.svg")
        self.assertEqual(plane.code, 0)

    def test_a_figure_of_several_runs_has_the_curves_of_all_and_their_names(self):
        shutil.copytree(self.folder / "run", self.folder / "other")
        for figure, words in (("centre_of_mass_forward", ["CoM, run", "CoM, other", "reference, run"]),
                              ("centre_of_pressure_of_the_left_foot", ["run", "other"])):
            done = self.run_here("view", "run", "other", "--figure", figure, "--save", "both.svg")
            self.assertEqual(done.code, 0, done)
            texts = self.texts_of("both.svg")
            for word in words:
                self.assertIn(word, texts)
            self.assertNotIn("reference, other", texts)  # one is enough

    def test_an_unknown_figure_is_refused_with_the_nearest(self):
        self.refuse_here(["view", "run", "--figure", "centre_of_mass_forwards", "--save", "x.svg"],
                         "centre_of_mass_forward'")
        self.refuse_here(["view", "run", "--figure", "trunk_tilt"], "--save")

    def test_an_unknown_figure_lists_all_names_and_each_can_be_drawn(self):
        done = self.run_here("run", "balance_push_forward", "--set", "duration_s=0.1", "--out", "run")
        self.assertIn(done.code, (0, 1), done)
        refused = self.run_here("view", "run", "--figure", "xyz", "--save", "x.svg")
        self.assert_refused(refused, "valid: ")
        names = refused.err.strip().split("valid: ")[1].split(", ")
        self.assertGreater(len(names), 12)
        for name in names:
            self.assertEqual(self.run_here("view", "run", "--figure", name, "--save", "x.svg").code, 0, name)

    def test_a_figure_is_an_svg_file(self):
        for name in ("x.png", "x.pdf", "x", "svg"):
            self.refuse_here(["view", "run", "--figure", "centre_of_mass_forward", "--save", name], name, ".svg")

    def test_only_an_unchanged_figure_of_aplomb_is_replaced(self):
        save = ("view", "run", "--figure", "centre_of_mass_forward", "--save", "x.svg")
        self.assertEqual(self.run_here(*save).code, 0)
        other = ("view", "run", "--figure", "centre_of_pressure_of_the_left_foot", "--save", "x.svg")
        self.assertEqual(self.run_here(*other).code, 0)
        edited = (self.folder / "x.svg").read_text().replace("#fff", "#eee")
        for content in (edited, "<svg/>", ""):
            self.write("x.svg", content)
            self.refuse_here(save, "x.svg", "will not be overwritten")
            self.assertEqual((self.folder / "x.svg").read_text(), content)


if __name__ == "__main__":
    unittest.main()
