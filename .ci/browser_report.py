"""Compares what the page of `streaks report` shows in headless Chromium with `streaks replay --json`, for .ci/browser."""
import contextlib, json, os, re, shutil, subprocess, tempfile, time
from browser_pipe import Browser

NOW = "2025-11-20T20:00:00Z"
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def report_shows_what_replay_says(streaks, pictures=None):
    """Compares the report of the sample ledger, and writes pictures of it to a folder if there is one."""

    def run(*words):
        return subprocess.run([streaks, *words], check=True, capture_output=True, text=True, cwd=ROOT).stdout

    count = json.loads(run("replay", "--json"))["position"]
    lines = [json.loads(line) for line in run("timeline", "--json").splitlines()]
    ends = [0] + [line["position"] for line in lines if not line.get("more")]
    # There is a state only after a step.
    positions = sorted({min(end for end in ends if end >= part * count // 10) for part in range(11)} | set(ends[:3]))
    with tempfile.TemporaryDirectory() as folder:
        page = os.path.join(folder, "report.html")
        run("report", page, "--now", NOW)
        size = os.path.getsize(page)
        print(f"  {size / 1e6:.2f} MB for {count} events")
        assert size / count * 5000 < 2e6, "5,000 events would take more than 2 MB"
        with shown_page(page) as tab:
            tab.until("Boolean(page.slider)")
            assert not (errors := tab.errors()), errors
        shown = probe(page, positions)
        for position, one in zip(positions, shown["shown"]):
            compare(run, position, one, cut(run, position, folder))
        print(f"  {len(positions)} positions: state, cards, calendar, trend and book as `streaks` says")
        explain(run, shown["whys"])
        print("  {steps} steps: median {median:.1f} ms, 99 % {p99:.1f} ms, most {most:.1f} ms".format(**shown))
        if shown["p99"] > 16:
            print("  a step takes longer than a frame, 16 ms: is the machine busy?")
        for size, isCalm in [((1280, 900), False), ((390, 844), True)]:
            look = probe(page, [], size, isCalm)
            assert look["isCalm"] == isCalm, "the wish for less motion is not seen"
            print("  {window[0]}x{window[1]}: every answer legible, the bar at most 12 %".format(**look))
        if pictures:
            take_pictures(page, pictures)


@contextlib.contextmanager
def shown_page(page, size=(1280, 900), **features):
    """A tab on a file, with preferences such as `prefers-color-scheme`."""
    profile = tempfile.mkdtemp()
    browser = Browser(profile)
    try:
        tab = browser.open("about:blank", width=size[0], height=size[1])
        wishes = [{"name": name.replace("_", "-"), "value": value} for name, value in features.items()]
        tab.call("Emulation.setEmulatedMedia", features=wishes)
        tab.go("file://" + page)
        yield tab
    finally:
        browser.kill()
        shutil.rmtree(profile, ignore_errors=True)


def probe(page, positions, size=None, isCalm=False):
    """What browser_probe.js finds in the page: compared at positions, or looked at in a window of a size."""
    script = open(os.path.join(ROOT, ".ci", "browser_probe.js"), encoding="utf-8").read()
    states = open(os.path.join(ROOT, "Tests", "Fixtures", "page", "document.js"), encoding="utf-8").read()
    head = f"const positions = {json.dumps(positions)}; const looks = {json.dumps(size is not None)};"
    wishes = {"prefers_reduced_motion": "reduce"} if isCalm else {}
    with shown_page(page, size or (800, 600), **wishes) as tab:
        tab.until("Boolean(page.slider)")
        result = tab.run(f"{head}\n{states}\n{script}\nresult", seconds=300)
    assert not result["failures"], "\n".join(result["failures"][:10])
    assert not size or result["window"] == list(size), f"the window is {result['window']}"
    return result


def cut(run, position, folder):
    """The options that make any command read the ledger as it was after a position."""
    events = os.path.join(folder, "cut")
    shutil.rmtree(events, ignore_errors=True)
    os.makedirs(events)
    kept = {json.loads(line)["event"] for line in run("timeline", "--json", "--to", str(position)).splitlines()}
    source = os.environ.get("STREAKS_EVENTS", os.path.join(ROOT, "events"))
    for segment in os.listdir(source):
        if segment.endswith(".jsonl"):
            lines = open(os.path.join(source, segment), encoding="utf-8").read().splitlines()
            # A batch that the position lies in would be left out as unfinished.
            chosen = [line.replace('"more":true', '"mark":true') for line in lines if json.loads(line)["id"] in kept]
            open(os.path.join(events, segment), "w", encoding="utf-8").write("".join(line + "\n" for line in chosen))
    return "--events", events


BADGES = ("due", "may rest today", "done", "kept so far", "saved by a joker", "bad today", "retired")


def said_of(run, habit, position):
    """The run, jokers and remarks that `replay` says of a habit."""
    line = run("replay", "--habit", habit["habit"], "--at", str(position)).splitlines()[-1]
    parts = re.split(" {2,}", line.split(habit["name"], 1)[1].strip())
    length = parts.pop(0) if re.fullmatch(r"\d+ (day|week|month)s?", parts[0]) else ""
    jokers = parts.pop(0) if parts and re.fullmatch(r"[★☆]+\d*", parts[0]) else ""
    return length, jokers, parts[0].split(" · ") if parts else [""]


def compare(run, position, shown, cut):
    wanted = json.loads(run("replay", "--json", "--at", str(position)))
    del wanted["celebrations"]
    assert shown["state"] == wanted, f"at {position}: {json.dumps(shown['state'])}\nbut {json.dumps(wanted)}"
    said = {habit["habit"]: said_of(run, habit, position) for habit in wanted["habits"]}
    due = [habit for habit in wanted["habits"] if said[habit["habit"]][2][:1] == ["due"]]
    words = {0: "nothing is due", 1: "1 habit is due"}.get(len(due), f"{len(due)} habits are due")
    assert shown["due"] == words, (position, shown["due"], len(due))
    retired = [habit for habit in wanted["habits"] if habit["status"] == "retired"]
    sorted_habits = due + [habit for habit in wanted["habits"] if habit not in due + retired] + retired
    for habit, (name, length, jokers, badge) in zip(sorted_habits, shown["cards"], strict=True):
        run_words, stars, remarks = said[habit["habit"]]
        assert (name, length, jokers) == (habit["name"], run_words, stars), (position, name, length, jokers, said[habit["habit"]])
        assert badge == remarks[0] or not badge and remarks[0] not in BADGES, (position, name, badge, remarks)
    states = {habit["habit"]: habit for habit in wanted["habits"]}
    if not wanted["today"] or shown["chosen"] not in states:
        return
    month = shown["day"][:7]
    shown_days = {int(label.split()[0]): label.split(": ")[1].split(", ") for label in shown["calendar"]}
    for habit in [habit for habit in ("noalc", "workout", "meditation") if habit in states]:
        # Seen from its own last day a ledger cut at a position is what `calendar` shows of it.
        said = json.loads(run("calendar", habit, "--json", "--month", month, "--on", wanted["today"], *cut))["habits"][0]["days"]
        name = states[habit]["name"] + " "
        for one in said:
            words = next(words for words in shown_days[int(one["day"][-2:])] if words.startswith(name))
            assert words == name + verdict_words(one), (position, one, words)
    assert shown["weekdays"] == int(shown["good"]), (position, shown["weekdays"], shown["good"])
    book = states[shown["chosen"]]["jokers"]
    actions = [line.split()[1] for line in shown["book"]]
    for action in ("earned", "spent", "forfeited", "penalised"):
        assert actions.count(action) == book[action], (position, action, actions.count(action), book)


def explain(run, shown):
    """The events behind each number are those of `why`."""
    lists = 0
    timeline = map(json.loads, run("timeline", "--json", "--now", NOW).splitlines())
    places = {event["event"]: event["position"] for event in timeline}
    for habit, chains in shown["chains"]:
        state = next(one for one in json.loads(run("replay", "--json", "--now", NOW))["habits"] if one["habit"] == habit)
        # Why no run is left is asked of a habit that had one.
        numbers = [("current", state["current"] or state["longest"]), ("jokers.held", state["jokers"]["held"])]
        fields = [name for name, value in numbers if value]
        if state["status"] == "off":
            fields = []
        assert len(chains) == len(fields), (habit, fields, chains)
        for field, positions in zip(fields, chains):
            chain = json.loads(run("why", f"{habit}.{field}", "--json", "--now", NOW))["chain"]
            wanted = {places[step["event"]] for step in chain if "event" in step}
            assert positions and set(positions) <= wanted, (habit, field, positions, wanted)
            lists += 1
    print(f"  {lists} chains as `why` says")


def verdict_words(day):
    if day["verdict"] == "open":
        return "kept so far" if day["outcome"] == "good" else "open"
    lot = f" by joker {day['lot'].split('/')[-1]}" if "lot" in day else ""
    is_quiet = day["verdict"] == "excused" or day["verdict"] == "rest" and day["outcome"] in ("missed", "good")
    return day["verdict"] + lot + ("" if is_quiet or day["outcome"] == day["verdict"] else f" ({day['outcome']})")


def take_pictures(page, folder):
    """The page in light and dark, and two screens of a phone: its top, and its days."""
    os.makedirs(folder, exist_ok=True)
    looks = {"light": ((1280, 1180), "light", None), "dark": ((1280, 900), "dark", None),
             "phone": ((390, 844), "light", None), "phone-days": ((390, 844), "light", "year-part")}
    for name, (size, scheme, part) in looks.items():
        with shown_page(page + "#4848", size, prefers_color_scheme=scheme) as tab:
            tab.until("Boolean(page.slider)")
            if part:
                tab.run(f"byId({json.dumps(part)}).scrollIntoView()")
            time.sleep(0.5)
            picture = os.path.join(os.path.abspath(folder), f"report-{name}.png")
            tab.picture(picture)
        if shutil.which("pngquant"):
            subprocess.run(["pngquant", "--force", "--ext", ".png", "--strip", "48", picture], check=True)
