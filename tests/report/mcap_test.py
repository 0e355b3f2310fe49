"""Reads the sample's log.mcap with the Python reader of MCAP (PyPI `mcap`): mcap_test.py FOLDER_OF_SAMPLES"""

import json
import pathlib
import sys

try:
    from mcap.reader import make_reader
except ImportError:
    print("skipped: the package mcap is not installed; the set-up for tests installs it")
    sys.exit(77)

with open(pathlib.Path(sys.argv[1]) / "moving" / "log.mcap", "rb") as stream:
    reader = make_reader(stream, validate_crcs=True)
    summary = reader.get_summary()
    topics = sorted(channel.topic for channel in summary.channels.values())
    assert topics == ["/joint_states", "/log", "/markers", "/scene", "/tf", "/wrenches"], topics
    assert summary.statistics.message_count == 2001 + 201 * 5 + 1, summary.statistics
    rows = [json.loads(message.data) for _, _, message in reader.iter_messages(topics=["/log"])]
    assert [round(row["time_s"], 6) for row in rows] == [round(0.001 * i, 6) for i in range(2001)]
    some = list(reader.iter_messages(topics=["/tf"], starting_at=int(0.5e9), ending_before=int(0.6e9)))
    assert len(some) == 10, len(some)
print("ok")
