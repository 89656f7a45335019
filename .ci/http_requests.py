"""Requests for .ci/http: `post URL LOGIN`; `events COUNT`, which prints a history to append; `load SOCKET FOLDER`;
`kill SOCKET PROCESS SEGMENT`.

Schemathesis reads this file, too, to learn how JSON Lines are written.
"""
import base64
import collections
import datetime
import http.client
import json
import os
import signal
import socket
import sqlite3
import sys
import threading
import time
import urllib.parse


def post(url, login):
    """Sends one event with an id from a hundred clients at once, again after a 429; whether one of them recorded it."""
    host = urllib.parse.urlparse(url).netloc
    headers = {
        "Authorization": "Basic " + base64.b64encode(login.encode()).decode(),
        "Content-Type": "application/json",
    }
    event = {"id": "the-one", "type": "entry.logged", "habit": "meditation", "minutes": 12}
    found, start = collections.Counter(), threading.Barrier(100)

    def client():
        start.wait()
        status = 429
        while status == 429:
            connection = http.client.HTTPConnection(host, timeout=120)
            connection.request("POST", "/v1/events", json.dumps(event), headers)
            answer = connection.getresponse()
            status, text = answer.status, answer.read()
            connection.close()
            found[status] += 1

    in_threads(client, 100)
    print(dict(found))
    return found[201] == 1 and found[200] == 99


def in_threads(body, count):
    threads = [threading.Thread(target=body) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def ask(path, login, target, body=""):
    """Sends a request on a connection of its own, and returns the status and the body of the answer.

    It doesn't use http.client, which would take half of the processor time of the service itself. Python adds as little
    to an INSERT of SQLite.
    """
    head = f"{'POST' if body else 'GET'} {target} HTTP/1.1\r\nHost: localhost\r\nRemote-User: {login}\r\n"
    head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n" if body else ""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(120)
        connection.connect(path)
        connection.sendall(f"{head}\r\n{body}".encode())
        answer = b"".join(iter(lambda: connection.recv(1 << 16), b""))
    if not answer:
        raise ConnectionError("the service closed the connection without an answer")
    head, _, text = answer.partition(b"\r\n\r\n")
    return int(head.split(b" ")[1]), text


def measured(name, seconds, clients, body):
    """Calls `body(client, number)` in many threads; prints how many a second and how long they took."""
    times, numbers, end = [], iter(range(clients)), time.monotonic() + seconds

    def client():
        own, count = next(numbers), 0
        while time.monotonic() < end:
            start = time.monotonic()
            body(own, count)
            times.append(time.monotonic() - start)
            count += 1

    in_threads(client, clients)
    times.sort()
    at = lambda share: times[min(len(times) - 1, int(len(times) * share))] * 1000
    print(f"{name:28} {len(times) / seconds:8.0f}/s  median {at(0.5):6.1f} ms  p99 {at(0.99):6.1f} ms  most {times[-1] * 1000:6.0f} ms")


ENTRY = '{"type":"entry.logged","habit":"awareness"}'


def load(path, folder):
    logins = ["load-a", "load-b", "load-c"]

    def get(target):
        def one(client, _):
            status, text = ask(path, logins[client % 3], target)
            assert status == 200, (status, text[:200])
        return one

    def record(client, _):
        status, text = ask(path, logins[client % 3], "/v1/events", ENTRY)
        assert status == 201, (status, text[:200])

    for target in ("/v1/streaks", "/v1/state"):
        get(target)(0, 0), get(target)(1, 0), get(target)(2, 0)
        measured("GET " + target, 8, 20, get(target))
    measured("POST /v1/events", 8, 20, record)
    database = os.path.join(folder, "rows")
    own = threading.local()
    with sqlite3.connect(database) as made:
        made.execute("pragma journal_mode = wal")
        made.execute("create table events (id integer primary key, recorded text default current_timestamp, event text)")

    def insert(client, number):
        if not hasattr(own, "connection"):
            own.connection = sqlite3.connect(database, timeout=60, isolation_level=None)
            own.connection.execute("pragma synchronous = full")
        own.connection.execute("insert into events (event) values (?)", (ENTRY,))

    measured("SQLite, 1 client", 8, 1, insert)
    measured("SQLite, 20 clients", 8, 20, insert)
    delays(path, get("/v1/streaks"))


def delays(path, get):
    """The most expensive legal ledger of one login, and the requests of another."""
    habits = [{"type": "habit.defined", "habit": f"h{n}", "rule": {"kind": "any"}} for n in range(10)]
    members = [habit["habit"] for habit in habits]
    both = [{"type": "habit.defined", "habit": f"c{n}", "rule": {"kind": "all", "of": members}} for n in range(7)]
    entries = [{"type": "entry.logged", "habit": name, "day": "1900-01-01"} for name in members]
    opened = [{"type": "ledger.opened", "zone": "UTC"}]
    start = time.monotonic()
    print("the ledger:", ask(path, "expensive", "/v1/events", json.dumps(opened + habits + both + entries))[0],
          f"after {time.monotonic() - start:.1f} s")
    is_over = threading.Event()
    targets = ["/v1/report", "/v1/changes?after=start", "/v1/audit/c0?history", "/v1/state?at=20", "/v1/state"]
    found = collections.Counter()

    def hostile(number):
        while not is_over.is_set():
            target = targets[number % len(targets)]
            try:
                found[target, ask(path, "expensive", target)[0]] += 1
            except OSError as error:
                found[target, type(error).__name__] += 1

    threads = [threading.Thread(target=hostile, args=(n,), daemon=True) for n in range(8)]
    for thread in threads:
        thread.start()
    measured("GET beside it", 20, 1, get)
    is_over.set()
    print(dict(found))


def kill(path, process, segment):
    """Kills the service while clients record; whether every id that was acknowledged is in the segment."""
    known = []

    def client():
        number = 0
        while True:
            name = f"k{threading.get_ident()}-{number}"
            try:
                status, _ = ask(path, "load-a", "/v1/events", ENTRY[:-1] + f',"id":"{name}"}}')
            except OSError:
                return
            if status == 201:
                known.append(name)
            number += 1

    threading.Timer(2, lambda: os.kill(int(process), signal.SIGKILL)).start()
    in_threads(client, 6)
    with open(segment, encoding="utf-8") as file:
        text = file.read()
    lost = [name for name in known if f'"{name}"' not in text]
    print(f"{len(known)} acknowledged, {len(lost)} lost")
    return not lost and len(known) > 0


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

    @schemathesis.serializer("application/x-ndjson")
    def lines(context, value):
        if isinstance(value, str):
            return value.encode()
        items = value if isinstance(value, list) else [value]
        return "".join(json.dumps(item) + "\n" for item in items).encode()

else:
    command, *words = sys.argv[1:]
    if command == "events":
        events(int(words[0]))
    elif command == "load":
        load(*words)
    else:
        sys.exit(0 if {"post": post, "kill": kill}[command](*words) else 1)
