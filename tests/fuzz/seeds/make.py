#!/usr/bin/env python3
"""Writes the seeds of this directory anew, but for those of capnweb and of URLs.

The frames follow src/ipc/frame.h and src/tables/frames.def; a seed begins with
the worker's state and the size of the pieces in which the rest arrives.
"""
import json
import pathlib
import struct

HERE = pathlib.Path(__file__).parent
STARTING, READY_STATE, RUNNING, RETAINED, COMPILING, ENDING = range(6)
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
    head = struct.pack("=IIIHHQ", failure, len(error), len(stack), has_result, 0, len(result))
    return frame(DONE, head + texts(error, stack, result))


READY_FRAME = frame(READY)
RESULT = done(has_result=1, result=b'{"a":[1,2]}')

FRAMES = {
    "ready": (STARTING, 0, READY_FRAME),
    "ready_again": (READY_STATE, 0, READY_FRAME),
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


# Host, Origin, Authorization, Connection, a line each, and the body of a PUT.
HTTP = {
    "page": "127.0.0.1:8081\nhttp://127.0.0.1:8081\n\nkeep-alive, Upgrade\n{\"on\": true}",
    "named": "Admin.Internal:9\nhttps://one.example\nBearer 0123456789abcdef\nupgrade\n{\"on\":false}",
    "address": "10.0.0.7\nHTTP://Two.Example:8080\nbearer 0123456789abcdeF\n,, upgrade\t\n{\"on\": 1}",
    "brackets": "[::1]:80\nnull\nBasic eDp5\nupgraded\n{\"on\": true, \"on\": false}",
    "torn": "[::1\nhttps://one.example.evil\nBearer\n\n{\"on\": tr",
    "rebound": "localhost.evil.example\nhttp://\nBearer \nclose\n[true]",
    "nothing": "",
}
SETTINGS = {
    "serve": "PORT=80\nWORKERS_MAX=2\nserve\n--host\n::1\n--admin-port=0\n--allowed-origins=https://a.b,http://c:1",
    "options": "--stdio\n--log-level\ndebug\n--auth-token\n0123456789abcdef\n--response-limit-bytes=none",
    "run": "run\n-\n--memory\n32\n--timeout=none\n--module\na=b.js\n--provider\nstore\n--outbound-mode=open\n--json",
    "rest": "run\n--\n--json",
    "twice": "check\n--memory\n16\n--memory-limit-mb\n65536\n--workers-max=1\n--workers-max=2",
    "too_much": "MEMORY_LIMIT_MB=99999999999999999999999\ncheck",
    "negative": "check\n--memory=-1",
    "empty": "check\n--memory=",
    "word": "check\n--outbound-mode\nclosed",
    "no_value": "run\n-\n--tools",
    "needless_value": "run\n--json=1",
    "near_miss": "run\n--memory-limit\n5",
    "secret": "serve\n--auth-token=short",
    "origins": "serve\n--allowed-origins=https://a.b,,",
    "unknown": "walk",
    "two_programs": "run\na\nb",
}
ACCEPTED = (
    b"HTTP/1.1 101 Switching Protocols\r\nupgrade: WebSocket\r\nConnection: keep-alive, Upgrade\r\n"
    b"Sec-WebSocket-Accept: s3pPLBMiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n"
)
# Whether the handshake is over, and what the server sends.
SOCKETS = {
    "accepted": (0, ACCEPTED + b"\x81\x05[1,2]\x89\x01!\x88\x02\x03\xe8"),
    "extended": (0, ACCEPTED.replace(b"\r\n\r\n", b"\r\nSec-WebSocket-Extensions: x\r\n\r\n")),
    "other_key": (0, ACCEPTED.replace(b"s3pP", b"s3pp")),
    "refused": (0, b"HTTP/1.1 403 Forbidden\r\n\r\n"),
    "torn": (0, ACCEPTED[:-3]),
    "fragments": (1, b"\x01\x02ab\x89\x00\x00\x01c\x80\x00\x81\x00"),
    "medium": (1, b"\x81\x7e\x01\x00" + b"a" * 256),
    "long": (1, b"\x81\x7f\0\0\0\0\0\x01\x11\x70"),
    "huge": (1, b"\x01\x01a\x80\x7f\xff\xff\xff\xff\xff\xff\xff\xff"),
    "at_the_bound": (1, b"\x01\x01a\x80\x7e\x0f\xff" + b"a" * 4095),
    "past_the_bound": (1, b"\x01\x02ab\x80\x7e\x0f\xff"),
    "masked": (1, b"\x81\x82abcdef"),
    "binary": (1, b"\x82\x01a"),
    "reserved": (1, b"\xc1\x01a"),
    "unknown": (1, b"\x83\x00"),
    "long_ping": (1, b"\x89\x7e\x00\x7e"),
    "torn_ping": (1, b"\x09\x00"),
    "pongs": (1, b"\x8a\x00" * 20 + b"\x8a\x01x\x81\x00"),
    "no_start": (1, b"\x80\x00"),
    "two_starts": (1, b"\x01\x01a\x81\x01b"),
    "bad_utf8": (1, b"\x81\x02\xc3("),
}


def main():
    for name, (state, step, stream) in FRAMES.items():
        (HERE / "frame" / name).write_bytes(bytes([state, step]) + stream)
    for name, request in REQUESTS.items():
        (HERE / "request" / name).write_text(json.dumps(request))
    for name, text in TEXTS.items():
        (HERE / "request" / name).write_bytes(text)
    for name, text in HTTP.items():
        (HERE / "http" / name).write_text(text)
    for name, text in SETTINGS.items():
        (HERE / "settings" / name).write_text(text)
    for name, (is_open, stream) in SOCKETS.items():
        (HERE / "websocket" / name).write_bytes(bytes([is_open]) + stream)


main()
