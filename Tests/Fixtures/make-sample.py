#!/usr/bin/env python3
"""Make the sample ledger: fourteen months of one life in Berlin, written by the tool itself.

    make-sample.py STREAKS_BINARY FOLDER

Two writers take turns, `phone` and `laptop`. Chance is seeded by the day, so every run writes the same bytes, and a
change to one day leaves the others as they are. What must happen stands in the tables; chance fills in the rest.
"""

import json
import random
import subprocess
import sys
import uuid
from datetime import date, datetime, time, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

FIRST, END = date(2024, 9, 20), datetime(2025, 11, 20, 18, 30, tzinfo=ZoneInfo("Europe/Berlin"))
LOST_DAY = date(2025, 3, 15)  # over the date line, between Honolulu and Tokyo
STOPS = {  # where the person wakes up from that day on
    "2024-09-20": "Europe/Berlin", "2025-03-08": "Pacific/Honolulu", "2025-03-16": "Asia/Tokyo",
    "2025-03-26": "Europe/Berlin",
}
VACATION, ILLNESS, TRIP = "2025-08-04/2025-08-17", "2025-02-10/2025-02-17", "2025-03-07/2025-03-25"

HABITS = {  # the options of `define`, and the first day
    "meditation": (["--name", "Meditation"], "2024-09-20"),
    "noalc": ([], "2024-09-20"),
    "workout": (["--name", "Workout"], "2024-09-20"),
    "mood": (["--preset", "awareness", "--name", "Mood"], "2024-09-20"),
    "water": (["--preset", "activity-tracker", "--name", "Water"], "2024-09-20"),
    "morning_ritual": (["--name", "Morning ritual"], "2024-09-20"),
    "evening_reflection": (["--name", "Evening reflection"], "2024-09-20"),
    "daily_complete": (["--name", "Whole day"], "2024-09-20"),
    "chess": (["--preset", "game", "--name", "Chess puzzle", "--icon", "♟️"], "2024-10-01"),
    "strength": (["--name", "Strength"], "2024-10-07"),
    "cardio": (["--name", "Cardio"], "2024-10-07"),
    "activity": (["--name", "Active day"], "2024-10-07"),
    "dry-january": (["--preset", "noalc-strict", "--name", "Dry January", "--icon", "🧊"], "2025-01-01"),
    "inner-critic": (["--preset", "saboteur-awareness", "--name", "Inner critic"], "2025-01-06"),
    "doomscrolling": (["--preset", "saboteur-avoidance", "--name", "No doomscrolling"], "2025-02-01"),
}
DRINKS = {  # every evening with two drinks or more
    "2024-09-26": 3, "2024-10-12": 4, "2024-11-09": 7, "2024-11-16": 2, "2024-12-05": 3, "2024-12-06": 4,
    "2024-12-12": 2, "2024-12-13": 6, "2024-12-14": 3, "2024-12-20": 4, "2024-12-24": 2, "2024-12-25": 3,
    "2024-12-26": 2, "2024-12-31": 6, "2025-01-18": 7, "2025-01-25": 2, "2025-02-22": 3, "2025-03-20": 3,
    "2025-04-19": 2, "2025-05-01": 3, "2025-05-17": 4, "2025-05-29": 3, "2025-06-14": 8, "2025-07-09": 3,
    "2025-07-10": 4, "2025-07-11": 2, "2025-07-12": 7, "2025-07-13": 3, "2025-08-30": 3, "2025-09-19": 5,
    "2025-09-20": 6, "2025-09-21": 4, "2025-09-22": 3, "2025-09-23": 2, "2025-10-03": 2, "2025-10-18": 3,
    "2025-10-21": 3, "2025-10-22": 2, "2025-11-15": 2,
}
MISSED = {
    "meditation": ["2024-11-18/2024-11-21", "2025-02-16", "2025-06-21", "2025-09-21", "2025-10-12"],
    "workout": ["2025-04-28/2025-05-02", "2025-10-01/2025-10-05", "2025-10-25", "2025-11-08"],
    "mood": ["2025-05-01/2025-05-05"],
    "morning_ritual": ["2025-10-26/2025-10-27"],
    "evening_reflection": ["2025-11-02"],
    "cardio": ["2025-11-03/2025-11-04"],
}
KEPT = {  # spans that chance leaves alone
    "noalc": ["2025-09-15/2025-11-20"],
    "meditation": ["2025-10-01/2025-11-20"],
    "mood": ["2025-05-06/2025-06-10", "2025-10-20/2025-11-20"],
    "workout": ["2025-05-03/2025-05-20", "2025-10-06/2025-11-20"],
    "morning_ritual": ["2025-10-20/2025-11-12"],
    "evening_reflection": ["2025-10-20/2025-11-12"],
    "strength": ["2025-10-20/2025-11-20"],
    "cardio": ["2025-10-20/2025-11-02"],
}
SCENES = {  # commands typed by hand; {HABIT DAY} is the id of that day's first entry
    "2024-09-29T11:20": ["delete", "{workout 2024-09-28}", "--reason", "logged twice"],
    "2025-01-01T11:05": ["define", "meditation", "--name", "Meditation", "--rule", '{"kind":"minutes","atLeast":10}'],
    "2025-01-31T22:58": ["define", "dry-january", "--retire"],
    "2025-02-11T12:30": ["excuse", "2025-02-10", "2025-02-14", "flu", "workout", "strength", "cardio"],
    "2025-02-15T13:10": ["excuse", "2025-02-15", "2025-02-17", "still the flu", "workout", "strength", "cardio"],
    "2025-02-20T20:15": ["log", "meditation", "15m", "--on", "2025-02-16", "--note", "found it on the timer"],
    "2025-06-03T12:40": ["delete", "{mood 2025-05-10}", "--reason", "that was a test of the widget"],
    "2025-08-03T19:45": ["excuse", "2025-08-04", "2025-08-17", "vacation on Usedom"],
    "2025-11-04T12:05": ["delete", "{noalc 2025-10-08}", "--reason", "not steady: it was Lena's birthday"],
    "2025-11-04T12:07": ["log", "noalc", "3drinks", "--on", "2025-10-08", "--note", "Lena's birthday, three glasses of wine"],
}
MOODS = ["calm", "calm", "content", "content", "curious", "tired", "tired", "tense", "cheerful", "low", "grateful"]
CRITICS = ["judge", "judge", "controller", "hyper-achiever", "pleaser", "avoider", "restless", "stickler"]
NOTES = {
    "meditation": ["rain on the roof", "counted breaths", "restless, stayed anyway", "on the balcony", "body scan", "half asleep"],
    "workout": ["shoulders", "hips and back", "with Jonas", "rings in the park", "slow but done"],
    "mood": ["long talk with Lena", "slept badly", "deadline behind me", "first sun in days", "missed my stop, reading"],
    "evening_reflection": ["three good things", "wrote two pages", "short one"],
    "chess": ["back-rank mate", "missed the fork", "knight sacrifice", "endgame with pawns"],
    "strength": ["deadlift day", "new kettlebell", "squats felt light", "gym was packed"],
    "running": ["Tempelhofer Feld", "along the canal", "intervals", "cold wind", "easy pace"],
    "inner-critic": ["in the stand-up", "before the review", "rewrote one mail five times", "caught it early"],
    "doomscrolling": ["news until midnight", "elections", "comments, of all things"],
}
SPECIAL = {
    "noalc 2024-11-09": "Jonas turns forty", "noalc 2024-12-31": "New Year's Eve", "noalc 2025-01-18": "Mia's wedding",
    "dry-january 2025-01-18": "Mia's wedding", "noalc 2025-06-14": "garden party", "noalc 2025-07-12": "wedding in Lisbon",
    "noalc 2025-09-20": "Oktoberfest", "noalc 2025-10-21": "conference dinner", "noalc 2025-10-22": "conference, last night",
    "meditation 2025-03-16": "Tokyo, jet lag", "meditation 2025-03-08": "first light in Waikiki",
}


