/**
 * Turns of the event loop for work that takes milliseconds, such as parsing or showing a large value. Each is granted to one
 * piece of work of the whole process, so that many large requests together hold the loop no longer than one of them.
 */

const waiting: (() => void)[] = [];

/** Resolves at the begin of a turn that nobody else was granted, in order of arrival. */
export function ownTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(grant);
  });
}

function grant(): void {
  waiting[0]?.();
  waiting.shift();
  // An immediate that is set by another one runs in the next turn.
  if (waiting.length > 0) setImmediate(grant);
}
