"""Requests for .ci/http: `post URL LOGIN`, `log URL LOGIN`, `get URL LOGIN PATH`, and `events COUNT`, which prints a history to append.

Schemathesis reads this file, too, to learn how JSON Lines are written.
"""
import base64
import collections
import datetime
import http.client
import json
import os
import sys
import threading
import time
import urllib.parse


def requests(url, login, count, at_once, path, body=None):
    """Sends so many requests from so many clients, and returns statuses, bodies and milliseconds."""
    host = urllib.parse.urlparse(url).netloc
    headers = {"Authorization": "Basic " + base64.b64encode(login.encode()).decode()}
    if body:
        headers["Content-Type"] = "application/json"
    answers, lock, start = [], threading.Lock(), threading.Barrier(at_once)

    def client(share):
        start.wait()
        for _ in range(share):
            began = time.perf_counter()
            connection = http.client.HTTPConnection(host, timeout=120)
            connection.request("POST" if body else "GET", path, body, headers)
            answer = connection.getresponse()
            text = answer.read()
            connection.close()
            with lock:
                answers.append((answer.status, text, (time.perf_counter() - began) * 1000))

    threads = [threading.Thread(target=client, args=(count // at_once,)) for _ in range(at_once)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return answers


def post(url, login):
    event = {"id": "the-one", "type": "entry.logged", "habit": "meditation", "minutes": 12}
    answers = requests(url, login, 1000, 1000, "/v1/events", json.dumps(event))
    found = collections.Counter(
        (status, json.loads(text)["results"][0]["status"]) if status < 300 else (status, text[:200])
        for status, text, _ in answers
    )
    print(dict(found))
    return found == {(201, "recorded"): 1, (200, "exists"): 999}


def log(url, login):
    event = {"type": "entry.logged", "habit": "awareness"}
    return measure(url, login, 400, "/v1/events", json.dumps(event)) == {201}


def get(url, login, path):
    requests(url, login, 40, 20, path)
    return measure(url, login, 1000, path) == {200}


def measure(url, login, count, path, body=None):
    began = time.perf_counter()
    answers = requests(url, login, count, 20, path, body)
    seconds = time.perf_counter() - began
    times = sorted(taken for _, _, taken in answers)
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores, {len(answers) / seconds:.0f} requests a second")
    print(" ".join(f"p{part} {times[len(times) * part // 100 - 1]:.0f} ms" for part in (50, 90, 99, 100)))
    return {status for status, _, _ in answers}


# What a day has of each habit that .ci/http makes.
DAY = [
    {"habit": "meditation", "minutes": 12},
    {"habit": "workout", "minutes": 30},
    {"habit": "noalc", "drinks": 1},
    {"habit": "awareness"},
    {"habit": "game", "completed": True},
    {"habit": "strength", "activity": "strength", "sets": 4},
    {"habit": "cardio", "activity": "running", "minutes": 31, "km": 5.2},
    {"habit": "meditation", "minutes": 5},
    {"habit": "noalc", "drinks": 2},
    {"habit": "awareness"},
]


def events(count):
    """Ten years of ten entries a day; every seventh day is left out for one habit or the other."""
    first = datetime.datetime(2016, 1, 1, 12, tzinfo=datetime.timezone.utc)
    for index in range(count):
        day, entry = divmod(index, len(DAY))
        at = first + datetime.timedelta(days=day, minutes=entry)
        if (day + entry) % 7 == 0:
            entry = 9
        print(json.dumps({"type": "entry.logged", "at": at.isoformat(), **DAY[entry]}))


if __name__ != "__main__":
    import schemathesis

    @schemathesis.serializer("application/x-ndjson", "application/jsonl")
    def lines(context, value):
        if isinstance(value, str):
            return value.encode()
        items = value if isinstance(value, list) else [value]
        return "".join(json.dumps(item) + "\n" for item in items).encode()

else:
    command, *words = sys.argv[1:]
    if command == "events":
        events(int(words[0]))
    else:
        sys.exit(0 if {"post": post, "log": log, "get": get}[command](*words) else 1)