def day_of(text):
    return date.fromisoformat(text)


def holds(spans, day):
    """Whether one of the spans, `FROM/TO` or a single day, contains the day."""
    bounds = (span.partition("/") for span in spans)
    return any(day_of(start) <= day <= day_of(end or start) for start, _, end in bounds)


class Ledger:
    """The folder, written through the tool only."""

    def __init__(self, binary, folder):
        self.binary, self.folder = binary, folder
        self.ids = {}  # "HABIT DAY" -> the id of the day's first entry
        self.made = set()
        self.chance = random.Random()

    def new_id(self, at):
        """A UUIDv7: the event's own time, and seeded bits where a store would take random ones."""
        bits = int(at.timestamp() * 1000) << 80 | self.chance.getrandbits(80)
        bits = bits & ~(0xF << 76) & ~(0x3 << 62) | 0x7 << 76 | 0x2 << 62
        name = str(uuid.UUID(int=bits))
        self.made.add(name)
        return name

    def run(self, now, writer, words, lines=()):
        """One call of the tool at that time. Events written by a command other than `append` get their id here."""
        command = [self.binary, *words, "--events", str(self.folder), "--now", now.isoformat(), "--writer", writer]
        if words[0] != "append":
            command += ["--id", self.new_id(now)]
        text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
        done = subprocess.run(command, input=text, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"{' '.join(command)}\n{text}{done.stderr}exit {done.returncode}")

    def command(self, now, writer, words):
        """A command, with `{HABIT DAY}` replaced by an id."""
        words = [self.ids.get(word[1:-1], word) for word in words]
        if words[0] == "excuse":
            _, start, end, reason, *habits = words
            words = ["excuse", start, end, "--reason", reason] + [part for habit in habits for part in ("--habit", habit)]
        self.run(now, writer, words)

    def append(self, now, writer, events):
        """A batch; every event gets its id."""
        for event in events:
            at = event["at"]
            event |= {"at": at.isoformat(), "id": self.new_id(at)}
            if event["type"] == "entry.logged":
                self.ids.setdefault(f"{event['habit']} {event.get('day', at.date())}", event["id"])
        self.run(now, writer, ["append"], events)


