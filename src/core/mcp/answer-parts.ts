import { coreProblem } from '#core/errors.ts';
import type { Problem } from '#core/problem/problem.ts';

/**
 * Counts the members, objects and lists of the messages in a response while it arrives. The client parses and checks each
 * message as a whole on the event loop, and different names cost it far more than bytes.
 */

/** As for a server that runs as a process here. */
const MOST_MEMBERS = 30_000;
const MOST_CONTAINERS = 50_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const OPEN = 0x7b;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

interface Counted {
  members: number;
  containers: number;
  isInString: boolean;
  isEscaped: boolean;
  isLineEmpty: boolean;
  /** The last byte was a carriage return: a line feed then ends the same line. */
  isAfterReturn: boolean;
}

/** Takes the next bytes of a response. Throws `outbound.failed` (`too_large`). `isEvents`: an empty line ends a message. */
export function partsCounter(isEvents: boolean): (bytes: Uint8Array) => void {
  const counted: Counted = {
    members: 0,
    containers: 0,
    isInString: false,
    isEscaped: false,
    isLineEmpty: false,
    isAfterReturn: false,
  };
  return (bytes) => {
    for (const byte of bytes) {
      if (byte === LINE_FEED || byte === CARRIAGE_RETURN) endLine(counted, byte === LINE_FEED, isEvents);
      else if (counted.isInString) readInString(counted, byte);
      else readOutside(counted, byte);
      if (counted.members > MOST_MEMBERS || counted.containers > MOST_CONTAINERS) throw tooManyParts();
    }
  };
}

/**
 * No string of JSON has a line end, so a quote elsewhere in an event changes nothing. Lines of events end with a line feed, a
 * carriage return, or both.
 */
function endLine(counted: Counted, isLineFeed: boolean, isEvents: boolean): void {
  counted.isInString = false;
  counted.isEscaped = false;
  const hasEnded = isLineFeed && counted.isAfterReturn;
  counted.isAfterReturn = !isLineFeed;
  if (hasEnded) return;
  if (isEvents && counted.isLineEmpty) {
    counted.members = 0;
    counted.containers = 0;
  }
  counted.isLineEmpty = true;
}

function readInString(counted: Counted, byte: number): void {
  if (counted.isEscaped) counted.isEscaped = false;
  else if (byte === BACKSLASH) counted.isEscaped = true;
  else if (byte === QUOTE) counted.isInString = false;
}

function readOutside(counted: Counted, byte: number): void {
  counted.isLineEmpty = false;
  counted.isAfterReturn = false;
  if (byte === QUOTE) counted.isInString = true;
  else if (byte === COLON) counted.members++;
  else if (byte === OPEN || byte === OPEN_LIST) counted.containers++;
}

const tooManyParts = (): Problem =>
  coreProblem(
    'outbound.failed',
    `Response too large (limits: ${MOST_MEMBERS} members, ${MOST_CONTAINERS} objects and lists).`,
    { reason: 'too_large' },
  );
