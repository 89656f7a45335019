#!/usr/bin/env python3
"""Fold the events of many subjects with Apache Spark, each part of them piped through `streaks fold --grouped`.

Reads JSON Lines of events, writes one state document a line into part files of a new folder. What the states say is
decided by `streaks` alone; Spark only brings the events of each subject together and into the order of the stream.
"""

import argparse
import functools
import hashlib
import json
import re
import shlex
import sys

from segment_end import bytes_from, torn_lines

FAILED = "streaks-fold-failed"  # what a worker's failure is found by among Spark's own words


class Refusal(Exception):
    """Ends the program: a sentence for a person, and the exit code, as docs/recipes.md has them."""

    def __init__(self, status, says):
        super().__init__(says)
        self.status = status


def main():
    arguments = parse(sys.argv[1:])
    try:
        spark = start(arguments.master)
        try:
            fold(spark, arguments)
        finally:
            spark.stop()
    except Refusal as refusal:
        print(f"spark_fold: {refusal}", file=sys.stderr)
        return refusal.status
    return 0


def parse(words):
    parser = argparse.ArgumentParser(
        description=__doc__.split("\n\n")[0], formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="example: spark_fold.py --out states/2025-11-20 --on 2025-11-20 events/*.jsonl\n\n"
               "exit codes: 0 done, 2 usage, 3 bad data, 5 not written; every message says which input is meant")
    parser.add_argument("input", nargs="+", 
                        help="a file, a folder of *.jsonl files, or a pattern; on any file system of Hadoop")
    parser.add_argument("--out", required=True, metavar="FOLDER", help="a new folder for the state documents")
    parser.add_argument("--streaks", default="streaks", metavar="PROGRAM",
                        help="the program as the workers find it (default: streaks, on their PATH)")
    parser.add_argument("--on", metavar="DAY",
                        help="the day to see every state from (default: each subject's own today)")
    parser.add_argument("--partitions", type=positive, metavar="N",
                        help="into how many parts the subjects go (default: 4 for each core)")
    parser.add_argument("--master", metavar="URL", help="where Spark runs, such as local[2] or spark://host:7077 "
                                                        "(default: what spark-submit says, else this machine)")
    parser.add_argument("--stream", action="store_true",
                        help="the files are no segments but cut from a stream, so that the rest of a batch may stand "
                             "elsewhere: do not leave out unfinished batches")
    return parser.parse_args(words)


def positive(text):
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1 on")
    return int(text)


def start(master):
    try:
        from pyspark.sql import SparkSession
    except ImportError:
        raise Refusal(5, "no PySpark here: `pip install pyspark` (4.0 or later; it needs Java 17), "
                         "or run this with spark-submit")
    builder = SparkSession.builder.appName("streaks fold")
    if master:
        builder = builder.master(master)
    if not sys.stderr.isatty():
        builder = builder.config("spark.ui.showConsoleProgress", "false")
    try:
        spark = builder.getOrCreate()
    except Exception as error:
        raise Refusal(5, f"Spark does not start (is there a Java 17, and does --master exist?): {first_line(error)}")
    spark.sparkContext.setLogLevel("ERROR")
    return spark


def fold(spark, arguments):
    context = spark.sparkContext
    command = fold_command(arguments)
    refuse_existing(spark, arguments.out)
    files = input_files(spark, arguments.input)
    try_program(context, command, arguments)

    lines = read(spark, files)
    if not arguments.stream:
        lines = leave_out_torn(spark, lines, files)
    count = survey(spark, lines)
    documents = (in_stream_order(lines, arguments.partitions or 4 * context.defaultParallelism)
                 .rdd.mapPartitions(once_each)
                 .pipe(command, checkCode=True)
                 .mapPartitions(documents_only))
    try:
        documents.saveAsTextFile(arguments.out)
    except Exception as error:
        if "FileAlreadyExistsException" not in str(error):  # else it is somebody else's who was quicker
            path, files = hadoop(spark, arguments.out)
            files.delete(path, True)
        raise explained(error)
    print(f"spark_fold: {count} lines read, the states are in {arguments.out}", file=sys.stderr)


