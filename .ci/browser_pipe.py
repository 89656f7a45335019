"""Drives headless Chromium over --remote-debugging-pipe; everything is found by its role and name, as people find it."""
import fcntl, json, os, select, shutil, signal, subprocess, time


def chromium():
    for name in ("chromium", "chromium-browser", "google-chrome", "chrome"):
        if found := shutil.which(name):
            return found
    if os.geteuid() == 0 and shutil.which("apt-get"):
        words = ["install", "-y", "chromium", "fonts-noto-color-emoji"]
        for step in (["update"], words):
            subprocess.run(["apt-get", *step], check=True, stdout=subprocess.DEVNULL)
        return shutil.which("chromium")
    raise SystemExit("no Chromium found; on Debian: apt-get install chromium")


class Browser:
    """A running Chromium with its own profile."""

    def __init__(self, profile, *options):
        # Chromium reads from its file descriptor 3 and writes to 4; the pipes get higher ones, so that none is overwritten.
        to_read, self.out, self.back, to_write = (fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10) for end in os.pipe() + os.pipe())
        arguments = [chromium(), "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--force-device-scale-factor=1",
                     "--user-data-dir=" + profile, "--remote-debugging-pipe", "--hide-scrollbars", "--window-size=1280,900", *options]
        script = f'exec "$@" 3<&{to_read} 4>&{to_write} {to_read}<&- {to_write}>&-'
        self.process = subprocess.Popen(["bash", "-c", script, "chromium", *arguments], pass_fds=(to_read, to_write),
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        os.close(to_read)
        os.close(to_write)
        self.buffer, self.number, self.events = b"", 0, []

    def kill(self):
        """Ends it as a power failure would, with all its processes."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        os.close(self.out)
        os.close(self.back)

    def close(self):
        self.call("Browser.close")
        self.process.wait(20)

    def call(self, method, session=None, seconds=60, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        os.write(self.out, json.dumps(message).encode() + b"\0")
        number = self.number
        while True:
            answer = self.receive(seconds)
            if answer is None:
                raise TimeoutError(method)
            if answer.get("id") == number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]
            self.events.append(answer)

    def receive(self, seconds):
        end = time.monotonic() + seconds
        while b"\0" not in self.buffer:
            if not select.select([self.back], [], [], max(0, end - time.monotonic()))[0]:
                return None
            piece = os.read(self.back, 1 << 20)
            if not piece:
                raise ConnectionError("Chromium has ended")
            self.buffer += piece
        line, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(line)

    def open(self, address, **size):
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        tab = Tab(self, session)
        for domain in ("Page", "Runtime", "DOM", "Accessibility", "Log", "Network"):
            tab.call(domain + ".enable")
        if size:
            tab.call("Emulation.setDeviceMetricsOverride", deviceScaleFactor=1, mobile=size["width"] < 600, **size)
        tab.go(address)
        return tab


class Tab:
    def __init__(self, browser, session):
        self.browser, self.session = browser, session

    def call(self, method, **parameters):
        return self.browser.call(method, self.session, **parameters)

    def go(self, address):
        self.call("Page.navigate", url=address)

    def run(self, script, **wait):
        """The value of a script, which may be a promise."""
        answer = self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True, **wait)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise RuntimeError(details.get("exception", {}).get("description", details["text"]))
        return answer["result"].get("value")

    def until(self, script, seconds=15):
        """Waits until a script is true."""
        end = time.monotonic() + seconds
        while True:
            try:
                if value := self.run(script):
                    return value
            except RuntimeError:
                pass
            if time.monotonic() > end:
                raise AssertionError(f"not within {seconds} s: {script}\n{self.text()}")
            time.sleep(0.02)

    def text(self):
        return self.run("document.body.innerText")

    def find_all(self, role, name=None, within=None):
        """The elements with a role and a name, as the accessibility tree has them."""
        root = within or self.call("Runtime.evaluate", expression="document")["result"]["objectId"]
        query = {"accessibleName": name} if name is not None else {}
        nodes = self.call("Accessibility.queryAXTree", objectId=root, role=role, **query)["nodes"]
        ids = [node["backendDOMNodeId"] for node in nodes if not node["ignored"]]
        return [self.call("DOM.resolveNode", backendNodeId=one)["object"]["objectId"] for one in ids]

    def find(self, role, name=None, within=None, seconds=15):
        end = time.monotonic() + seconds
        while not (found := self.find_all(role, name, within)):
            if time.monotonic() > end:
                raise AssertionError(f"there is no {role} “{name}”:\n{self.text()}")
            time.sleep(0.02)
        return found[0]

    def on(self, element, function, *arguments):
        values = [{"value": value} for value in arguments]
        answer = self.call("Runtime.callFunctionOn", objectId=element, functionDeclaration=function, arguments=values,
                           returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(str(answer["exceptionDetails"]))
        return answer["result"].get("value")

    def press(self, element):
        """Clicks with the mouse at the middle of an element; nothing may cover it."""
        self.on(element, "function () { this.scrollIntoView({ block: 'center' }) }")
        x, y = self.on(element, """function () {
            const box = this.getBoundingClientRect();
            return [box.x + box.width / 2, box.y + box.height / 2];
        }""")
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def tap(self, card, name):
        self.press(self.find("button", name, self.find("group", card)))

    def write(self, element, text):
        self.on(element, "function () { this.focus(); this.select?.() }")
        self.call("Input.insertText", text=text)

    def set(self, element, value):
        """Sets the value of a select or a date, as its picker does."""
        self.on(element, """function (value) {
            this.value = value;
            this.dispatchEvent(new Event("input", { bubbles: true }));
            this.dispatchEvent(new Event("change", { bubbles: true }));
        }""", value)

    def key(self, key, code=None, modifiers=0):
        codes = {"Tab": 9, "Enter": 13, " ": 32, "Escape": 27, "ArrowLeft": 37, "ArrowRight": 39, "z": 90}
        text = {"text": "\r"} if key == "Enter" else {"text": " "} if key == " " else {}
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=code or key, windowsVirtualKeyCode=codes[key],
                      modifiers=modifiers, **(text if kind == "keyDown" else {}))

    def answer(self, *words):
        """Waits until the answer has all of some words, and returns its text."""
        text = json.dumps(list(words))
        return self.until(f"(t => {text}.every(w => t.includes(w)) && !document.querySelector('dialog') && t)"
                          "(document.getElementById('answer-text').textContent)")

    def picture(self, path):
        import base64
        data = self.call("Page.captureScreenshot", format="png")["data"]
        open(path, "wb").write(base64.b64decode(data))

    def errors(self):
        """What the console has of errors, such as violations of the policy."""
        found = []
        for event in self.browser.events:
            parameters = event.get("params", {})
            if event.get("method") == "Runtime.exceptionThrown":
                details = parameters["exceptionDetails"]
                found.append(details.get("exception", {}).get("description", details["text"]))
            if event.get("method") == "Log.entryAdded" and parameters["entry"]["level"] == "error":
                found.append(parameters["entry"]["text"] + " " + parameters["entry"].get("url", ""))
        return found
