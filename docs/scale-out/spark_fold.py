#!/usr/bin/env python3
"""Fold the events of many subjects with Apache Spark, each part of them piped through `streaks fold --grouped`.

Reads JSON Lines of events, writes one state document a line into part files of a new folder. What the states say is
decided by `streaks` alone; Spark only brings the events of each subject together and into the order of the stream.
"""

import argparse
import dataclasses
import functools
import hashlib
import json
import re
import shlex
import sys
import tempfile

from segment_end import bytes_from, torn_lines

FAILED = "streaks-fold-failed"  # what a worker's failure is found by among Spark's own words
MISSING = "streaks-is-missing"  # what a worker says that has no program
BAD = "bad-line:"  # what a worker says of a bad line that ends the run
MOST_BAD = 1000  # the most bad lines that are listed; their people are all left out
LONGEST = 65_536  # bytes of a line
SUBJECT = r'"subject"\s*:\s*'  # within a text of JSON it would have backslashes
NAMED = SUBJECT + r'"([^"\\]+)"'  # whose a line is that cannot be read as JSON
LEFT_OUT = -1  # the number of lines of a person with a bad line, so that the next run folds the person again


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
        except Refusal:
            raise
        except Exception as error:
            raise explained(error)
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
    parser.add_argument("--out", required=True, metavar="FOLDER",
                        help="a new folder for the state documents; with --incremental, that of the runs before")
    parser.add_argument("--incremental", action="store_true",
                        help="fold only the people whose lines changed since the last run, and write them into "
                             "run=N in the folder")
    parser.add_argument("--allow-empty", action="store_true",
                        help="with --incremental: go on if there are no lines at all, which removes everybody")
    parser.add_argument("--bad", metavar="FILE",
                        help="leave out people with a bad line, and list these lines in FILE, with their places")
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
    arguments = parser.parse_args(words)
    if arguments.incremental and arguments.on:
        parser.error("--incremental does not go with --on: with another day every state is another one")
    return arguments


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
        raise Refusal(5, "Spark does not start (is there a Java 17, and do --master and all --files exist?): "
                         f"{cause(error)}")
    # What went wrong is said in one sentence at the end, not in pages of traces.
    spark.sparkContext.setLogLevel("OFF")
    return spark


def fold(spark, arguments):
    context = spark.sparkContext
    program = fold_command(arguments)
    partitions = arguments.partitions or 4 * context.defaultParallelism
    spark.conf.set("spark.sql.shuffle.partitions", partitions)
    runs = Runs(spark, arguments.out) if arguments.incremental else None
    if runs is None:
        refuse_existing(spark, arguments.out)
    if arguments.bad:
        refuse_unwritable(arguments.bad)
    files = input_files(spark, arguments.input)
    try_program(context, program, arguments)

    lines = read(spark, files)
    if not arguments.stream:
        lines = leave_out_torn(spark, lines, files)
    found = survey(lines)
    if found.bad and not arguments.bad:
        raise bad_line(spark, lines, found.bad[0])
    folded = without_people(lines, found.people) if found.bad else lines

    out, removed, gone = arguments.out, None, None
    counts = ""
    if runs:
        heads = heads_of(lines, version(context, arguments))
        heads.persist()
        changed = runs.changed(heads)
        people = {row.isRemoved: row["count"] for row in changed.groupBy("isRemoved").count().collect()}
        if not found.lines and not arguments.allow_empty:
            heads.unpersist()
            # A wrong path is more likely than that all people are gone.
            removal = f", so all people of run={runs.last} would be removed" if people else ""
            raise Refusal(2, f"no lines to read{removal}, and nothing is written: look at the path, or add --allow-empty")
        if not people:
            heads.unpersist()
            return report_unchanged(spark, arguments, lines, found, runs.last)
        folded = lines_of(folded, changed.where("not isRemoved"))
        removed = changed.where("isRemoved")
        whom = "people changed, with those left out" if arguments.bad else "people changed"
        counts = f", {whom}: {people.get(False, 0)}, removed: {people.get(True, 0)}"
        if found.nobodys_bad and True in people:
            # A bad line of no readable person may be one of theirs.
            gone, removed = removed, None
            counts = f", {whom}: {people.get(False, 0)}, not found, and with the state they had: {people[True]}"
        out = runs.next_folder

    parts = context.accumulator({}, PerPart())
    documents = (in_stream_order(folded, partitions)
                 .rdd.mapPartitions(once_each)
                 .pipe(program, checkCode=True)
                 .mapPartitionsWithIndex(functools.partial(states_only, parts, bool(arguments.bad))))
    if removed is not None:
        documents = documents.union(tombstones(removed))
    save(spark, documents, out, lines)

    rows = [row for part in parts.value.values() for row in part["bad"]]
    bad = [(row["subject"], row["text"], row["says"], None) for row in rows]
    if runs:
        runs.keep(heads, found.people | {row["subject"] for row in rows}, gone)
        heads.unpersist()  # another fold of this session would read them again, although the files have changed
    report(spark, arguments, lines, found, bad, parts.value)
    print(f"spark_fold: {counted(found.lines, 'line')} read{counts}, the states are in {out}", file=sys.stderr)