def fold_command(arguments):
    """The command of each part. What it says on standard error travels with its output, else it would stay in a
    worker's log that nobody has open."""
    words = [arguments.streaks, "fold", "--grouped"] + (["--on", arguments.on] if arguments.on else [])
    return shlex.join(["sh", "-c", "exec " + shlex.join(words) + " 2>&1"])


def hadoop(spark, text):
    try:
        path = spark._jvm.org.apache.hadoop.fs.Path(text)
        return path, path.getFileSystem(spark._jsc.hadoopConfiguration())
    except Exception as error:
        cause = first_line(getattr(error, "java_exception", error))
        raise Refusal(2, f"{text}: no file system can be reached there: {cause}")


def refuse_existing(spark, folder):
    path, files = hadoop(spark, folder)
    if files.exists(path):
        raise Refusal(2, f"{folder} is there already; nothing is written over: name a new folder with --out")


def input_files(spark, inputs):
    """The status of every file that is meant, in Hadoop's terms; a file that two inputs mean is read once."""
    found = {}
    for text in inputs:
        path, files = hadoop(spark, text)
        matches = files.globStatus(path)
        if not matches:
            raise Refusal(2, f"{text}: no such file or folder")
        for match in matches:
            if match.isDirectory():
                members = [each for each in files.listStatus(match.getPath()) if is_segment(each)]
            else:
                members = [match]
            if not members:
                raise Refusal(2, f"{text}: there is no .jsonl file in it")
            found.update((member.getPath().toUri().toString(), member) for member in members)
    return found


def is_segment(file):
    name = file.getPath().getName()
    return file.isFile() and name.endswith((".jsonl", ".jsonl.gz")) and not name.startswith(".")


def try_program(context, command, arguments):
    """Folds nothing on one worker, so that a missing program or a wrong day is told of before anything is read."""
    try:
        said = context.parallelize([], 1).pipe(command, checkCode=True).mapPartitions(documents_only).collect()
    except Exception as error:
        raise explained(error, arguments.streaks)
    if said:
        raise Refusal(5, f"{arguments.streaks} is another program: it answers an empty input with {said[0][:80]}")


def read(spark, files):
    """Each line with its file and the fields that order it; what is no JSON object has none."""
    from pyspark.sql import functions as F
    fields = "id string, recorded string, subject string"
    return (spark.read.option("lineSep", "\n").text([as_pattern(status.getPath()) for status in files.values()])
            .select("value", F.col("_metadata.file_path").alias("file"))
            .withColumn("event", F.from_json("value", fields))
            .select("value", "file", "event.*"))


def as_pattern(path):
    """A path with the signs escaped that would make it a pattern, or several."""
    return re.sub(r"([\\{}\[\]*?,])", r"\\\1", path.toString())


def leave_out_torn(spark, lines, files):
    """Leaves out what a crash left at the end of a segment, as every reader does: half a line, half a batch."""
    from pyspark.sql import functions as F
    for name, status in files.items():
        read_from = functools.partial(bytes_from, spark, status)
        torn = [] if name.endswith(".gz") else torn_lines(read_from, status.getLen())
        if not torn:
            continue
        lines_were = "line was" if len(torn) == 1 else f"{len(torn)} lines were"
        print(f"spark_fold: {status.getPath()}: the last {lines_were} never finished, left out", file=sys.stderr)
        # The column has a spelling of paths of its own.
        spelled = spark.read.text(as_pattern(status.getPath())).select("_metadata.file_path").first().file_path
        digests = [hashlib.sha256(line).hexdigest() for line in torn]
        lines = lines.where((F.col("file") != spelled) | ~F.sha2(F.col("value").cast("binary"), 256).isin(digests))
    return lines


