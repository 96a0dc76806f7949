#!/usr/bin/env python3
"""Writes the seeds of the capnweb targets anew: seeds/capnweb_value/*, an expression
each, and seeds/capnweb_session/*, the messages of a peer one a line (an empty one lets
the object of the target answer a call that it holds).
"""
import json
import pathlib

HERE = pathlib.Path(__file__).parent

VALUES = {
    "numbers": "[[0,-0,1.5,1e3,1E+2,5e-324,1e400,-7,9007199254740993,0.1]]",
    "strings": '[["","a\\"\\\\\\/\\b\\f\\n\\r\\t","\\u0000\\u00e9\\ud83d\\ude00","\\ud800x","\u00e9\u4e16\U0001f600"]]',
    "words": '[[null,true,false,["undefined"],["inf"],["-inf"],["nan"]]]',
    "bigints": '[[["bigint","0"],["bigint","-007"],["bigint"," 12 "],["bigint","0x1f"],["bigint",""]]]',
    "dates": '[[["date",0],["date",-1.9],["date",null],["date",8640000000000001]]]',
    "bytes": '[[["bytes",""],["bytes","AA"],["bytes","AA=="],["bytes","-_-_"],["bytes","AQIDBAUGBwg","Float64Array"]]]',
    "arrays": '[[[[]],[[1,[[2]]]],[["date",1]]]]',
    "objects": '{"a":1,"b":{"c":[[{}]]},"a":2,"__proto__":3,"toString":4,"":5}',
    "many_keys": json.dumps({f"k{i % 15}" + "x" * (i % 2): i for i in range(40)}),
    "error": '["error","TypeError","m","at x",{"code":"E","name":"n","list":[[1]],"cause":["error","Error","c"]}]',
    "urls": '[[["url","HTTP://user@EXAMPLE.com?x"],["url","mailto:a@b"],["url","https://e.com/a?b#c"]]]',
    "headers": '["headers",[["a","1"],["b","2"]]]',
    "request": '["request","http://e.com/x",{"method":"POST","headers":[["x","y"]],"body":["bytes","aGk"]}]',
    "response": '["response","text",{"status":404,"headers":[["k","v"]]}]',
    "export": '{"f":["export",-1],"g":[[["export",-2],["export",-1]]]}',
    "pipelined": '["pipeline",0,[],[["pipeline",0,[],[5]]]]',
    "spaces": ' [ [ 1 , { "a" : [ "undefined" ] } ] ] ',
    "deep": "[[" * 250 + "]]" * 250,
    "deeper": "[[" * 300 + "]]" * 300,
    "torn": '[["a',
    "not_escaped": "[1,2]",
    "unknown": '["nosuch",1]',
    "bad_escape": '"\\x"',
    "bad_number": "01",
    "control": '"\x01"',
}


def push(path, *args):
    return ["push", ["pipeline", 0, path, list(args)]]


