"""What a crash may have left at the end of a segment, told apart from what counts (see docs/event-format.md)."""

import json

LINE_LIMIT = 65_536  # bytes; no event is longer


def torn_lines(read_from, size):
    """The lines at the end that do not count, the last one first; `read_from` gives the bytes from an offset on."""
    taken = 2 * LINE_LIMIT
    while True:
        start = max(0, size - taken)
        lines = read_from(start).split(b"\n")
        if start > 0:
            del lines[0]
        unended = lines.pop() if lines else b""
        if unended and is_followed(unended) is False:
            return []
        torn = [unended] if unended else []
        while lines and is_followed(lines[-1]):
            torn.append(lines.pop())
        if lines or start == 0:
            return torn
        taken *= 2


def is_followed(line):
    """Whether an event is followed by others of its batch; None for what is not an event."""
    try:
        event = json.loads(line)
    except ValueError:
        return None
    return event.get("more") is True if isinstance(event, dict) else None


def bytes_from(spark, status, start):
    """The bytes of a file of Hadoop's from an offset on."""
    stream = status.getPath().getFileSystem(spark._jsc.hadoopConfiguration()).open(status.getPath())
    try:
        stream.seek(start)
        return bytes(spark._jvm.org.apache.commons.io.IOUtils.toByteArray(stream))
    finally:
        stream.close()
