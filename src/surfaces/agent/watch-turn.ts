import { isoTime } from '#core/clock/clock.ts';
import { endOf } from '#core/end.ts';
import { keepConversation } from '#surfaces/conversations/conversations.ts';
import { LEASE_MS } from './begin-turn.ts';
import type { AgentsDeps } from './deps.ts';
import { timedOut } from './refusals.ts';
import type { Turn } from './turn.ts';
import { isUnwanted } from './turns.ts';

/** What ends a turn from outside: its caller disconnects or cancels it in any process, a timeout, or shutdown. */

interface Watched {
  signal: AbortSignal;
  /** Stops the time limit until the returned function is called. */
  pause(): () => void;
  stop(): void;
}

/** The abort reason of a turn that was cancelled. */
export class Unwanted extends Error {}

const LOOK_EVERY_MS = 400;
const KEEP_EVERY_LOOKS = 12;

type Deps = Pick<AgentsDeps, 'database' | 'clock' | 'config' | 'turns'>;

export function watchTurn({ database, clock, config, turns }: Deps, turn: Turn, caller: AbortSignal): Watched {
  const ended = new AbortController();
  const gone = () => ended.abort(new Unwanted('The client disconnected or cancelled the turn.'));
  if (caller.aborted) gone();
  caller.addEventListener('abort', gone, { once: true });
  const stopped = () => ended.abort(turns.signal.reason);
  if (turns.signal.aborted) stopped();
  turns.signal.addEventListener('abort', stopped, { once: true });
  // Its timer keeps no process alive.
  const late = endOf({ timeout_ms: config.timeout_ms, with: [] });
  late.signal.addEventListener('abort', () => ended.abort(timedOut(config.timeout_ms)), { once: true });
  let looks = 0;
  const look = async (): Promise<void> => {
    if (await isUnwanted(database.db, turn.id)) gone();
    const until = isoTime(clock.now() + LEASE_MS);
    if (++looks % KEEP_EVERY_LOOKS === 0) await keepConversation(database.db, turn.conversation_id, turn.id, until);
  };
  // A short database outage does not end a turn.
  const looking = setInterval(() => look().catch(() => {}), LOOK_EVERY_MS).unref();
  return {
    signal: ended.signal,
    pause: late.pause,
    stop: () => {
      late.release();
      clearInterval(looking);
      caller.removeEventListener('abort', gone);
      turns.signal.removeEventListener('abort', stopped);
    },
  };
}