def report_unchanged(spark, arguments, lines, found, last):
    """Ends a run that writes nothing, because nobody changed."""
    report(spark, arguments, lines, found, [], {})
    why = "no lines of anybody, so no run is written" if last is None else f"nobody changed since run={last}"
    print(f"spark_fold: {counted(found.lines, 'line')} read, {why}", file=sys.stderr)


def refuse_unwritable(file):
    """Tries before anything is read whether the list of bad lines can be written, and holds no events."""
    try:
        with open(file, "a+b") as kept:
            kept.seek(0)
            holds_events = kept.read(6) == b'{"id":'
    except OSError as error:
        raise Refusal(2, f"--bad {file}: {error.strerror}; it is a file on the machine of the driver")
    if holds_events:
        raise Refusal(2, f"--bad {file}: it has events; name a file for the list after --bad")


def counted(count, noun):
    return f"{count} {noun}" if count == 1 else f"{count} {'entries' if noun == 'entry' else noun + 's'}"


def save(spark, documents, out, lines):
    try:
        documents.saveAsTextFile(out)
    except Exception as error:
        path, files = hadoop(spark, out)
        # If the folder is complete, another run was quicker and wrote it.
        is_others = "FileAlreadyExistsException" in str(error) or files.exists(hadoop(spark, f"{out}/_SUCCESS")[0])
        if not is_others:
            files.delete(path, True)
        found = re.search(f"{FAILED}<{BAD}(.*?)>{FAILED}", str(error), re.DOTALL)
        if found:
            row = json.loads(found.group(1))
            raise bad_line(spark, lines, (row["subject"], row["text"], row["says"], None))
        if is_others:
            raise Refusal(5, f"nothing is written: another run wrote {out} meanwhile; run this again")
        raise explained(error)


def bad_line(spark, lines, bad):
    """The end of a run by a bad line."""
    place = places(spark, lines, [bad])[0]
    return Refusal(3, f"{sentence(place)}\n  nothing is written; --bad goes on without the people with a bad line")


def report(spark, arguments, lines, found, refused, parts):
    """Says what was left out and what counts for nothing; lists the bad lines where --bad says."""
    if arguments.bad:
        listed = places(spark, lines, found.bad + refused)[:MOST_BAD]
        with open(arguments.bad, "w") as file:
            for place in listed:
                file.write(json.dumps(place | {"text": place["text"][:LONGEST]}, ensure_ascii=False) + "\n")
        # `fold` sees a line that came twice once, and it is listed twice.
        count = max(found.bad_count + len(refused), len(listed))
        lost = ", and their people are left out"
        if found.nobodys_bad:
            lost += f", {found.nobodys_bad} of them of no readable person, whose state may lack a line"
        if found.nobodys_bad == count:
            lost = " of no readable person; nobody is left out, and a state may lack a line"
        more = f", the first {MOST_BAD} are listed" if count > MOST_BAD else ""
        if count:
            print(f"spark_fold: {counted(count, 'bad line')}{lost}{more}: see {arguments.bad}", file=sys.stderr)
    if found.nobodys and all(subject for subject, *_ in refused):
        print(f"spark_fold: {counted(found.nobodys, 'event')} without a subject, folded as one person without an id",
              file=sys.stderr)
    undefined = sum(part["undefined"] for part in parts.values())
    if undefined:
        whose = " of the people folded" if arguments.incremental else ""
        print(f"spark_fold: {counted(undefined, 'entry')}{whose} of habits that were never defined; "
              "they count for nothing", file=sys.stderr)