SESSIONS = {
    "call": [push(["e"], 5), ["pull", 1], ["release", 1, 1]],
    "once": [push(["h"], 1), ["pull", 1], "", push(["o"], "x"), ["pull", 2]],
    "throw": [push(["t"], ["error", "TypeError", "m", None, {"k": [[1]]}]), ["pull", 1]],
    "nothing": [push(["n"]), ["pull", 1], push(["p", "x", "y"]), ["pull", 2], push([]), ["pull", 3]],
    "property": [["push", ["pipeline", 0, ["p", 1]]], ["pull", 1], ["push", ["pipeline", 0, ["e"]]],
                 ["pull", 2], ["push", ["pipeline", 2, [], [7]]], ["pull", 3]],
    "callback": [push(["c"], ["export", -1], 3), ["pull", 1], ["resolve", 1, {"r": ["export", -2]}],
                 ["release", 1, 1]],
    "callback_twice": [push(["c"], ["export", -1], ["export", -1]), ["pull", 1],
                       ["reject", 1, ["error", "Error", "no"]]],
    "late_answer": [push(["c"], ["export", -1], 3), ["abort"], ["resolve", 1, 2]],
    "unwanted": [["resolve", 9, {"s": ["export", -1]}], ["reject", 8, 1]],
    "pipelined": [push(["m"]), ["push", ["pipeline", 1, ["give"], []]], ["pull", 2], ["release", 1, 1]],
    "pending": [push(["h"], {"x": [[4, 5]]}), ["push", ["pipeline", 1, ["x", 1]]], ["pull", 2],
                push(["e"], ["pipeline", 1, ["x"]]), ["pull", 3], "", ["release", 1, 1]],
    "failed_argument": [push(["t"], 1), push(["e"], {"a": ["pipeline", 1]}), ["pull", 2]],
    "promise": [push(["e"], ["promise", -1]), ["pull", 1], ["resolve", -1, {"v": 1}]],
    "promise_chain": [push(["e"], ["promise", -1]), ["pull", 1], ["resolve", -1, ["promise", -2]],
                      ["reject", -2, "no"]],
    "itself": [push(["c"], ["export", -1]), ["pull", 1], ["resolve", 1, ["import", 1]],
               ["push", ["pipeline", 1, ["x"], []]], ["pull", 2]],
    "stub_back": [push(["m"]), ["pull", 1], ["push", ["pipeline", 0, ["e"], [["import", -1]]]], ["pull", 2],
                  ["release", -1, 1]],
    "map": [push(["l"]), ["push", ["remap", 1, [], [["import", 0]],
                                   [["pipeline", -1, ["e"], [["pipeline", 0]]], [[["pipeline", 1], 2]]]]],
            ["pull", 2]],
    "map_export": [push(["l"]), ["push", ["remap", 1, [], [["export", -1]], [["pipeline", -1, [], [1]]]]],
                   ["pull", 2], ["resolve", 1, 1], ["resolve", 2, 2], ["resolve", 3, 3]],
    "map_nested": [push(["l"]), ["push", ["remap", 1, [], [["import", 0]], [
        ["pipeline", -1, ["l"], []],
        ["remap", 1, [], [["import", -1]], [["pipeline", -1, ["e"], [["pipeline", 0]]]]]]]], ["pull", 2]],
    "map_wrong": [push(["l"]), ["push", ["remap", 1, [], [], [["export", -1]]]], ["pull", 2],
                  ["push", ["remap", 1, [], [], []]], ["pull", 3]],
    "stream_in": [["pipe"], push(["r"], ["readable", 1]), ["pull", 2],
                  ["stream", ["pipeline", 1, ["write"], ["a"]]], ["stream", ["pipeline", 1, ["close"], []]],
                  ["release", 1, 1]],
    "stream_failed": [["pipe"], push(["r"], ["readable", 1]), ["pull", 2],
                      ["stream", ["pipeline", 1, ["abort"], [["error", "Error", "x"]]]], ["release", 1, 1]],
    "stream_unread": [["pipe"], push(["e"], 1), ["stream", ["pipeline", 1, ["write"], ["a"]]], ["release", 1, 1]],
    "stream_out": [push(["s"], {"c": 1}), ["pull", 1], ["resolve", 1, ["undefined"]],
                   ["resolve", 2, ["undefined"]]],
    "writable": [push(["c"], ["writable", -1], "x"), ["pull", 1], ["resolve", 1, ["undefined"]]],
    "blob": [["pipe"], push(["e"], ["blob", "text/plain", ["readable", 1]]), ["pull", 2],
             ["stream", ["pipeline", 1, ["write"], [["bytes", "aGk"]]]], ["stream", ["pipeline", 1, ["close"], []]],
             ["resolve", 1, ["undefined"]], ["resolve", 2, ["undefined"]]],
    "main_gone": [["release", 0, 1], push(["e"], 1)],
    "too_much_released": [["push", 1], ["release", 1, 2]],
    "no_such_export": [["pull", 99]],
    "many": [push(["h"], 1)] * 70,
    "abort": [["abort", ["error", "Error", "enough"]], push(["e"], 1)],
    "bad": [["bogus", 1]],
}


def main():
    for folder, seeds in (("capnweb_value", VALUES), ("capnweb_session", SESSIONS)):
        (HERE / folder).mkdir(exist_ok=True)
        for name, seed in seeds.items():
            text = seed if isinstance(seed, str) else "\n".join(
                line if isinstance(line, str) else json.dumps(line, separators=(",", ":"))
                for line in seed)
            (HERE / folder / name).write_text(text)


main()
