const months = Array.from({ length: 12 }, (_, month) => new Date(2000, month).toLocaleString("en", { month: "long" }));

const weekdaysFromMonday = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

/** The weekdays in the order of the ledger's weeks. */
const weekdays = weekdaysFromMonday.map((_, place, names) => names[(place + data.weekStart) % 7]);

/** Returns a day's place in its week, from 0. */
const weekday = (number) => (((number + 3 - data.weekStart) % 7) + 7) % 7;

/** Returns a day's year, month (from 0) and day of the month. */
function dateOf(number) {
  const date = new Date(number * dayLength);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth(), date: date.getUTCDate() };
}

const longDate = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" });
const longDay = (number) => longDate.format(number * dayLength);

/** Calls `go` with the day to which a key moves; `arrows` maps arrow keys to numbers of days. */
function moveByKey(event, day, arrows, [rowStart, rowEnd], go) {
  const { key, altKey, ctrlKey, metaKey } = event;
  if (altKey || ctrlKey || metaKey) return;
  const { year, month } = dateOf(day);
  const pages = { PageUp: sameDate(day, year, month - 1), PageDown: sameDate(day, year, month + 1) };
  const days = { Home: rowStart, End: rowEnd, ...pages };
  const to = key in arrows ? day + arrows[key] : days[key];
  if (to === undefined) return;
  event.preventDefault();
  go(to);
}

/** Returns the same date in another year or month (counted from January of `year`), at most the month's last day. */
function sameDate(day, year, month = dateOf(day).month) {
  return Math.min(dayNumber(year, month, dateOf(day).date), dayNumber(year, month + 1, 1) - 1);
}