def fold_command(arguments):
    """The command of each part. What it says on standard error travels with its output, else it would stay in a
    worker's log that nobody has open."""
    words = [arguments.streaks, "fold", "--grouped", "--bad", "-"]
    words += ["--on", arguments.on] if arguments.on else []
    return on_worker(arguments.streaks, words)


def on_worker(program, words):
    """A command for `pipe` that tells a missing program apart from what the program says."""
    is_there = f"command -v {shlex.quote(program)} >/dev/null || {{ echo {MISSING}; exit 127; }}"
    return shlex.join(["sh", "-c", f"{is_there}; exec {shlex.join(words)} 2>&1"])


def version(context, arguments):
    """The version of the program; another one may compute other states from the same lines."""
    command = on_worker(arguments.streaks, [arguments.streaks, "--version"])
    return context.parallelize([], 1).pipe(command).collect()[0]


def hadoop(spark, text):
    try:
        path = spark._jvm.org.apache.hadoop.fs.Path(text)
        return path, path.getFileSystem(spark._jsc.hadoopConfiguration())
    except Exception as error:
        cause = first_line(getattr(error, "java_exception", error))
        raise Refusal(2, f"{text}: no file system can be reached there: {cause}")


def refuse_existing(spark, folder):
    path, files = hadoop(spark, folder)
    if not files.exists(path):
        return
    is_complete = files.exists(hadoop(spark, f"{folder}/_SUCCESS")[0])
    if is_complete:
        raise Refusal(2, f"{folder} is there already; nothing is written over: name a new folder with --out")
    raise Refusal(2, f"{folder} is there already, without _SUCCESS: if a run ended there before it was done, "
                     "delete it, or name a new folder with --out")


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
        said = context.parallelize([], 1).pipe(command, checkCode=True).collect()
    except Exception:
        # What it said is in the output, which a failing part keeps to itself.
        said = context.parallelize([], 1).pipe(command).collect()
        if MISSING in said:
            raise missing(arguments.streaks)
        raise Refusal(2, "\n".join(said) or f"{arguments.streaks} is another program: it folds nothing")
    if len(said) != 1 or '"counts"' not in said[0]:
        raise Refusal(5, f"{arguments.streaks} is another program: it answers an empty input with {said[:1]}")


def missing(program="the program"):
    return Refusal(5, f"nothing is written: a worker cannot run {program}; install it on all workers, or send it with "
                      "--files and name it with --streaks ./streaks (with a local master give a full path: --files "
                      "puts nothing beside the workers)")


def read(spark, files):
    """Each line with its file and the fields that order it; what is no JSON object has none."""
    from pyspark.sql import functions as F
    fields = "id string, recorded string, subject string"
    # A line that was cut is no JSON, but often still says whose it is.
    said = F.nullif(F.regexp_extract("value", NAMED, 1), F.lit(""))
    return (spark.read.option("lineSep", "\n").text([as_pattern(status.getPath()) for status in files.values()])
            .select("value", F.col("_metadata.file_path").alias("file"))
            .where(F.trim(F.regexp_replace("value", r"\r$", "")) != "")
            .withColumn("event", F.from_json("value", fields))
            .select("value", "file", "event.id", "event.recorded",
                    F.coalesce("event.subject", F.when(F.col("event.id").isNull(), said)).alias("subject")))


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


