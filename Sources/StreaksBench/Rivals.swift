import Foundation

/// What people would use instead, on the same rows: DuckDB and orjson from PyPI, the `sqlite3` program.
///
/// Each computes the longest and the last run of days with an entry, habit by habit, without ids, order, rules or
/// jokers being looked at; what they print must be what `Bench.plainRuns` finds.
struct Rivals {
  private let bench: Bench
  let folder: String

  init(_ bench: Bench) throws {
    self.bench = bench
    folder = bench.folder + "-rivals"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for (name, text) in Rivals.programs {
      try text.write(toFile: "\(folder)/\(name)", atomically: true, encoding: .utf8)
    }
  }

  func remove() throws { try FileManager.default.removeItem(atPath: folder) }

  /// Whether a program of another is here; what is not is said and left out.
  static func has(_ line: String) -> Bool {
    (try? Bench.shell("{ \(line); } >/dev/null 2>&1")) != nil
  }

  /// What a rival found, and the seconds it says it took, from its first byte read on: its start is not counted.
  func run(_ program: String, on file: String) throws -> (seconds: Double, result: String) {
    let text = try Bench.shell("exec python3 \(folder)/\(program) \(file)")
    let lines = text.split(separator: "\n").map(String.init)
    guard let last = lines.last, let seconds = Double(last) else { throw BenchError("\(program): \(text)") }
    return (seconds, lines.dropLast().joined(separator: "\n"))
  }

  /// Makes a table of a ledger's entries in a database, and its rows as CSV.
  func makeTable(of file: String, named name: String) throws -> (database: String, rows: String) {
    let (database, rows) = ("\(folder)/\(name).db", "\(folder)/\(name).csv")
    _ = try Bench.shell("exec python3 \(folder)/table.py \(file) \(database) \(rows)")
    return (database, rows)
  }

  private static let programs = [
    "duckdb_runs.py": """
    import sys, time
    import duckdb
    start = time.perf_counter()
    for row in duckdb.sql(f'''
        with days as (
          select distinct habit, day from read_json('{sys.argv[1]}', format = 'newline_delimited',
            columns = {{type: 'VARCHAR', habit: 'VARCHAR', day: 'DATE'}}) where type = 'entry.logged'),
        numbered as (
          select habit, day, day - (row_number() over (partition by habit order by day))::int as run from days),
        runs as (select habit, count(*) as length, max(day) as last from numbered group by habit, run)
        select habit, max(length), arg_max(length, last) from runs group by habit order by habit''').fetchall():
        print(*row)
    print(time.perf_counter() - start)
    """,
    "orjson_runs.py": """
    import sys, time
    from datetime import date
    import orjson
    start = time.perf_counter()
    days = {}
    with open(sys.argv[1], 'rb') as file:
        for line in file:
            event = orjson.loads(line)
            if event['type'] == 'entry.logged':
                days.setdefault(event['habit'], set()).add(event['day'])
    for habit in sorted(days):
        longest = run = last = 0
        for day in sorted(date.fromisoformat(day).toordinal() for day in days[habit]):
            run = run + 1 if day == last + 1 else 1
            last = day
            longest = max(longest, run)
        print(habit, longest, run)
    print(time.perf_counter() - start)
    """,
    "table.py": """
    import csv, json, sqlite3, sys
    fields = ['id', 'at', 'recorded', 'day', 'zone', 'habit', 'minutes', 'sets', 'level', 'completed', 'activity', 'value']
    events = (json.loads(line) for line in open(sys.argv[1]))
    rows = [[event.get(field) for field in fields] for event in events if event['type'] == 'entry.logged']
    with open(sys.argv[3], 'w', newline='') as file:
        csv.writer(file).writerows(rows)
    database = sqlite3.connect(sys.argv[2])
    database.execute('pragma journal_mode = wal')
    database.execute('create table entry (id text primary key, ' + ', '.join(fields[1:]) + ')')
    database.executemany('insert into entry values (' + ', '.join('?' for _ in fields) + ')', rows)
    database.commit()
    """,
  ]
}
