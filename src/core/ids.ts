import { randomInt, randomUUIDv7 } from 'node:crypto';

/** 12 bits behind the time: RFC 9562, method 1 of section 6.2. */
const COUNTS = 0x1000;
/** As the four digits that they stand in. */
const VERSION_7 = 0x7000;
/** Half of them are left to count on from. */
const FIRST = 2_048;
/** A clock that goes back further was set, and is believed. */
const SET_BACK_MS = 10_000;

let last_ms = 0;
let time = '';
let count = 0;

/** Ids of our own: UUIDv7. Those of one process sort by creation, also within a millisecond. */
export function newId(): string {
  const now_ms = Date.now();
  if (now_ms > last_ms || now_ms < last_ms - SET_BACK_MS) {
    begin(now_ms, randomInt(FIRST));
  } else if (++count === COUNTS) {
    begin(last_ms + 1, 0);
  }
  return time + (VERSION_7 + count).toString(16) + randomUUIDv7().slice(18);
}

function begin(ms: number, from: number): void {
  const digits = ms.toString(16).padStart(12, '0');
  last_ms = ms;
  time = `${digits.slice(0, 8)}-${digits.slice(8)}-`;
  count = from;
}
