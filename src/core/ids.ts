import { randomInt, randomUUID } from 'node:crypto';

/** A 12-bit counter after the timestamp: RFC 9562, section 6.2, method 1. */
const COUNTS = 0x1000;
/** The version, in the position of its four hex digits. */
const VERSION_7 = 0x7000;
/** Half of the range, so that half is left to count up. */
const FIRST = 2_048;
/** If the clock goes back further than this, it was set, and the new time is used. */
const SET_BACK_MS = 10_000;

let lastMs = 0;
let time = '';
let count = 0;

/** Returns a UUIDv7. Ids of one process sort by creation, also within a millisecond. */
export function newId(): string {
  const nowMs = Date.now();
  if (nowMs > lastMs || nowMs < lastMs - SET_BACK_MS) {
    begin(nowMs, randomInt(FIRST));
  } else if (++count === COUNTS) {
    begin(lastMs + 1, 0);
  }
  return time + (VERSION_7 + count).toString(16) + randomUUID().slice(18);
}

function begin(ms: number, from: number): void {
  const digits = ms.toString(16).padStart(12, '0');
  lastMs = ms;
  time = `${digits.slice(0, 8)}-${digits.slice(8)}-`;
  count = from;
}
