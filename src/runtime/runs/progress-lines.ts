import type { McpProgress } from '#core/mcp/session.ts';
import type { RunOrder } from './capability.ts';

/** Shows the progress that a server reports during a call as lines of its console output, which streams while the run lasts. */

const EVERY_MS = 1_000;
const MOST_CHARACTERS = 500;

/** At most one line a second. Undefined if nobody follows the output. */
export function progressLines({
  on_output,
}: Pick<RunOrder, 'on_output'>): ((progress: McpProgress) => void) | undefined {
  if (on_output === undefined) return undefined;
  let lastMs = Number.NEGATIVE_INFINITY;
  return (progress) => {
    const nowMs = performance.now();
    if (nowMs - lastMs < EVERY_MS) return;
    lastMs = nowMs;
    on_output('stderr', Buffer.from(`${lineOf(progress)}\n`));
  };
}

/** `Reading (2 of 5)`, or only the numbers if the server says nothing else. */
export function lineOf({ progress, total, message = '' }: McpProgress): string {
  const done = total === undefined ? `${progress}` : `${progress} of ${total}`;
  const words = message.replace(/\s+/gu, ' ').trim().slice(0, MOST_CHARACTERS).toWellFormed();
  return words === '' ? done : `${words} (${done})`;
}
