#!/usr/bin/env python3
"""Writes the seeds of this directory anew: seeds/frame/*, seeds/request/*.

The frames follow src/ipc/frame.h and src/tables/frames.def; a seed begins with
the worker's state and the size of the pieces in which the rest arrives.
"""
import json
import pathlib
import struct

HERE = pathlib.Path(__file__).parent
STARTING, READY_STATE, RUNNING, PREPARING, ENDING = range(5)
READY, CALL, LOG, LOG_STOP, WAIT, DONE, EXHAUSTED = range(1, 8)


def frame(kind, body=b"", zero=0, length=None):
    return struct.pack("=IHH", len(body) if length is None else length, kind, zero) + body


def texts(*parts):
    return b"".join(part + b"\0" for part in parts)


def call(provider, tool, args, number=1):
    head = struct.pack("=IHH", number, len(provider), len(tool))
    return frame(CALL, head + texts(provider, tool, args))


def log(level, text):
    return frame(LOG, struct.pack("=II", level, 0) + texts(text))


def done(failure=0, error=b"", stack=b"", has_result=0, result=b""):
    head = struct.pack("=IIIIQ", failure, len(error), len(stack), has_result, len(result))
    return frame(DONE, head + texts(error, stack, result))


READY_FRAME = frame(READY, struct.pack("=QQ", 4096, 0))
RESULT = done(has_result=1, result=b'{"a":[1,2]}')

FRAMES = {
    "ready": (STARTING, 0, READY_FRAME),
    "ready_again": (PREPARING, 0, READY_FRAME),
    "ready_while_running": (RUNNING, 0, READY_FRAME),
    "exhausted": (STARTING, 0, frame(EXHAUSTED)),
    "call": (RUNNING, 0, call(b"store", b"listUsers", b'[1,"\xe2\x82\xac"]')),
    "call_names_empty": (RUNNING, 0, call(b"", b"", b"[]")),
    "call_bad_utf8": (RUNNING, 0, call(b"store", b"l\xed\xa0\x80", b"[]")),
    "call_at_ceiling": (RUNNING, 0, frame(CALL, bytes(2048 + 256))),
    "call_over_ceiling": (RUNNING, 0, frame(CALL, length=2048 + 256 + 1)),
    "log_each_level": (RUNNING, 0, b"".join(log(level, b"line") for level in range(3))),
    "log_nul": (RUNNING, 0, log(0, b"a\0b")),
    "log_bad_level": (RUNNING, 0, log(3, b"line")),
    "log_at_bound": (RUNNING, 0, log(1, b"x" * (64 + 64 - 9))),
    "log_over_bound": (RUNNING, 0, log(1, b"x" * (64 + 64 - 8))),
    "log_stop": (RUNNING, 0, frame(LOG_STOP, struct.pack("=II", 1, 0))),
    "log_stop_bytes": (RUNNING, 0, frame(LOG_STOP, struct.pack("=II", 2, 0))),
    "wait": (RUNNING, 0, frame(WAIT, struct.pack("=II", 1, 0))),
    "wait_reserved": (RUNNING, 0, frame(WAIT, struct.pack("=II", 0, 1))),
    "done_result": (RUNNING, 0, RESULT),
    "done_undefined": (RUNNING, 0, done()),
    "done_thrown": (RUNNING, 0, done(2, b"oops", b"f@program.js:1:2")),
    "done_error_and_result": (RUNNING, 0, done(2, b"oops", has_result=1, result=b"1")),
    "done_bytes_without_result": (RUNNING, 0, done(has_result=0, result=b"1")),
    "done_after_end": (ENDING, 0, RESULT),
    "run": (RUNNING, 0, log(0, b"start") + call(b"a", b"b", b"[]") + RESULT),
    "run_torn": (RUNNING, 1, log(0, b"start") + call(b"a", b"b", b"[]") + RESULT),
    "run_in_pieces": (RUNNING, 7, call(b"a", b"b", b"[]") + log(2, b"\xf0\x9f\x98\x80") + RESULT),
    "reserved": (RUNNING, 0, frame(WAIT, bytes(8), zero=1)),
    "unknown": (RUNNING, 0, frame(77)),
    "supervisors_own": (RUNNING, 0, frame(32, bytes(48))),
    "head_torn": (RUNNING, 0, frame(WAIT)[:5]),
    "longest": (RUNNING, 0, frame(DONE, length=0xFFFFFFFF)),
}

CODE = "async () => 6 * 7"
REQUESTS = {
    "smallest": {"code": CODE},
    "every_field": {
        "code": "async () => store.listUsers()",
        "providers": [{"name": "store", "tools": ["listUsers", "get"]}, {"name": "\u00e9"}],
        "timeout": 1500.5,
        "countHostWaits": True,
        "modules": {},
        "outbound": None,
        "retainHandles": False,
        "requestId": "7",
    },
    "no_deadline": {"code": CODE, "timeout": None},
    "timeout_zero": {"code": CODE, "timeout": 0},
    "timeout_text": {"code": CODE, "timeout": "fast"},
    "timeout_tiny": {"code": CODE, "timeout": 5e-324},
    "code_empty": {"code": ""},
    "code_number": {"code": 7},
    "code_nul": {"code": "a\0b"},
    "code_missing": {"timeout": 5},
    "name_reserved": {"code": CODE, "providers": [{"name": "class"}]},
    "name_global": {"code": CODE, "providers": [{"name": "Array"}]},
    "name_twice": {"code": CODE, "providers": [{"name": "a"}, {"name": "a"}]},
    "name_empty": {"code": CODE, "providers": [{"name": ""}]},
    "name_nul": {"code": CODE, "providers": [{"name": "a\0"}]},
    "name_long": {"code": CODE, "providers": [{"name": "n" * 257}]},
    "name_missing": {"code": CODE, "providers": [{"tools": []}]},
    "tools_text": {"code": CODE, "providers": [{"name": "a", "tools": "b"}]},
    "tool_null": {"code": CODE, "providers": [{"name": "a", "tools": [None]}]},
    "provider_extra": {"code": CODE, "providers": [{"name": "a", "more": 1}]},
    "providers_null": {"code": CODE, "providers": None},
    "modules": {"code": CODE, "modules": {"a.js": "export default 1"}},
    "retain": {"code": CODE, "retainHandles": True},
    "outbound": {"code": CODE, "outbound": {}},
    "unknown_field": {"code": CODE, "\u20ac" * 40: 1},
    "array": [CODE],
    "text": "code",
    "null": None,
}
TEXTS = {
    "nothing": b"",
    "torn": b'{"code": "a',
    "twice": b'{"code": 1, "code": "() => 1"}',
    "bad_utf8": b'{"code": "\xff"}',
    "surrogate": b'{"code": "\\ud800"}',
    "huge_integer": b'{"code": "x", "timeout": 123456789012345678901234567890}',
    "overflow": b'{"code": "x", "timeout": 1e999}',
    "deep": b"[" * 3000,
    "behind": b'{"code": "x"} more',
    "bom": b'\xef\xbb\xbf{"code": "x"}',
}


def main():
    for name, (state, step, stream) in FRAMES.items():
        (HERE / "frame" / name).write_bytes(bytes([state, step]) + stream)
    for name, request in REQUESTS.items():
        (HERE / "request" / name).write_text(json.dumps(request))
    for name, text in TEXTS.items():
        (HERE / "request" / name).write_bytes(text)


main()
