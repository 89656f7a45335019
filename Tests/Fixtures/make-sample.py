#!/usr/bin/env python3
"""Make the sample ledger: fourteen months of one life in Berlin, written by the tool itself.

    make-sample.py STREAKS_BINARY FOLDER

Two writers take turns, a phone and a laptop. Chance is seeded by the day, so every run writes the same bytes, and a
change to one day leaves the others as they are. What must happen stands in `sample_life.py`; chance fills in the rest.
"""

import json
import random
import subprocess
import sys
import uuid
from datetime import date, datetime, time, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

from sample_life import (CRITICS, DRINKS, END, FIRST, HABITS, KEPT, LOST_DAY, MISSED, MOODS, MORE, NIGHT, NOTES, PACES,
                         SCENES, START, STOPS, TRIP, VACATION, WAYS)

# The laptop has the name that the tool derives where nobody gives one.
LAPTOP = "annas-laptop-3fa2c1"


def holds(spans, day):
    """Whether one of the spans, `FROM/TO` or a single day, contains the day."""
    return any(span[:10] <= str(day) <= span[-10:] for span in spans)


def day_of(at):
    """The day that a time of day belongs to."""
    shifted = at - timedelta(hours=4)
    return shifted.date() if shifted.date() >= NIGHT else at.date()


def zone_of(day):
    return ZoneInfo([zone for start, zone in STOPS.items() if start <= str(day)][-1])


class Ledger:
    """The folder, written through the tool only."""

    def __init__(self, binary, folder):
        self.binary, self.folder = binary, folder
        self.ids, self.made = {}, set()  # "HABIT DAY" -> the id of the day's first entry; all ids
        self.chance = random.Random()

    def new_id(self, at):
        """A UUIDv7: the event's own time, and seeded bits where a store would take random ones."""
        bits = int(at.timestamp() * 1000) << 80 | self.chance.getrandbits(80)
        bits = bits & ~(0xF << 76) & ~(0x3 << 62) | 0x7 << 76 | 0x2 << 62
        self.made.add(name := str(uuid.UUID(int=bits)))
        return name

    def run(self, now, writer, words, lines=()):
        """One call of the tool at that time, with `{HABIT DAY}` replaced by an id; what it writes gets an id here."""
        words = [self.ids.get(word[1:-1], word) for word in words]
        command = [self.binary, *words, "--events", str(self.folder), "--now", now.isoformat(), "--writer", writer]
        if words[0] != "append":
            command += ["--id", name := self.new_id(now)]
        text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
        done = subprocess.run(command, input=text, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"{' '.join(command)}\n{text}{done.stderr}exit {done.returncode}")

    def append(self, now, writer, events):
        """A batch; every event gets its id."""
        for event in events:
            at = event["at"]
            event |= {"at": at.isoformat(), "id": self.new_id(at)}
            self.ids.setdefault(f"{event.get('habit')} {event.get('day', at.date())}", event["id"])
        self.run(now, writer, ["append"], events)