def is_bad():
    """Whether a line cannot be put in order; one that is no UTF-8 would be mended on its way to Python."""
    from pyspark.sql import functions as F
    is_time = F.col("recorded").rlike(r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$")
    return (F.col("id").isNull() | F.col("recorded").isNull() | ~is_time | ~F.is_valid_utf8("value")
            | (F.octet_length("value") > LONGEST) | has_several_subjects() | has_wrong_subject())


def has_several_subjects():
    """Whether a line names its person more than once: two lines in one, or a field that came twice."""
    from pyspark.sql import functions as F
    return F.regexp_count("value", F.lit(SUBJECT)) > 1


def has_wrong_subject():
    """Whether there is a subject that is no id; Spark reads a number as a text, and null as no subject."""
    from pyspark.sql import functions as F
    is_id = F.coalesce(F.col("subject").rlike("^[A-Za-z0-9._:-]{1,64}$"), F.lit(True))
    return ~is_id | F.col("value").rlike(SUBJECT + r'[^"\s]')


def fault():
    """What is wrong with a line that cannot be put in order."""
    from pyspark.sql import functions as F
    time = "a time in UTC with exactly 6 decimals, such as 2025-11-03T20:15:00.000000Z"
    return (F.when(~F.is_valid_utf8("value"), "no UTF-8")
            .when(F.octet_length("value") > LONGEST, f"longer than {LONGEST} bytes")
            .when(F.json_object_keys("value").isNull(), "no JSON object")
            .when(has_several_subjects(), "two objects in one line, or two subjects in one object")
            .when(has_wrong_subject(), "\"subject\" must be text, 1 to 64 of A-Z a-z 0-9 . _ : -")
            .when(F.col("id").isNull(), "no `id`, which is a text")
            .when(F.col("recorded").isNull(), f"no `recorded`, which is {time}")
            .otherwise(F.concat(F.lit('"recorded" is "'), "recorded", F.lit(f'"; it must be {time}'))))


@dataclasses.dataclass
class Survey:
    """How many lines there are, and those that cannot be put in order, of which the first ones are listed."""
    lines: int
    nobodys: int
    bad_count: int
    nobodys_bad: int
    bad: list
    people: set


def survey(lines):
    from pyspark.sql import functions as F
    found = lines.agg(
        F.count(F.lit(1)).alias("lines"), F.count_if(F.col("subject").isNull() & ~is_bad()).alias("nobodys"),
        F.count_if(F.col("subject").isNotNull()).alias("peoples"), F.count_if(is_bad()).alias("bad"),
        F.count_if(is_bad() & F.col("subject").isNull()).alias("nobodys_bad")).first()
    bad, people = [], set()
    if found.bad:
        rows = lines.where(is_bad()).limit(MOST_BAD).withColumn("says", fault()).collect()
        bad = [(row.subject, row.value, row.says, row.file) for row in rows]
        named = F.concat(F.regexp_extract_all("value", F.lit(NAMED)), F.array("subject"))
        rows = lines.where(is_bad()).select(F.explode(named).alias("subject")).distinct().collect()
        people = {row.subject for row in rows if row.subject}
    # A ledger of one person has no subjects at all.
    return Survey(found.lines, found.nobodys if found.peoples else 0, found.bad, found.nobodys_bad, bad, people)


def without_people(lines, people):
    """Leaves out the bad lines, and all lines of those people whose they are."""
    from pyspark.sql import functions as F
    return lines.where(~is_bad() & ~F.coalesce(F.col("subject").isin(sorted(people)), F.lit(False)))


def places(spark, lines, bad):
    """The bad lines with their files and line numbers, counted in another pass over these files.

    `fold` has seen sorted parts, and does not know the files of its bad lines; these are searched for.
    """
    from pyspark.sql import functions as F
    texts = {text: (subject, says) for subject, text, says, _ in bad[:MOST_BAD]}
    files = {file for *_, file in bad[:MOST_BAD] if file}
    searched = [text for _, text, _, file in bad[:MOST_BAD] if file is None]
    if searched:
        everything = spark.read.option("lineSep", "\n").text([as_pattern_of(spark, each) for each in lines.inputFiles()])
        rows = (everything.select("value", F.col("_metadata.file_path").alias("file"))
                .where(F.col("value").isin(searched)).select("file").distinct().collect())
        files |= {row.file for row in rows}
    found = []
    for file in files:
        name = path_of(spark, file).toString().removeprefix("file:")
        for text, index in numbered_lines(spark, file).filter(lambda row: row[0] in texts).collect():
            subject, says = texts[text]
            found.append({"file": name, "line": index + 1, "says": says, "subject": subject, "text": text})
    for text in texts.keys() - {place["text"] for place in found}:
        subject, says = texts[text]
        found.append({"file": None, "line": None, "says": says, "subject": subject, "text": text})
    return sorted(found, key=lambda place: (place["file"] or "", place["line"] or 0))


def numbered_lines(spark, file):
    """The lines of a file with their indexes; they end with a newline only, as in the first pass."""
    hadoop = "org.apache.hadoop."
    return spark.sparkContext.newAPIHadoopFile(
        as_pattern_of(spark, file), f"{hadoop}mapreduce.lib.input.TextInputFormat", f"{hadoop}io.LongWritable",
        f"{hadoop}io.Text", conf={"textinputformat.record.delimiter": "\n"}).values().zipWithIndex()


def path_of(spark, file):
    return spark._jvm.org.apache.hadoop.fs.Path(spark._jvm.java.net.URI(file))


def as_pattern_of(spark, file):
    return as_pattern(path_of(spark, file))


def sentence(place):
    text = place["text"] if len(place["text"]) <= 200 else place["text"][:200] + "…"
    shown = "".join(sign if sign.isprintable() else sign.encode("unicode_escape").decode() for sign in text)
    start = f"{place['file']}:{place['line']}: " if place["file"] else ""
    return f"{start}{place['says']}\n  {shown}"


class Runs:
    """The runs of an incremental fold: the states of run=N, and in heads/run=N what each person's lines were then.

    A run is complete with its heads, which are written last. A run that ended before counts for nobody: readers pass
    it over, and the next run folds its people again.
    """

    def __init__(self, spark, folder):
        self.spark, self.folder = spark, folder
        path, files = hadoop(spark, folder)
        names = [each.getPath().getName() for each in files.listStatus(path)] if files.exists(path) else []
        if names and not any(name.startswith("run=") for name in names):
            raise Refusal(2, f"{folder} has no runs of this program: name a new folder with --out")
        numbers = [int(name.removeprefix("run=")) for name in names if re.fullmatch(r"run=\d+", name)]
        self.complete = [number for number in numbers if self.exists(f"{folder}/heads/run={number}/_SUCCESS")]
        self.last = max(self.complete, default=None)
        self.number = max(numbers, default=0) + 1
        self.next_folder = f"{folder}/run={self.number}"

    def exists(self, name):
        path, files = hadoop(self.spark, name)
        return files.exists(path)

    def changed(self, heads):
        """The people whose heads are not those of the last run, and whether all their lines are gone."""
        from pyspark.sql import functions as F
        if self.last is None:
            return heads.select("subject", F.lit(False).alias("isRemoved"))
        before = self.spark.read.schema(heads.schema).json(f"{self.folder}/heads/run={self.last}")
        old, new = before.alias("old"), heads.alias("new")
        is_same = F.expr("(old.lines, old.digestXor, old.digestSum) = (new.lines, new.digestXor, new.digestSum)")
        return (old.join(new, F.col("old.subject").eqNullSafe(F.col("new.subject")), "full_outer")
                .where(~F.coalesce(is_same, F.lit(False)))
                .select(F.coalesce("new.subject", "old.subject").alias("subject"),
                        F.col("new.lines").isNull().alias("isRemoved")))

    def keep(self, heads, left_out, gone):
        """Writes the heads of this run; for people with a bad line, and those of `gone`, such that the next run looks
        at them again."""
        from pyspark.sql import functions as F
        is_left_out = F.coalesce(F.col("subject").isin(sorted(filter(None, left_out))), F.lit(None in left_out))
        kept = heads.withColumn("lines", F.when(is_left_out, F.lit(LEFT_OUT)).otherwise(F.col("lines")))
        if gone is not None:
            no_digest = F.lit(0).cast("long")
            kept = kept.union(gone.select("subject", F.lit(LEFT_OUT).cast("long").alias("lines"),
                                          no_digest.alias("digestXor"), no_digest.alias("digestSum")))
        kept.write.json(f"{self.folder}/heads/run={self.number}")


def heads_of(lines, version):
    """For each person the number of the lines, the xor of their digests, and the sum of others: equal lines cancel
    each other in the xor. The sum is of 40 bits of each, so that it has room. A bad line of nobody is no person."""
    from pyspark.sql import functions as F
    return lines.where(~is_bad() | F.col("subject").isNotNull()).groupBy("subject").agg(
        F.count(F.lit(1)).alias("lines"),
        F.bit_xor(F.xxhash64(F.lit(version), "value")).alias("digestXor"),
        F.sum(F.shiftright(F.xxhash64("value", F.lit(version)), 24)).alias("digestSum"))


def lines_of(lines, people):
    return lines.alias("all").join(
        people.alias("some"), lines.subject.eqNullSafe(people.subject), "left_semi")


def tombstones(people):
    """A line for each person whose lines are all gone, in place of a state."""
    return people.rdd.map(lambda row: json.dumps(
        {"removed": True, "subject": row.subject}, ensure_ascii=False, separators=(",", ":")))


def newest(spark, folder):
    """The newest state of each person, of the complete runs in a folder, as lines of JSON; who is gone has none."""
    from pyspark.sql import Window, functions as F
    runs = Runs(spark, folder).complete
    if not runs:
        raise Refusal(2, f"{folder} has no complete run")
    rows = spark.read.text([f"{folder}/run={number}" for number in runs]).select(
        "value", F.regexp_extract("_metadata.file_path", r"/run=(\d+)/", 1).cast("int").alias("run"),
        F.from_json("value", "subject string, removed boolean").alias("row"))
    newest_first = Window.partitionBy("row.subject").orderBy(F.desc("run"))
    return (rows.withColumn("rank", F.row_number().over(newest_first))
            .where(F.col("rank").eqNullSafe(1) & F.col("row.removed").isNull()).select("value"))


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
    said = {name: value for name, value in event.items() if name not in ("recorded", "more")}
    return json.dumps(said, sort_keys=True)  # in Python 1 equals true


class PerPart:
    """What `fold` said of each part: a dictionary, so that a part that ran twice counts once."""

    def zero(self, value):
        return {}

    def addInPlace(self, one, other):
        return one | other


def states_only(found, goes_on, part, lines):
    """Passes states on, and collects what `fold` says besides; a bad line fails the part unless the fold goes on."""
    bad, undefined, said = [], 0, []
    # The bad lines come last, and `fold` names nobody for one that it cannot read; its person is left out here.
    states = tempfile.TemporaryFile("w+", encoding="utf-8", newline="\n")
    try:
        for line in lines:
            if line.startswith('{"bad":'):
                bad.append(json.loads(line)["bad"])
            elif line.startswith('{"counts":'):
                undefined = json.loads(line)["counts"]["undefinedHabits"]
            elif line.startswith("{"):
                states.write(line + "\n")
            else:
                said.append(line)
    except Exception as error:
        raise RuntimeError(f"{FAILED}<{chr(10).join(said) or error}>{FAILED}") from None
    for row in bad:
        named = re.search(NAMED, row["text"])
        row["subject"] = row["subject"] or (named and named.group(1))
    if bad and not goes_on:
        said = [BAD + json.dumps(bad[0])]
    if said:
        raise RuntimeError(f"{FAILED}<{chr(10).join(said)}>{FAILED}")

    found.add({part: {"bad": bad, "undefined": undefined}})
    left_out = {row["subject"] for row in bad}
    states.seek(0)
    for line in states:
        if not left_out or json.loads(line)["subject"] not in left_out:
            yield line.rstrip("\n")


def explained(error):
    """What went wrong on the workers, in the words of `streaks` if it said any."""
    found = re.search(f"{FAILED}<(.*?)>{FAILED}", str(error), re.DOTALL)
    if found is None:
        return Refusal(5, f"nothing is written, Spark gave up: {cause(error)}")
    said = found.group(1)
    return missing() if MISSING in said else Refusal(3, f"nothing is written: {said}")


def cause(error):
    """The first line of what an error of Java was caused by, or else of the error."""
    reason = getattr(error, "java_exception", None)
    while reason is not None and reason.getCause() is not None:
        reason = reason.getCause()
    return first_line(error if reason is None else reason.toString())


def first_line(error):
    return (str(error).strip().splitlines() or [type(error).__name__])[0]


if __name__ == "__main__":
    sys.exit(main())
