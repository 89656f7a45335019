"""What happens in the life of the sample ledger: the tables that `make-sample.py` follows."""

from datetime import date, datetime
from zoneinfo import ZoneInfo

FIRST, END = date(2024, 9, 20), datetime(2025, 11, 20, 18, 30, tzinfo=ZoneInfo("Europe/Berlin"))
MORE = date(2025, 9, 1)  # habits by the week and by amounts begin, and those of before are asked for on their days
NIGHT = date(2025, 10, 1)  # from here on a day ends at four in the morning
LOST_DAY = "2025-03-15"  # over the date line, between Honolulu and Tokyo
STOPS = {"2024-09-20": "Europe/Berlin", "2025-03-08": "Pacific/Honolulu", "2025-03-16": "Asia/Tokyo",
         "2025-03-26": "Europe/Berlin"}  # where the person wakes up from that day on
VACATION, TRIP, FLU = "2025-08-04/2025-08-17", "2025-03-07/2025-03-25", "2025-02-10/2025-02-17"

HABITS = {  # from that day on: HABIT PRESET NAME
    "2024-09-20": ["meditation meditation Meditation", "noalc noalc NoAlc", "workout workout Workout",
                   "mood awareness Mood", "water activity-tracker Water",
                   "morning_ritual morning_ritual Morning ritual",
                   "evening_reflection evening_reflection Evening reflection",
                   "daily_complete daily_complete Whole day"],
    "2024-10-01": ["chess game Chess puzzle"], "2025-01-01": ["dry-january noalc-strict Dry January"],
    "2024-10-07": ["strength strength Strength", "cardio cardio Cardio", "activity activity Active day"],
    "2025-01-06": ["inner-critic saboteur-awareness Inner critic"],
    "2025-02-01": ["doomscrolling saboteur-avoidance No doomscrolling"],
    "2025-09-01": ["gym gym Gym", "reading reading Reading", "coffee coffee Coffee"],
}
START = {line.split()[0]: day for day, lines in HABITS.items() for line in lines}
DRINKS = {  # every evening with two drinks or more, as DAY:DRINKS
    "2024-09": "26:3", "2024-10": "12:4", "2024-11": "09:7 16:2", "2025-01": "18:7 25:2", "2025-02": "22:3",
    "2024-12": "05:3 06:4 12:2 13:6 14:3 20:4 24:2 25:3 26:2 31:6", "2025-03": "20:3", "2025-04": "19:2",
    "2025-05": "01:3 17:4 29:3", "2025-06": "14:8", "2025-07": "09:3 10:4 11:2 12:7 13:3", "2025-08": "30:3",
    "2025-09": "19:5 20:6 21:4 22:3 23:2", "2025-10": "03:2 18:3 21:3 22:2", "2025-11": "15:2",
}
MISSED = {  # not done, whatever chance says
    "meditation": ["2024-11-18/2024-11-21", "2025-02-16", "2025-06-21", "2025-09-21", "2025-10-12"],
    "strength": [FLU], "cardio": [FLU, "2025-11-03/2025-11-04"], "evening_reflection": ["2025-11-02"],
    "workout": [FLU, "2025-04-28/2025-05-02", "2025-10-01/2025-10-05", "2025-10-25", "2025-11-08"],
    "mood": ["2025-03-07", "2025-05-01/2025-05-05"], "morning_ritual": ["2025-10-26/2025-10-27"],
    "doomscrolling": ["2025-04-01/2025-06-30", "2025-10-17/2025-11-11"],
    "gym": ["2025-10-13/2025-10-17"], "reading": ["2025-09-20/2025-09-23", "2025-10-22"],
}
KEPT = {  # spans that chance leaves alone
    "meditation": ["2025-10-01/2025-11-20"], "workout": ["2025-05-03/2025-05-20", "2025-10-06/2025-11-20"],
    "mood": ["2025-05-06/2025-06-10", "2025-10-20/2025-11-20"],
    "noalc": ["2025-01-18", "2025-03-14", "2025-09-15/2025-11-20"],
    "morning_ritual": ["2025-10-20/2025-11-12"], "evening_reflection": ["2025-03-14", "2025-10-20/2025-11-12"],
}
ILL = ["--habit", "workout", "--habit", "strength", "--habit", "cardio"]
SCENES = {  # commands typed by hand; {HABIT DAY} is the id of that day's first entry
    "2025-01-01T11:05": ["define", "meditation", "--preset", "meditation", "--name", "Meditation",
                         "--rule", '{"kind":"minutes","atLeast":10}'],
    "2025-01-31T22:58": ["define", "dry-january", "--retire"],
    "2025-02-11T12:30": ["excuse", "2025-02-10", "2025-02-14", "--reason", "flu", *ILL],
    "2025-02-15T13:10": ["excuse", "2025-02-15", "2025-02-17", "--reason", "still the flu", *ILL],
    "2025-02-20T20:15": ["log", "meditation", "15m", "--on", "2025-02-16", "--note", "found it on the timer"],
    "2025-06-03T12:40": ["delete", "{mood 2025-05-10}", "--reason", "that was a test of the widget"],
    "2025-09-01T06:11": ["define", "strength", "--schedule", "mon,wed,fri"],
    "2025-09-01T06:12": ["define", "water", "--preset", "water"],
    "2025-10-01T06:05": ["day", "--starts", "04:00"],
    "2025-08-03T19:45": ["excuse", "2025-08-04", "2025-08-17", "--reason", "vacation on Usedom"],
    "2025-11-04T12:07": ["log", "noalc", "3drinks", "--replaces", "{noalc 2025-10-08}",
                         "--note", "Lena's birthday, three glasses of wine"],
}
MOODS = ["calm", "calm", "content", "content", "curious", "tired", "tired", "tense", "cheerful", "low", "grateful"]
CRITICS = ["judge", "judge", "controller", "hyper-achiever", "pleaser", "avoider", "restless", "stickler"]
NOTES = {  # for any day, or for the one named
    "meditation": ["rain on the roof", "counted breaths", "restless, stayed anyway", "on the balcony", "half asleep"],
    "workout": ["shoulders", "hips and back", "with Jonas", "rings in the park", "slow but done"],
    "mood": ["long talk with Lena", "slept badly", "deadline behind me", "first sun in days", "read past my stop"],
    "evening_reflection": ["three good things", "two pages"], "strength": ["deadlifts", "new kettlebell", "squats"],
    "chess": ["back-rank mate", "missed the fork", "knight sacrifice", "endgame with pawns"],
    "cardio": ["Tempelhofer Feld", "along the canal", "cold wind", "easy pace", "headwind all the way"],
    "inner-critic": ["in the stand-up", "before the review", "rewrote one mail five times", "caught it early"],
    "doomscrolling": ["news until midnight", "elections"], "cardio 2025-04-06": ["Berlin half marathon"],
    "noalc 2024-11-09": ["Jonas turns forty"], "noalc 2024-12-31": ["fireworks"], "noalc 2025-01-18": ["a wedding"],
    "gym": ["new programme", "with Jonas", "crowded", "an hour of climbing"],
    "reading": ["could not stop", "on the train", "the translator's afterword"], "coffee": ["espresso", "with Lena"],
    "noalc 2025-06-14": ["garden party"], "noalc 2025-07-12": ["Lisbon"], "noalc 2025-09-20": ["Oktoberfest"],
    "noalc 2025-10-21": ["conference dinner"], "noalc 2025-10-22": ["last night of the conference"],
    "meditation 2025-03-08": ["first light in Waikiki"], "meditation 2025-03-16": ["Tokyo, jet lag"],
}
PACES = {"running": 5.7, "cycling": 2.9, "hiking": 13, "walking": 11, "swimming": 24}  # minutes per km
WAYS = {"running": (4, 11), "cycling": (15, 60), "hiking": (6, 16), "walking": (3, 8), "swimming": (0.8, 2)}  # km
