#!/usr/bin/env python3
"""Make the events of many subjects from a seed: once as one stream in its order, once as the files of several writers.

The stream is what one process folds. The files hold the same lines out of order, and some of them twice, recorded
again a little later, as devices leave them that send once more what they are not sure of.
"""

import argparse
import json
import random
import sys
from datetime import datetime, timedelta, timezone
from pathlib import Path

FIRST = datetime(2025, 1, 1, 6, tzinfo=timezone.utc)
NOALC = {"habit": "noalc", "rule": {"kind": "level", "levels": {"steady": [0, 1], "easy": [2, 5], "wild": [6, None]},
                                    "good": ["steady"]},
         "forgiveness": {"kind": "joker", "every": 7, "cap": 3, "heals": ["missed", "easy", "wild"]}, "streak": True}
MEDITATION = {"habit": "meditation", "rule": {"kind": "minutes", "atLeast": 2},
              "forgiveness": {"kind": "joker", "every": 7, "cap": 3}, "streak": True}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("folder", type=Path, help="a new folder: stream.jsonl, and files/ with the same out of order")
    parser.add_argument("--events", type=int, default=1_000_000, metavar="N")
    parser.add_argument("--subjects", type=int, default=20_000, metavar="N")
    parser.add_argument("--files", type=int, default=8, metavar="N")
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    arguments = parser.parse_args()
    if arguments.events < 3 * arguments.subjects:
        parser.error("--events: at least 3 for each subject, to define its habits and open its ledger")
    if arguments.folder.exists():
        parser.error(f"{arguments.folder} is there already")
    (arguments.folder / "files").mkdir(parents=True)

    chance = random.Random(arguments.seed)
    rows = []
    for number in range(arguments.subjects):
        share = arguments.events // arguments.subjects + (number < arguments.events % arguments.subjects)
        rows += events(number, share, chance)
    rows.sort()
    with open(arguments.folder / "stream.jsonl", "w") as stream:
        stream.writelines(line for _, _, line in rows)
    repeated = [(recorded, id, again(line)) for recorded, id, line in chance.sample(rows, len(rows) // 1000)]
    rows += repeated
    chance.shuffle(rows)
    for number in range(arguments.files):
        with open(arguments.folder / "files" / f"writer-{number}.jsonl", "w") as file:
            file.writelines(line for _, _, line in rows[number::arguments.files])
    print(f"{arguments.events} events of {arguments.subjects} subjects, {len(repeated)} of them twice", file=sys.stderr)


def events(number, share, chance):
    """The events of one person, with the fields that order them."""
    name = f"s{number:06}"
    rows = []
    start = FIRST + timedelta(seconds=chance.randrange(86_400 // 2))
    recorded = start

    def add(type, day, fields):
        nonlocal recorded
        # Now and then two writers record in the same microsecond; the id decides then.
        recorded += timedelta(microseconds=chance.choice([0, 1, 1_000, 1_000_000]))
        id = f"{chance.getrandbits(64):016x}"
        envelope = {"id": id, "type": type, "at": text(recorded), "recorded": text(recorded), "day": day, "zone": "UTC",
                    "subject": name}
        rows.append((envelope["recorded"], id, line(envelope | fields)))
        return id

    today = start.date()
    add("ledger.opened", str(today), {})
    add("habit.defined", str(today), NOALC)
    add("habit.defined", str(today), MEDITATION)
    standing = []
    while len(rows) < share:
        minutes = timedelta(minutes=chance.randrange(300))
        recorded = datetime.combine(today + timedelta(days=1), start.timetz()) + minutes
        today = recorded.date()
        steps = [("day.changed", {"to": str(today)})]
        for habit in ["noalc", "meditation"]:
            if chance.random() < 0.9:
                steps.append(("entry.logged", measure(habit, chance)))
        if chance.random() < 0.1:
            steps.append(("entry.logged", measure("meditation", chance) | {"late": True}))
        if standing and chance.random() < 0.05:
            entry = standing.pop(chance.randrange(len(standing)))
            steps.append(("entry.deleted", {"entry": entry, "reason": "typed twice"}))
        for type, fields in steps[:share - len(rows)]:
            late = timedelta(days=chance.randrange(1, 4) if fields.pop("late", False) else 0)
            id = add(type, str(max(today - late, start.date())), fields)
            if type == "entry.logged":
                standing.append(id)
    return rows


def measure(habit, chance):
    if habit == "noalc":
        return {"habit": habit, "drinks": chance.choice([0, 0, 0, 0, 1, 1, 1, 3, 7])}
    return {"habit": habit, "minutes": chance.randrange(1, 40)}


def again(row):
    """The same event, recorded once more a second later."""
    event = json.loads(row)
    later = datetime.fromisoformat(event["recorded"].replace("Z", "+00:00")) + timedelta(seconds=1)
    return line(event | {"recorded": text(later)})


def text(time):
    return time.strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def line(event):
    return json.dumps(event, separators=(",", ":")) + "\n"


if __name__ == "__main__":
    main()