class Day:
    """One day of the person's life: its entries, then the batches that record them."""

    def __init__(self, today, owed):
        self.today, self.owed, self.chance = today, owed, random.Random(f"streaks {today}")
        self.zone, self.is_weekend = zone_of(today), today.weekday() >= 5
        self.is_home = not holds([TRIP, VACATION], today)
        self.is_vacation = holds([VACATION], today)
        self.entries = owed.pop(today, [])  # (when, writer, event), late ones of the day before first

    def rolls(self, probability):
        return self.chance.random() < probability

    def does(self, habit, probability):
        """Whether the habit is kept today: the tables first, then chance; a vacation is lazy."""
        if str(self.today) < START[habit] or holds(MISSED.get(habit, []), self.today):
            return False
        return holds(KEPT.get(habit, []), self.today) or self.rolls(probability * (0.45 if self.is_vacation else 1))

    def clock(self, hour, minute, spread, day=None):
        """A time of day, give or take some minutes."""
        shift = timedelta(seconds=self.chance.randint(-spread * 60, spread * 60))
        return datetime.combine(day or self.today, time(hour, minute), zone_of(day or self.today)) + shift

    def log(self, habit, at, writer="phone", noted=0.05, on=None, **fields):
        """One entry, now and then with a note; `on` is the day it counts for, if not the day of `at`."""
        event = {"type": "entry.logged", "at": at, "habit": habit, **fields}
        if on and on != day_of(at):
            event["day"] = on.isoformat()
        if notes := NOTES.get(f"{habit} {on or self.today}") or self.rolls(noted) and NOTES.get(habit):
            event["note"] = self.chance.choice(notes)
        stack = self.entries if day_of(at) == self.today else self.owed.setdefault(day_of(at), [])
        stack.append((at, writer if self.is_home else "phone", event))

    def mornings(self):
        hour = 8 if self.is_weekend or self.is_vacation else 6
        if self.does("morning_ritual", 0.955):
            self.log("morning_ritual", self.clock(hour, 42, 14), completed=not self.rolls(0.01))
        if self.does("meditation", 0.975):
            low, high = (2, 8) if self.today < date(2025, 1, 1) else (10, 14 + (self.today - FIRST).days // 40)
            minutes, at = self.chance.randint(low, high), self.clock(hour + 1, 20, 18)
            if minutes > 10 and self.rolls(0.07):  # in two sittings
                self.log("meditation", self.clock(18, 20, 30), minutes=minutes - 6, noted=0.2)
                minutes = 6
            self.log("meditation", at, minutes=1.5 if self.today == date(2024, 10, 16) else minutes)
        for hour in (9, 13, 16, 20):
            if self.rolls(0.42 if self.is_home else 0.25):
                at, glass = self.clock(hour, 30, 50), self.chance.choice(["0.3 l", "0.5 l", "0.7 l"])
                water = {"value": glass} if self.today < MORE else {"amount": float(glass[:3])}
                self.log("water", at, **water)

    def movement(self):
        if self.does("workout", 0.9):
            minutes = self.chance.choice([8, 10, 12, 15, 15, 20, 25, 30]) + self.is_weekend * 10
            self.log("workout", self.clock(9 if self.is_weekend else 7, 50, 15), minutes=minutes)
        if (weekday := self.today.weekday()) in (0, 2, 4) and self.is_home and self.does("strength", 0.88):
            self.log("strength", self.clock(18, 40, 35), activity="strength", sets=self.chance.randint(4, 9),
                     minutes=self.chance.randint(30, 60), noted=0.1)
        if self.does("cardio", {1: 0.85, 3: 0.8, 5: 0.85, 6: 0.75}.get(weekday, 0.12 if self.is_home else 0.6)):
            self.cardio(weekday)

    def cardio(self, weekday):
        """Runs in the week, something longer on Saturday, yoga or a walk on Sunday."""
        at = self.clock(11 if self.is_weekend else 19, 15, 40)
        kinds = {5: ["cycling", "hiking", "running"], 6: ["yoga", "yoga", "walking"]}.get(weekday, ["running"])
        kind = self.chance.choice(kinds if self.is_home else ["swimming", "hiking", "walking"])
        if self.today == date(2025, 4, 6):
            return self.log("cardio", at, activity="running", km=21.098, minutes=117)
        if kind == "yoga":
            return self.log("cardio", at, activity=kind, minutes=self.chance.choice([20, 30, 45, 60]), noted=0)
        km = round(self.chance.uniform(*WAYS[kind]), 1)
        minutes = round(km * PACES[kind] * self.chance.uniform(0.95, 1.1))
        self.log("cardio", at, activity=kind, km=km, minutes=minutes, noted=0.15 * self.is_home)

    def desk(self):
        if not self.is_vacation and self.does("chess", 0.97):
            at = self.clock(12, 50, 25)
            is_solved = self.today != date(2025, 11, 3) and not self.rolls(0.045)
            self.log("chess", at, LAPTOP, completed=is_solved, by="lichess")
            if not is_solved and self.today != date(2025, 11, 3) and self.rolls(0.4):
                self.log("chess", at + timedelta(minutes=6), LAPTOP, completed=True, by="lichess")
        if self.does("inner-critic", 0.88):
            self.log("inner-critic", self.clock(16, 10, 80), LAPTOP, value=self.chance.choice(CRITICS), noted=0.1)
        if not self.is_vacation and self.does("doomscrolling", 0.05):
            self.log("doomscrolling", self.clock(22, 20, 20), LAPTOP, 0.5, minutes=self.chance.randint(25, 90))

    def evenings(self):
        drinks = next((int(each[3:]) for each in DRINKS.get(f"{self.today:%Y-%m}", "").split()
                       if int(each[:2]) == self.today.day), int(self.rolls(0.13)))
        level = "steady" if drinks < 2 else "easy" if drinks < 6 else "wild"
        is_flying = str(self.today) == "2025-03-07"
        is_late = is_flying or self.rolls(0.025) and not holds(KEPT["noalc"], self.today)
        at = self.clock(8, 5, 20, self.today + timedelta(1)) if is_late else self.clock(22, 12, 25)
        facts = {"level": level} if self.rolls(0.6) and drinks < 2 else {"drinks": drinks, "level": level}
        if self.does("noalc", 1):
            self.log("noalc", at, on=self.today, **facts)
        if date(2025, 1, 1) <= self.today <= date(2025, 1, 31):
            self.log("dry-january", at + timedelta(seconds=20), on=self.today, **facts)
        if self.does("mood", 0.94):
            self.log("mood", self.clock(21, 10, 40), value=self.chance.choice(MOODS), noted=0.12)
        if self.does("evening_reflection", 0.93):
            is_kept = holds(KEPT["evening_reflection"], self.today)
            is_late = is_flying or self.today == date(2025, 11, 3) or not is_kept and self.rolls(0.06)
            at = self.clock(7, 40, 15, self.today + timedelta(1)) if is_late else self.clock(22, 28, 14)
            self.log("evening_reflection", at, on=self.today, completed=not self.rolls(0.012), noted=0.08)

    def more(self):
        """The habits of the last months, after everything else, so that the chance of the days before stays."""
        if self.today < MORE:
            return
        for hour in (7, 11, 15, 18):
            if self.rolls(0.8):
                self.log("water", self.clock(hour, 50, 25), amount=0.5, noted=0)
        if self.does("gym", {1: 0.9, 3: 0.85, 5: 0.9, 6: 0.25}.get(self.today.weekday(), 0.1)):
            self.log("gym", self.clock(12 if self.is_weekend else 17, 30, 30), activity="gym", noted=0.1,
                     minutes=self.chance.choice([45, 50, 60, 60, 75, 90]))
        if self.does("reading", 0.95):
            pages = self.chance.choice([12, 20, 22, 25, 30, 34, 41])
            for at, part in [(self.clock(8, 25, 8), 8), (self.clock(22, 55, 25), pages - 8 + 8 * self.rolls(0.4))]:
                self.log("reading", at, amount=part, noted=0.1)
        for at in (self.clock(7, 20, 15), self.clock(10, 40, 30), self.clock(15, 5, 30))[: 2 + self.rolls(0.15)]:
            if self.rolls(0.9):
                self.log("coffee", at, amount=1, noted=0.03)
        if NIGHT <= self.today and self.today.weekday() in (4, 5) and self.rolls(0.4):  # past midnight, and still today
            self.log("mood", self.clock(0, 50, 30, self.today + timedelta(1)), value="cheerful", noted=0.2)

    def acts(self):
        """What is written today, in order: (now, writer, the words of a command or the events of a batch)."""
        acts = []
        if self.is_home and not self.is_weekend and str(self.today) not in STOPS and self.rolls(0.35):  # cron
            hour = 0 if self.today <= NIGHT else 4
            acts.append((datetime.combine(self.today, time(hour, 5, 1), self.zone), LAPTOP, ["day"]))
        for number, habit in enumerate(HABITS.get(str(self.today), [])):
            habit, preset, name = habit.split(maxsplit=2)
            now = datetime.combine(self.today, time(6, 10, 3 * number), self.zone)
            acts.append((now, "phone", ["define", habit, "--preset", preset, "--name", name]))
        acts += [(datetime.fromisoformat(when).replace(tzinfo=self.zone), "phone", words)
                 for when, words in SCENES.items() if when.startswith(str(self.today))]
        batches = {}
        for at, writer, event in sorted(self.entries, key=lambda entry: entry[0]):
            if at < END:
                batches.setdefault((writer, at.date(), writer == "phone" and at.hour // 12), []).append((at, event))
        for (writer, *_), batch in batches.items():
            acts.append((batch[-1][0] + timedelta(seconds=27), writer, [event for _, event in batch]))
        return sorted(acts, key=lambda act: act[0])

    def record(self, ledger):
        """Writes the day; where cron did not open it, its first command or batch does."""
        ledger.chance.seed(f"ids {self.today}")
        is_open = self.today == FIRST
        for now, writer, act in self.acts():
            if isinstance(act[0], dict):
                ledger.append(now, writer, act if is_open else self.opening(now) + act)
            else:
                if not is_open and act != ["day"]:
                    ledger.run(now - timedelta(seconds=1), writer, ["day"])
                ledger.run(now, writer, act)
            is_open = True

    def opening(self, now):
        """The `day.changed` at the head of the first batch, and the day lost over the date line."""
        day = self.today.isoformat()
        lines = [{"type": "day.changed", "at": now, "day": day, "zone": self.zone.key, "to": day}]
        if str(self.today - timedelta(1)) == LOST_DAY:
            lines.append({"type": "days.excused", "at": now, "from": LOST_DAY, "to": LOST_DAY, "reason": "zone"})
        return lines


def main(binary, folder):
    if any(folder.glob("*.jsonl")):
        sys.exit(f"{folder} already holds a ledger")
    ledger, owed = Ledger(binary, folder), {}
    ledger.chance.seed("init")
    ledger.run(datetime.combine(FIRST, time(6, 8, 30), zone_of(FIRST)), "phone", ["init", "--zone", zone_of(FIRST).key])
    for number in range((END.date() - FIRST).days + 1):
        day = Day(FIRST + timedelta(number), owed)
        if str(day.today) != LOST_DAY:
            for part in (day.mornings, day.movement, day.desk, day.evenings, day.more):
                part()
            day.record(ledger)
    (folder / ".lock").unlink(missing_ok=True)
    segments = [segment.read_text(encoding="utf-8") for segment in folder.glob("*.jsonl")]
    written = {json.loads(line)["id"] for line in "".join(segments).splitlines()}
    assert written == ledger.made, "an event has an id of the store's own, which no second run would make"


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(sys.argv[1], Path(sys.argv[2]))
