import type { Message } from '../model.ts';
import { compareTwo } from './compare.ts';
import { lookUp } from './find.ts';
import type { Ground, Next } from './ground.ts';
import { type PastTurn, readHistory, stringOf } from './history.ts';
import { inspect } from './inspect.ts';
import { type Intent, isWish, readIntent } from './intent.ts';
import { callTool, listConnectionTools, listOwn } from './own-things.ts';
import { runIt } from './run.ts';
import { failureText, HELP, NO_MODEL, shownJson } from './words.ts';

/** What comes next in a conversation: calls, or words. A pure function of what was said; the same answer each time. */

export interface Asked {
  messages: readonly Message[];
  tools: readonly { name: string }[];
  /** False: words only. */
  may_call: boolean;
}

/** More calls in one turn than any plan makes. */
const MOST_CALLS = 12;

export function plan({ messages, tools, may_call }: Asked): Next {
  const turns = readHistory(messages);
  const turn = turns.at(-1);
  if (turn === undefined) return say(HELP);
  const names = new Set(tools.map((it) => it.name));
  const ground: Ground = { asked: turn.asked, done: turn.calls, past: turns.slice(0, -1), has: (it) => names.has(it) };
  const refused = turn.calls.find((it) => it.failed && it.data?.code === 'agents.not_asked_for');
  if (refused !== undefined) return say('I did not go on without your word.');
  const next = carryOut(wishOf(ground), ground);
  if ('say' in next) return say(next.say);
  const call = next.call.filter(({ name }) => names.has(name));
  if (call.length === 0) return say('There is no tool here for that, or your credential does not allow it.');
  if (!may_call || turn.calls.length + call.length > MOST_CALLS)
    return say('That takes more steps than this turn may have. Ask for less at once, or allow more steps.');
  return { call };
}

const say = (text: string): Next => ({ say: `${text}\n\n${NO_MODEL}` });

/** Words that are no wish of their own answer what was asked back: they go on with the run that waits for them. */
function wishOf({ asked, past }: Ground): Intent {
  const intent = readIntent(asked);
  if (isWish(asked)) return intent;
  const open = openRun(past);
  return open === null ? intent : { ...open, given: `${open.given}\n${asked}`.trim() };
}

/** The last run that was asked for and not begun. */
export function openRun(past: readonly PastTurn[]): Extract<Intent, { want: 'run' }> | null {
  let given = '';
  for (const turn of past.toReversed()) {
    if (turn.calls.some((it) => it.name === 'task_start')) return null;
    const intent = readIntent(turn.asked);
    if (intent.want === 'run') return { ...intent, given: `${intent.given}\n${given}`.trim() };
    if (isWish(turn.asked)) return null;
    given = `${turn.asked}\n${given}`;
  }
  return null;
}

function carryOut(intent: Intent, ground: Ground): Next {
  switch (intent.want) {
    case 'help':
      return { say: HELP };
    case 'find':
      return lookUp(intent, ground);
    case 'inspect':
      return inspect(intent.what, ground);
    case 'run':
      return runIt(intent, ground);
    case 'compare':
      return compareTwo(intent, ground);
    case 'call':
      return callTool(intent, ground);
    case 'connection_tools':
      return listConnectionTools(intent.what, ground);
    case 'yes':
      return goOn(ground);
    case 'no':
      return { say: 'Nothing was done. Say what you would like instead.' };
    default:
      return listOwn(intent, ground);
  }
}

/** The call that was refused for want of the user's word, once more; then what follows on it. */
function goOn(ground: Ground): Next {
  const refused = ground.past.at(-1)?.calls.findLast((it) => it.failed && it.data?.code === 'agents.not_asked_for');
  if (refused === undefined) return { say: 'There is nothing that waits for a yes. Say what you would like.' };
  const { name, input } = refused;
  const [made] = ground.done;
  if (name !== 'task_create' && made === undefined) return { call: [{ name, input }] };
  if (name !== 'task_create' && made !== undefined)
    return { say: made.failed ? failureText(made) : `Done.\n${shownJson(made.data)}` };
  const intent = {
    want: 'run' as const,
    what: stringOf((input.capability as { ref?: unknown } | undefined)?.ref),
    given: '',
  };
  return runIt(intent, ground, input);
}