def survey(spark, lines):
    """Counts the lines in one pass, and refuses a line that cannot be put in order."""
    from pyspark.sql import functions as F
    # A line that is no UTF-8 would be mended on its way to Python, and nobody would know.
    is_bad = (F.col("id").isNull() | ~F.col("recorded").rlike(r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$")
              | F.col("recorded").isNull() | ~F.is_valid_utf8("value"))
    found = lines.agg(
        F.count(F.lit(1)).alias("lines"),
        F.min(F.when(is_bad, F.struct("file", "value"))).alias("bad")).first()
    if found.bad:
        raise bad_line(spark, found.bad)
    return found.lines


def bad_line(spark, bad):
    """The refusal of a line with its number, counted in another pass over its file."""
    path = spark._jvm.org.apache.hadoop.fs.Path(spark._jvm.java.net.URI(bad.file))
    found = (spark.sparkContext.textFile(as_pattern(path)).zipWithIndex()
             .filter(lambda row: row[0] == bad.value).map(lambda row: row[1]).take(1))
    place = f"{path.toString().removeprefix('file:')}:" + (f"{found[0] + 1}:" if found else "")
    text = bad.value if len(bad.value) <= 200 else bad.value[:200] + "…"
    shown = "".join(sign if sign.isprintable() else sign.encode("unicode_escape").decode() for sign in text)
    return Refusal(3, f"{place} no event: one JSON object a line, in UTF-8, with `id` and `recorded` "
                      f"(as 2025-11-02T20:15:00.000000Z)\n  {shown}")


def in_stream_order(lines, partitions):
    """Distributes people by the hash of their ids. Within a part the lines are sorted by person, then in stream order.

    `recorded` has one form, so its texts are in the order of the times; ids are compared by bytes, as in the stream.
    The times of a batch are consecutive microseconds, so it stays together, as in the stream, unless another device
    recorded something in the same moment.
    """
    return (lines.repartition(partitions, "subject")
            .sortWithinPartitions("subject", "recorded", "id", "value")
            .select("subject", "id", "value"))


def once_each(rows):
    """The lines of a part; what says the same as an earlier line of its id is passed over, anything else `fold` judges.

    Raises nothing: it runs in the thread that feeds `fold`, and that thread's end would leave `fold` waiting for ever.
    """
    subject, seen = object(), {}
    for row in rows:
        if row.subject != subject:
            subject, seen = row.subject, {}
        if row.id in seen and fact(seen[row.id]) == fact(row.value):
            continue
        seen.setdefault(row.id, row.value)
        yield row.value


def fact(line):
    """What a line says, without where and when it was stored."""
    try:
        event = json.loads(line)
    except ValueError:
        return line
    return {name: value for name, value in event.items() if name not in ("recorded", "more")}


def documents_only(lines):
    """Passes state documents on; anything else was said on standard error, and the part fails with it."""
    said = []
    try:
        for line in lines:
            if line.startswith("{"):
                yield line
            else:
                said.append(line)
    except Exception as error:
        raise RuntimeError(f"{FAILED}<{chr(10).join(said) or error}>{FAILED}") from None
    if said:
        raise RuntimeError(f"{FAILED}<{chr(10).join(said)}>{FAILED}")


def explained(error, program=None):
    """What went wrong on the workers, in the words of `streaks` if it said any; with `program` before any input."""
    found = re.search(f"{FAILED}<(.*?)>{FAILED}", str(error), re.DOTALL)
    if found is None:
        return Refusal(5, f"Spark gave up, nothing is written: {first_line(error)}")
    said = found.group(1)
    if program and re.search("not found|No such file|Permission denied", said):
        return Refusal(5, f"a worker cannot run {program}: {said}\n  install it on all, or name it with --streaks")
    return Refusal(2, said) if program else Refusal(3, f"nothing is written, for in one of the sorted parts:\n{said}")


def first_line(error):
    return (str(error).strip().splitlines() or [type(error).__name__])[0]


if __name__ == "__main__":
    sys.exit(main())
