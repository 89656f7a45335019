"""Requests for .ci/http: `post URL LOGIN`; `events COUNT`, which prints a history to append; `first`, `load`, `largest`,
`attack` and `kills`, with the FOLDER that has run/NAME.sock, run/NAME.pid and ledgers/NAME; `people`, which starts many.

Schemathesis reads this file, too, to learn how JSON Lines are written.
"""
import base64
import collections
import datetime
import http.client
import json
import os
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time
import urllib.parse


def post(url, login):
    """Sends one event with an id from a hundred clients at once, again after a refusal; whether one recorded it.

    Caddy answers 502 if the service has refused a request before Caddy has sent the body.
    """
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
        while status in (429, 502):
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
    in_threads_of([body] * count)


def in_threads_of(bodies):
    threads = [threading.Thread(target=body) for body in bodies]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def ask(path, login, target, body="", kind="application/json", wait=120):
    """Sends a request on a connection of its own, and returns the status and the body of the answer.

    It doesn't use http.client, which would take half of the processor time of the service itself. Python adds as little
    to an INSERT of SQLite.
    """
    head = f"{'POST' if body else 'GET'} {target} HTTP/1.1\r\nHost: localhost\r\n"
    head += f"Remote-User: {login}\r\n" if login else ""
    head += f"Content-Type: {kind}\r\nContent-Length: {len(body)}\r\n" if body else ""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(wait)
        connection.connect(path)
        connection.sendall(f"{head}\r\n{body}".encode())
        answer = b"".join(iter(lambda: connection.recv(1 << 16), b""))
    if not answer:
        raise ConnectionError("the service closed the connection without an answer")
    head, _, text = answer.partition(b"\r\n\r\n")
    return int(head.split(b" ")[1]), text


def until_answered(path, login, target, body=""):
    """Asks again while nobody listens or the connection ends without an answer, for ten seconds."""
    end = time.monotonic() + 10
    while True:
        try:
            return ask(path, login, target, body)
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.01)


def process(folder, name):
    """The process of a person: the one that listens at the socket, or waits to start it."""
    with open(f"{folder}/run/{name}.pid", encoding="utf-8") as file:
        return int(file.read())


def end_process(folder, name, how=signal.SIGTERM):
    """Ends the process of a person, and returns how long that took once another one listens."""
    before, start = process(folder, name), time.monotonic()
    os.kill(before, how)
    while os.path.exists(f"/proc/{before}"):
        time.sleep(0.005)
    took = time.monotonic() - start
    while process(folder, name) == before:
        time.sleep(0.005)
    return took


def check(name, value, most, unit="ms"):
    """Prints a figure; beyond its limit the run fails at its end."""
    print(f"{name:44} {value:9.1f} {unit}, at most {most}{'' if value <= most else '   FAILED'}")
    failures.extend([name] if value > most else [])


failures = []


def measured(name, seconds, clients, body):
    """Calls `body(client, number)` in many threads; prints and returns how many a second and how long they took."""
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
    return len(times) / seconds, at(0.99)


ENTRY = '{"type":"entry.logged","habit":"awareness"}'
PEOPLE = ["ana", "ben", "carl"]


def first(folder):
    """How long the first request takes, which starts the process."""
    times = []
    for _ in range(10):
        end_process(folder, "ana")
        time.sleep(0.3)
        start = time.monotonic()
        assert until_answered(f"{folder}/run/ana.sock", "ana", "/v1/streaks")[0] == 200
        times.append(time.monotonic() - start)
    check("a first request, median of ten", sorted(times)[5] * 1000, 100)


