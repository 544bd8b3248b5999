"""A real browser without a window, driven through its own protocol."""

import json
import os
import shutil
import subprocess
import tempfile


def find():
    """The browser, or None."""
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if shutil.which(name):
            return shutil.which(name)
    return None


class Browser:
    """Speaks the DevTools protocol over two pipes: JSON ended by a zero."""

    def __init__(self, program):
        self.profile = tempfile.TemporaryDirectory(
            ignore_cleanup_errors=True)
        to_read, self.to = os.pipe()
        self.back, back_write = os.pipe()
        # The browser reads from descriptor 3 and writes to 4.
        self.process = subprocess.Popen(
            ["bash", "-c", f'exec "$@" 3<&{to_read} 4>&{back_write}', "bash",
             program, "--headless", "--no-sandbox", "--disable-gpu",
             "--disable-dev-shm-usage", "--no-first-run",
             "--disable-background-networking", "--disable-extensions",
             "--remote-debugging-pipe", f"--user-data-dir={self.profile.name}"],
            pass_fds=(to_read, back_write), stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(back_write)
        self.buffer = b""
        self.number = 0
        self.events = []
        target = self.call("Target.createTarget", url="about:blank")
        self.session = None
        self.session = self.call("Target.attachToTarget", flatten=True,
                                 targetId=target["targetId"])["sessionId"]
        for domain in ("Page", "Network", "Log", "Runtime"):
            self.call(domain + ".enable")

    def receive(self):
        while b"\0" not in self.buffer:
            part = os.read(self.back, 65536)
            if not part:
                raise RuntimeError("the browser has ended")
            self.buffer += part
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if getattr(self, "session", None):
            message["sessionId"] = self.session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.to, data):]
        while True:
            answer = self.receive()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def open(self, address):
        """Load a page, and wait until it has loaded."""
        self.events = []
        self.call("Page.navigate", url=address)
        while not any(e["method"] == "Page.loadEventFired"
                      for e in self.events):
            self.events.append(self.receive())

    def value(self, expression):
        """What a JavaScript expression gives in the page."""
        result = self.call("Runtime.evaluate", expression=expression,
                           returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in result, result
        return result["result"].get("value")

    def colors(self, scheme):
        """Prefer light or dark from now on."""
        self.call("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": scheme}])

    def width(self, pixels):
        """As if the window were that wide; None for what it was."""
        if pixels is None:
            self.call("Emulation.clearDeviceMetricsOverride")
        else:
            self.call("Emulation.setDeviceMetricsOverride", width=pixels,
                      height=900, deviceScaleFactor=1, mobile=pixels < 600)

    def requests(self):
        return [e["params"]["request"]["url"] for e in self.events
                if e["method"] == "Network.requestWillBeSent"]

    def complaints(self):
        """Messages of the console, and errors of any kind."""
        return [e for e in self.events if e["method"] in
                ("Log.entryAdded", "Runtime.consoleAPICalled",
                 "Runtime.exceptionThrown")]

    def close(self):
        os.close(self.to)
        try:
            self.process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.back)
        self.profile.cleanup()
