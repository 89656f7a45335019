const months = [
  "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
  "December",
];

const weekdays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

/** A day's place in its week, 0 on Monday. */
const weekday = (number) => (((number + 3) % 7) + 7) % 7;

/** A day's year, month from 0, and date. */
function dateOf(number) {
  const date = new Date(number * 86400000);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth(), date: date.getUTCDate() };
}

const longDay = (number) => {
  const { year, month, date } = dateOf(number);
  return `${date} ${months[month]} ${year}`;
};

/** The day that a key leads to in a grid of days, by the days its arrows go and the ends of a day's row; else null. */
function dayByKey({ key, altKey, ctrlKey, metaKey }, day, arrows, [rowStart, rowEnd]) {
  if (altKey || ctrlKey || metaKey) return null;
  const { year, month } = dateOf(day);
  const pages = { PageUp: sameDate(day, year, month - 1), PageDown: sameDate(day, year, month + 1) };
  const days = { Home: rowStart, End: rowEnd, ...pages };
  return key in arrows ? day + arrows[key] : (days[key] ?? null);
}

/** The same date in another year, or in a month counted from that year's January; at most the month's last. */
function sameDate(day, year, month = dateOf(day).month) {
  return Math.min(dayNumber(year, month, dateOf(day).date), dayNumber(year, month + 1, 1) - 1);
}