def load(folder):
    """Reads and writes of three people with seven clients each, beside INSERTs of SQLite."""
    def get(target):
        def one(client, _):
            name = PEOPLE[client % 3]
            status, text = ask(f"{folder}/run/{name}.sock", name, target)
            assert status == 200, (status, text[:200])
        return one

    def record(client, _):
        name = PEOPLE[client % 3]
        status, text = ask(f"{folder}/run/{name}.sock", name, "/v1/events", ENTRY)
        assert status == 201, (status, text[:200])

    for target in ("/v1/streaks", "/v1/state"):
        for client in range(3):
            get(target)(client, 0)
        _, slow = measured("GET " + target, 8, 21, get(target))
        check(f"GET {target}, p99", slow, 200)
    posts, _ = measured("POST /v1/events", 8, 21, record)

    # A database for each person, as each has a ledger.
    own = threading.local()
    for name in PEOPLE:
        with sqlite3.connect(f"{folder}/work/{name}.db") as made:
            made.execute("pragma journal_mode = wal")
            made.execute("create table events (id integer primary key, recorded text default current_timestamp, event text)")

    def insert(client, _):
        if not hasattr(own, "connection"):
            own.connection = sqlite3.connect(f"{folder}/work/{PEOPLE[client % 3]}.db", timeout=60, isolation_level=None)
            own.connection.execute("pragma synchronous = full")
        own.connection.execute("insert into events (event) values (?)", (ENTRY,))

    inserts, _ = measured("SQLite, three databases", 8, 21, insert)
    check("INSERTs of SQLite for each POST", inserts / posts, 3, "")


def largest(folder):
    """Eight of the largest answers at a time need less memory than streaks@.service allows."""
    end_process(folder, "ana")
    path = f"{folder}/run/ana.sock"
    until_answered(path, "ana", "/v1/streaks")
    for target in ["/v1/timeline", "/v1/report/steps", "/v1/entries"]:
        many(path, target, 8)
        check(f"eight {target}, peak of memory", peak_memory(folder, "ana"), 200, "MB")


