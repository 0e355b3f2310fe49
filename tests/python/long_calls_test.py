"""Long calls: they release the interpreter's lock, answer Ctrl-C, and say how far they have come."""

import os
import signal
import threading
import time
import unittest

import aplomb

LONG = {"duration_s": 60.0}


class Interrupts(unittest.TestCase):
    def interrupt_after(self, seconds):
        timer = threading.Timer(seconds, lambda: os.kill(os.getpid(), signal.SIGINT))
        timer.start()
        self.addCleanup(timer.join)

    def test_ctrl_c_is_a_keyboard_interrupt_and_python_keeps_its_handler(self):
        handler = signal.getsignal(signal.SIGINT)
        for call in [lambda: aplomb.run("stand_coman", LONG, progress=False),
                     lambda: aplomb.repeat("stand_coman", 1000, {"duration_s": 5.0}, progress=False)]:
            self.interrupt_after(0.3)
            begin = time.monotonic()
            with self.assertRaises(KeyboardInterrupt):
                call()
            self.assertLess(time.monotonic() - begin, 5.0)
            self.assertIs(signal.getsignal(signal.SIGINT), handler)
        self.assertEqual(aplomb.run("stand_coman", {"duration_s": 0.1}, progress=False).metrics["fell"], False)

    def test_ctrl_c_stops_a_controller_of_python_too(self):
        class Idle(aplomb.Controller):
            def step(self, readings):
                self.command.stiffness[:], self.command.damping[:] = 600.0, 30.0
                self.command.position = self.start_q[7:]
                return self.command

        self.interrupt_after(0.3)
        with self.assertRaises(KeyboardInterrupt):
            aplomb.run("stand_coman", LONG, controller=Idle, progress=False)


class Threads(unittest.TestCase):
    def test_another_thread_goes_on_during_a_run(self):
        ticks, done = [0], threading.Event()

        def count():
            while not done.wait(0.001):
                ticks[0] += 1

        thread = threading.Thread(target=count)
        thread.start()
        begin = time.monotonic()
        aplomb.run("stand_coman", {"duration_s": 4.0}, progress=False)
        lasted = time.monotonic() - begin
        done.set()
        thread.join()
        self.assertGreater(ticks[0], 20 * lasted)  # held back, it would have counted once or twice in all

    def test_runs_in_several_threads_give_what_one_gives(self):
        expected = aplomb.run("stand_coman", {"duration_s": 0.3}, progress=False).to_json()
        found = [None] * 4

        def run(i):
            found[i] = aplomb.run("stand_coman", {"duration_s": 0.3}, progress=False).to_json()

        threads = [threading.Thread(target=run, args=(i,)) for i in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(found, [expected] * 4)


class ProgressOfCalls(unittest.TestCase):
    def test_a_function_is_told_the_fraction_done(self):
        told = []
        aplomb.repeat("stand_coman", 4, {"duration_s": 0.1}, progress=told.append)
        self.assertEqual(told, sorted(told))
        self.assertAlmostEqual(told[-1], 1.0)

    def test_an_exception_in_it_ends_the_call(self):
        def stop(done):
            raise StopAsyncIteration("enough")

        with self.assertRaises(StopAsyncIteration):
            aplomb.run("stand_coman", {"duration_s": 5.0}, progress=stop)


if __name__ == "__main__":
    unittest.main()
