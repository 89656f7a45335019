const dayLength = 86400000;
const weekdayIds = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

const plusDays = (day, count) => new Date(Date.parse(day) + count * dayLength).toISOString().slice(0, 10);
const daysBetween = (day, other) => (Date.parse(other) - Date.parse(day)) / dayLength;
const weekdayOf = (day) => new Date(day).getUTCDay();
const monthOf = (day) => day.slice(0, 7);
const daysInMonth = (month) => new Date(Date.UTC(month.slice(0, 4), month.slice(5, 7), 0)).getUTCDate();

const plusMonths = (month, count) =>
  new Date(Date.UTC(month.slice(0, 4), month.slice(5, 7) - 1 + count)).toISOString().slice(0, 7);

/** Formats a day or a month, without the year if it is this year. */
function dateText(day, options) {
  const isThisYear = day.slice(0, 4) === ledger?.today.slice(0, 4);
  const year = isThisYear ? undefined : "numeric";
  return new Intl.DateTimeFormat("en-GB", { timeZone: "UTC", year, ...options }).format(new Date(day));
}

const longDay = (day) => dateText(day, { weekday: "long", day: "numeric", month: "long" });
const monthText = (month) => dateText(`${month}-01`, { year: "numeric", month: "long" });

/** Returns `today`, `yesterday`, or the day with its weekday. */
function dayText(day) {
  if (day === ledger.today) return "today";
  return day === plusDays(ledger.today, -1) ? "yesterday" : longDay(day);
}

/** Returns the offset from UTC of a zone, or without one of this device, in minutes. */
function offsetOf(zone, instant = new Date()) {
  if (!zone) return -instant.getTimezoneOffset();
  const parts = new Intl.DateTimeFormat("en", { timeZone: zone, timeZoneName: "longOffset" }).formatToParts(instant);
  const text = parts.find(({ type }) => type === "timeZoneName").value;
  const [, sign, hours, minutes] = /GMT([+-])(\d+):(\d+)/.exec(text) ?? [, "+", 0, 0];
  return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}

/** Returns the date and time at an offset, such as `2025-11-20T21:15:00.000`. */
const localTime = (offset) => new Date(Date.now() + offset * 60000).toISOString().slice(0, -1);

/** Returns the time of day of a timestamp in a zone, such as `21:15`. */
const clockTime = (at, zone) =>
  new Intl.DateTimeFormat("en-GB", { timeZone: zone, timeStyle: "short" }).format(new Date(at));

/** Returns the time now with this device's offset; with the ledger's if `day` has not begun here yet. */
function timestamp(day) {
  const own = offsetOf();
  const offset = localTime(own).slice(0, 10) < day ? offsetOf(ledger.state.zone) : own;
  const size = new Date(Math.abs(offset) * 60000).toISOString().slice(11, 16);
  return localTime(offset) + (offset === 0 ? "Z" : (offset < 0 ? "-" : "+") + size);
}

/** Returns a new id, 128 random bits; `crypto.randomUUID` needs TLS. */
function newId() {
  const bytes = [...crypto.getRandomValues(new Uint8Array(16))];
  return bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