def peak_memory(folder, name):
    """The largest memory that the process of a person has had, in MB."""
    with open(f"/proc/{process(folder, name)}/status", encoding="utf-8") as file:
        return max(int(line.split()[1]) // 1024 for line in file if line.startswith("VmHWM"))


def lines(*events):
    return json.dumps(events, separators=(",", ":"))


def defined(name, rule, **more):
    return {"type": "habit.defined", "habit": name, "rule": rule, **more}


OPENED = {"type": "ledger.opened", "zone": "UTC"}
ANY = {"kind": "any"}
# A limit that every day since 1900 keeps.
LIMIT = defined("h", {"kind": "none"}, day="1900-01-01")


def many(path, target, count):
    """Asks from so many clients at once."""
    in_threads(lambda: patient(path, target), count)


def patient(path, target, body="", kind="application/json"):
    """A request of the attacker, who doesn't care how it ends."""
    try:
        return ask(path, "ana", target, body, kind, wait=30)[0]
    except OSError:
        return None


def achievements(path):
    """Every composite explains each achievement with all entries of a day."""
    day = str(datetime.date.today() - datetime.timedelta(days=1))
    composites = [defined(f"c{n}", {"kind": "either", "of": ["h"]}, milestones=[2]) for n in range(100)]
    patient(path, "/v1/events", lines(OPENED, defined("h", ANY), *composites, {"type": "entry.logged", "habit": "h", "day": day}))
    line = '{"type":"entry.logged","habit":"h"}\n'
    patient(path, "/v1/events", line * ((1 << 20) // len(line)), "application/x-ndjson")
    many(path, "/v1/streaks", 8)


def composites(count):
    return [defined(f"c{n}", {"kind": "all", "of": ["h"]}, day="1900-01-01") for n in range(count)]


def changes(path):
    """One event changes 46,000 days of 80 composites."""
    patient(path, "/v1/events", lines(OPENED, LIMIT, *composites(80)))
    patient(path, "/v1/events", lines({**LIMIT, "rule": ANY}))
    many(path, "/v1/changes?after=start", 8)


def excuses(path):
    """9,000 habits, each with 3,900 excused days."""
    patient(path, "/v1/events", lines(OPENED, *[defined(f"h{n}", ANY) for n in range(9000)]))
    for part in range(13):
        days = [str(datetime.date(1900, 1, 1) + datetime.timedelta(days=2 * (part * 300 + n))) for n in range(300)]
        patient(path, "/v1/events", lines(*[{"type": "days.excused", "from": day, "to": day} for day in days]))
    many(path, "/v1/streaks", 8)


def flips(path):
    """The first day of a limit is logged and deleted 100 times, under 80 composites; eight requests fold that."""
    patient(path, "/v1/events", lines(OPENED, LIMIT, *composites(80)))
    pairs = [
        ({"type": "entry.logged", "id": f"e{n}", "habit": "h", "day": "1900-01-01"}, {"type": "entry.deleted", "entry": f"e{n}"})
        for n in range(100)
    ]
    patient(path, "/v1/events", lines(*[event for pair in pairs for event in pair]))
    many(path, "/v1/state?at=200", 8)


def report(path):
    """A page of 10,000 habits without an entry."""
    patient(path, "/v1/events", lines(OPENED, *[defined(f"h{n}", ANY) for n in range(9999)]))
    many(path, "/v1/report", 8)


def held(path, count, text):
    """Connections on which nothing more comes, and from which nobody reads."""
    connections = []
    for _ in range(count):
        connection = socket.socket(socket.AF_UNIX)
        connection.settimeout(5)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        try:
            connection.connect(path)
            connection.sendall(text.encode())
        except OSError:
            pass
        connections.append(connection)
    time.sleep(10)
    for connection in connections:
        connection.close()


def listeners(path):
    """Listeners that never read a large change."""
    patient(path, "/v1/events", lines(OPENED, LIMIT, *composites(4)))
    patient(path, "/v1/events", lines({**LIMIT, "rule": ANY}))
    held(path, 32, "GET /v1/changes?after=start HTTP/1.1\r\nHost: x\r\nRemote-User: ana\r\n\r\n")


def slow_heads(path):
    """Clients that never finish a request."""
    held(path, 40, "GET /v1/streaks HTTP/1.1\r\nHost: x\r\nRemote-User: ana\r\n")


def slow_bodies(path):
    """Clients that never send the body that they announced."""
    held(path, 40, "POST /v1/events HTTP/1.1\r\nHost: x\r\nRemote-User: ana\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n")


def through(address, login, body=None):
    """The status of a GET or POST through a web server; `login` is NAME:PASSWORD."""
    connection = http.client.HTTPConnection(address, timeout=60)
    headers = {"Authorization": "Basic " + base64.b64encode(login.encode()).decode(), "Content-Type": "application/json"}
    try:
        connection.request("POST" if body else "GET", "/v1/events" if body else "/v1/streaks", body, headers)
        return connection.getresponse().status
    finally:
        connection.close()


def attack(folder, *addresses):
    """Attacks ana's process; ben and carl, through each web server, and ana's health answer meanwhile."""
    path = f"{folder}/run/ana.sock"
    for one in [achievements, changes, excuses, flips, report, listeners, slow_heads, slow_bodies]:
        end_process(folder, "ana", signal.SIGKILL)
        shutil.rmtree(f"{folder}/ledgers/ana", ignore_errors=True)
        slowest, processes, peak, is_over = collections.Counter(), set(), [0], threading.Event()

        def watch(who, ask_once):
            while not is_over.is_set():
                start = time.monotonic()
                while not is_over.is_set() and not ask_once():
                    time.sleep(0.02)
                slowest[who] = max(slowest[who], time.monotonic() - start)
                time.sleep(0.1)

        def healthy():
            try:
                return ask(path, None, "/healthz", wait=30)[0] == 200
            except OSError:
                return False

        def memory():
            while not is_over.is_set():
                processes.add(process(folder, "ana"))
                try:
                    peak[0] = max(peak[0], peak_memory(folder, "ana"))
                except (OSError, ValueError):
                    pass
                time.sleep(0.1)

        watchers = [threading.Thread(target=memory), threading.Thread(target=watch, args=("ana's /healthz", healthy))]
        for address in addresses:
            watchers.append(threading.Thread(target=watch, args=("another's GET", lambda at=address: through(at, "ben:ben") == 200)))
            watchers.append(threading.Thread(target=watch, args=("another's POST", lambda at=address: through(at, "carl:carl", ENTRY) == 201)))
        attacker = threading.Thread(target=one, args=(path,), daemon=True)
        for thread in [attacker, *watchers]:
            thread.start()
        attacker.join(40)
        is_over.set()
        for thread in watchers:
            thread.join()
        for who in sorted(slowest):
            check(f"{one.__name__}: {who}", slowest[who] * 1000, 2000)
        # Two seconds, and the time in which the system takes gigabytes back.
        check(f"{one.__name__}: SIGTERM", end_process(folder, "ana") * 1000, 4000)
        print(f"{one.__name__}: {peak[0]} MB, {len(processes)} processes")


def kills(folder, count):
    """Kills ana's process again and again while clients record; each id that was acknowledged is in the segment."""
    known, is_over = [], threading.Event()
    path = f"{folder}/run/ana.sock"

    def client():
        number = 0
        while not is_over.is_set():
            name = f"k{threading.get_ident()}-{number}"
            try:
                status, _ = ask(path, "ana", "/v1/events", ENTRY[:-1] + f',"id":"{name}"}}')
            except OSError:
                time.sleep(0.002)
                continue
            if status in (200, 201):
                known.append(name)
                number += 1

    def killer():
        for turn in range(int(count)):
            until_answered(path, None, "/healthz")
            time.sleep(turn % 7 * 0.005)
            end_process(folder, "ana", signal.SIGKILL)
        is_over.set()

    in_threads_of([killer] + [client] * 6)
    with open(f"{folder}/ledgers/ana/main.jsonl", encoding="utf-8") as file:
        text = file.read()
    lost = [name for name in known if f'"{name}"' not in text]
    print(f"{count} kills, {len(known)} acknowledged, {len(lost)} lost")
    failures.extend(lost)
    failures.extend([] if known else ["nothing was acknowledged"])


def people(folder, program, count, *servers):
    """One person after the other has a socket and a process, and posts through each web server.

    `servers` are the addresses and processes of the web servers, ADDRESS=PID. Afterwards they have as many open files as
    before, and nothing runs.
    """
    def opened():
        return sum(len(os.listdir(f"/proc/{found}/fd")) for server in servers for found in family(int(server.split("=")[1])))

    before, numbers, lock = None, iter(range(int(count))), threading.Lock()

    def visit(number):
        name = f"p{number}"
        path = f"{folder}/run/{name}.sock"
        command = ["systemd-socket-activate", "-E", "STREAKS_WRITER=main", "-l", path, program, "serve", "--quiet"]
        command += ["--events", f"{folder}/ledgers/{name}", "--login", name]
        with subprocess.Popen(command, stderr=subprocess.DEVNULL) as started:
            for server in servers:
                status = 502
                # Until it listens.
                while status == 502:
                    status = through(server.split("=")[0], f"{name}:word", lines({**OPENED, "id": "opened"}))
                if status not in (200, 201):
                    failures.append(f"{name}: {status}")
            started.terminate()
        if started.returncode != 0:
            failures.append(f"{name} ended with {started.returncode}")
        os.unlink(path)
        shutil.rmtree(f"{folder}/ledgers/{name}")

    def visitor():
        while True:
            with lock:
                number = next(numbers, None)
            if number is None:
                return
            visit(number)

    visit("-first")
    time.sleep(1)
    before = opened()
    in_threads(visitor, 4)
    time.sleep(1)
    check(f"files that stay open after {count} people", opened() - before, 0, "")


def family(parent):
    """A process and its children."""
    with open(f"/proc/{parent}/task/{parent}/children", encoding="utf-8") as file:
        return [parent] + [int(word) for word in file.read().split()]


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
    def json_lines(context, value):
        if isinstance(value, str):
            return value.encode()
        items = value if isinstance(value, list) else [value]
        return "".join(json.dumps(item) + "\n" for item in items).encode()

else:
    command, *words = sys.argv[1:]
    if command == "events":
        events(int(words[0]))
    elif command == "post":
        sys.exit(0 if post(*words) else 1)
    else:
        {"first": first, "load": load, "largest": largest, "attack": attack, "kills": kills, "people": people}[command](*words)
        sys.exit(f"{len(failures)} failed: {', '.join(failures[:5])}" if failures else 0)