class Day:
    """One day of the person's life: its entries, then the batches that record them."""

    def __init__(self, today, owed):
        self.today, self.owed, self.chance = today, owed, random.Random(f"streaks {today}")
        self.zone = ZoneInfo([zone for start, zone in STOPS.items() if day_of(start) <= today][-1])
        self.is_weekend = today.weekday() >= 5
        self.is_home = not holds([TRIP, VACATION], today)
        self.is_vacation = holds([VACATION], today)
        self.is_ill = holds([ILLNESS], today)
        self.entries = owed.pop(today, [])  # (when, writer, event), late ones of the day before first

    def lives(self):
        """Everything done on this day."""
        self.mornings()
        self.movement()
        self.desk()
        self.evenings()

    def rolls(self, probability):
        return self.chance.random() < probability

    def does(self, habit, probability):
        """Whether the habit is kept today: the tables first, then chance; a vacation is lazy."""
        if self.today < day_of(HABITS[habit][1]) or holds(MISSED.get(habit, []), self.today):
            return False
        if holds(KEPT.get(habit, []), self.today):
            return True
        return self.rolls(probability * 0.45 if self.is_vacation else probability)

    def clock(self, hour, minute, spread, day=None):
        """A time of day, give or take some minutes."""
        shift = timedelta(seconds=self.chance.randint(-spread * 60, spread * 60))
        return datetime.combine(day or self.today, time(hour, minute), self.zone) + shift

    def log(self, habit, at, writer="phone", noted=0.05, on=None, **fields):
        """One entry; `on` is the day it counts for, if not the day of `at`."""
        key = f"{habit} {on or self.today}"
        note = SPECIAL.get(key) or (
            self.chance.choice(NOTES[fields.get("activity", habit)])
            if self.rolls(noted) and fields.get("activity", habit) in NOTES else None)
        event = {"type": "entry.logged", "at": at, "habit": habit, **fields}
        if on and on != at.date():
            event["day"] = on.isoformat()
        if note and not any(entry[2].get("note") == note for entry in self.entries if entry[2]["habit"] == habit):
            event["note"] = note
        stack = self.entries if at.date() == self.today else self.owed.setdefault(at.date(), [])
        stack.append((at, writer if self.is_home else "phone", event))

    def mornings(self):
        hour = 8 if self.is_weekend or self.is_vacation else 6
        if self.does("morning_ritual", 0.955):
            at = self.clock(hour, 42, 14)
            done = not self.rolls(0.01)
            self.log("morning_ritual", at, completed=done)
            if not done and self.rolls(0.6):
                self.log("morning_ritual", at + timedelta(minutes=41), completed=True)
        if self.does("meditation", 0.975):
            low, high = (2, 8) if self.today < date(2025, 1, 1) else (10, 14 + (self.today - FIRST).days // 40)
            minutes = self.chance.randint(low, high)
            at = self.clock(hour + 1, 20, 18)
            if self.today >= date(2025, 1, 1) and self.rolls(0.07):  # in two sittings
                self.log("meditation", at, minutes=6)
                self.log("meditation", self.clock(18, 20, 30), minutes=max(5, minutes - 6), noted=0.2)
            else:
                self.log("meditation", at, minutes=1.5 if self.today == date(2024, 10, 16) else minutes)
        for hour in (9, 13, 16, 20):
            if self.rolls(0.42 if self.is_home else 0.25):
                self.log("water", self.clock(hour, 30, 50), value=self.chance.choice(["0.3 l", "0.5 l", "0.5 l", "0.7 l"]))

    def movement(self):
        if self.is_ill:
            return
        if self.does("workout", 0.9):
            minutes = self.chance.choice([8, 10, 12, 15, 15, 20, 25, 30]) + self.is_weekend * 10
            at = self.clock(9 if self.is_weekend else 7, 50, 15)
            self.log("workout", at, minutes=minutes)
            if self.today == date(2024, 9, 28):
                self.log("workout", at + timedelta(minutes=1), minutes=minutes)
        weekday = self.today.weekday()
        if weekday in (0, 2, 4) and self.is_home and self.does("strength", 0.88):
            self.log("strength", self.clock(18, 40, 35), activity="strength", sets=self.chance.randint(4, 9),
                     minutes=self.chance.randint(30, 60), noted=0.1)
        if self.does("cardio", {1: 0.85, 3: 0.8, 5: 0.85, 6: 0.75}.get(weekday, 0.12 if self.is_home else 0.6)):
            self.cardio(weekday)

    def cardio(self, weekday):
        """Runs in the week, something longer on Saturday, yoga or a walk on Sunday."""
        at = self.clock(11 if self.is_weekend else 19, 15, 40)
        kinds = {5: ["cycling", "hiking", "running"], 6: ["yoga", "yoga", "walking"]}.get(weekday, ["running"])
        if not self.is_home:
            kinds = ["swimming", "hiking", "walking"]
        kind = self.chance.choice(kinds)
        if self.today == date(2025, 4, 6):
            return self.log("cardio", at, activity="running", km=21.098, minutes=117, note="Berlin half marathon")
        if kind == "yoga":
            return self.log("cardio", at, activity=kind, minutes=self.chance.choice([20, 30, 45, 60]))
        low, high, pace = {"running": (4, 11, 5.7), "cycling": (15, 60, 2.9), "hiking": (6, 16, 13),
                           "walking": (3, 8, 11), "swimming": (0.8, 2, 24)}[kind]
        km = round(self.chance.uniform(low, high), 1)
        self.log("cardio", at, activity=kind, km=km, minutes=round(km * pace * self.chance.uniform(0.95, 1.1)), noted=0.15)

    def desk(self):
        writer = "laptop"
        if not self.is_vacation and self.does("chess", 0.97):
            at = self.clock(12, 50, 25)
            solved = self.today != date(2025, 11, 3) and not self.rolls(0.045)
            self.log("chess", at, writer, completed=solved, by="lichess")
            if not solved and self.rolls(0.4) and self.today != date(2025, 11, 3):
                self.log("chess", at + timedelta(minutes=6), writer, completed=True, by="lichess")
        if self.does("inner-critic", 0.88):
            self.log("inner-critic", self.clock(16, 10, 80), writer, value=self.chance.choice(CRITICS), noted=0.1)
        quiet = holds(["2025-04-01/2025-06-30", "2025-10-17/2025-11-11"], self.today)
        if not quiet and not self.is_vacation and self.does("doomscrolling", 0.05):
            self.log("doomscrolling", self.clock(22, 20, 20), writer, minutes=self.chance.randint(25, 90), noted=0.5)

    def evenings(self):
        drinks = DRINKS.get(self.today.isoformat(), int(self.rolls(0.13)))
        level = "steady" if drinks < 2 else "easy" if drinks < 6 else "wild"
        is_late = self.today == date(2025, 3, 7) or self.rolls(0.025) and not holds(KEPT["noalc"], self.today)
        at = self.clock(8, 5, 20, self.today + timedelta(1)) if is_late else self.clock(22, 12, 25)
        facts = {"level": level} if self.rolls(0.6) and drinks < 2 else {"drinks": drinks, "level": level}
        if self.does("noalc", 1):
            self.log("noalc", at, on=self.today, **facts)
        if date(2025, 1, 1) <= self.today <= date(2025, 1, 31):
            self.log("dry-january", at + timedelta(seconds=20), on=self.today, **facts)
        if self.today == date(2025, 3, 7):  # in the air
            return
        if self.does("mood", 0.94):
            self.log("mood", self.clock(21, 10, 40), value=self.chance.choice(MOODS), noted=0.12)
        if self.does("evening_reflection", 0.93):
            is_late = self.today == date(2025, 11, 3) or self.rolls(0.06) and self.today != date(2025, 3, 14)
            at = self.clock(7, 40, 15, self.today + timedelta(1)) if is_late else self.clock(22, 28, 14)
            self.log("evening_reflection", at, on=self.today, completed=not self.rolls(0.012), noted=0.08)

    def acts(self):
        """What is written today, in order: (now, writer, the words of a command or the events of a batch)."""
        acts = []
        if self.is_home and not self.is_weekend and str(self.today) not in STOPS and self.rolls(0.35):  # the laptop cron
            acts.append((datetime.combine(self.today, time(0, 5, 1), self.zone), "laptop", ["day"]))
        for number, (habit, (options, start)) in enumerate(HABITS.items()):
            if start == self.today.isoformat():
                now = datetime.combine(self.today, time(6, 10, 3 * number), self.zone)
                acts.append((now, "phone", ["define", habit, *(options or ["--preset", habit])]))
        for when, words in SCENES.items():
            if when.startswith(self.today.isoformat()):
                acts.append((datetime.fromisoformat(when).replace(tzinfo=self.zone), "phone", words))
        batches = {}
        for at, writer, event in sorted(self.entries, key=lambda entry: entry[0]):
            if at < END:
                batches.setdefault((writer, writer == "phone" and at.hour // 12), []).append((at, event))
        for (writer, _), batch in batches.items():
            now = batch[-1][0] + timedelta(seconds=self.chance.randint(4, 55))
            acts.append((now, writer, [event for _, event in batch]))
        return sorted(acts, key=lambda act: act[0])

    def record(self, ledger):
        """Writes the day; where cron did not open it, its first command or batch does."""
        ledger.chance.seed(f"ids {self.today}")
        is_open = self.today == FIRST
        for now, writer, act in self.acts():
            if isinstance(act[0], str):
                if not is_open and act != ["day"]:
                    ledger.run(now - timedelta(seconds=1), writer, ["day"])
                ledger.command(now, writer, act)
            else:
                ledger.append(now, writer, act if is_open else self.opening(now) + act)
            is_open = True

    def opening(self, now):
        """The `day.changed` at the head of the day's first batch, and the day lost over the date line."""
        day, lost = self.today.isoformat(), LOST_DAY.isoformat()
        lines = [{"type": "day.changed", "at": now, "day": day, "zone": self.zone.key, "to": day}]
        if self.today - timedelta(1) == LOST_DAY:
            lines.append({"type": "days.excused", "at": now, "from": lost, "to": lost, "reason": "zone"})
        return lines


def main(binary, folder):
    folder = Path(folder)
    if any(folder.glob("*.jsonl")):
        sys.exit(f"{folder} already holds a ledger")
    ledger, owed = Ledger(binary, folder), {}
    ledger.chance.seed("init")
    opened = datetime.combine(FIRST, time(6, 8, 30), ZoneInfo("Europe/Berlin"))
    ledger.run(opened, "phone", ["init", "--zone", "Europe/Berlin"])
    today = FIRST
    while today <= END.date():
        if today != LOST_DAY:
            day = Day(today, owed)
            day.lives()
            day.record(ledger)
        today += timedelta(1)
    (folder / ".lock").unlink(missing_ok=True)
    written = {json.loads(line)["id"] for segment in folder.glob("*.jsonl") for line in segment.open(encoding="utf-8")}
    if strays := written - ledger.made:
        sys.exit(f"{len(strays)} events with an id of the store's own, such as {min(strays)}: not the same on every run")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: make-sample.py STREAKS_BINARY FOLDER")
    main(*sys.argv[1:])
