"""Requests for .ci/http: `post URL LOGIN`, and `events COUNT`, which prints a history to append.

Schemathesis reads this file, too, to learn how JSON Lines are written.
"""
import base64
import collections
import datetime
import http.client
import json
import sys
import threading
import urllib.parse


def post(url, login):
    """Sends one event with an id from a thousand clients at once; whether one of them recorded it."""
    host = urllib.parse.urlparse(url).netloc
    headers = {
        "Authorization": "Basic " + base64.b64encode(login.encode()).decode(),
        "Content-Type": "application/json",
    }
    event = {"id": "the-one", "type": "entry.logged", "habit": "meditation", "minutes": 12}
    found, lock, start = collections.Counter(), threading.Lock(), threading.Barrier(1000)

    def client():
        start.wait()
        connection = http.client.HTTPConnection(host, timeout=120)
        connection.request("POST", "/v1/events", json.dumps(event), headers)
        answer = connection.getresponse()
        text = answer.read()
        connection.close()
        says = json.loads(text)["results"][0]["status"] if answer.status < 300 else text[:200]
        with lock:
            found[answer.status, says] += 1

    threads = [threading.Thread(target=client) for _ in range(1000)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print(dict(found))
    return found == {(201, "recorded"): 1, (200, "exists"): 999}


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
        sys.exit(0 if post(*words) else 1)
