import type { Message } from '../model.ts';
import { type PastCall, type PastTurn, readHistory } from './history.ts';
import type { Call, Next } from './next.ts';
import { isSearch, listedOptions, namedOption, type Option, optionsOf } from './options.ts';
import { type Request, readRequest } from './request.ts';
import { afterCreate, runOption } from './run.ts';
import { listRuns, showOption } from './show.ts';
import { failureText, HELP, optionLines, shownJson, withoutModel } from './words.ts';

/** The next step of a conversation: calls or an answer. A pure function of messages and tool results. */

interface PlanInput {
  messages: readonly Message[];
  tools: readonly { name: string }[];
  /** False if only a text answer is allowed. */
  may_call: boolean;
}

/** More calls than any plan makes in one turn. */
const MOST_CALLS = 12;
const MOST_LISTED = 5;

export function plan({ messages, tools, may_call }: PlanInput): { call: Call[] } | { say: string } {
  const turns = readHistory(messages);
  const turn = turns.at(-1);
  const next: Next = turn === undefined ? HELPED : nextOf(turn, turns.slice(0, -1));
  if ('say' in next) return { say: withoutModel(next.say, next.did) };
  const call = next.call.filter(({ name }) => tools.some((tool) => tool.name === name));
  const say = (text: string) => ({ say: withoutModel(text, 'nothing was called') });
  if (call.length === 0) return say('No tool is available for that, or your credential does not allow it.');
  if (!may_call || (turn?.calls.length ?? 0) + call.length > MOST_CALLS)
    return say('That takes more steps than this turn may have. Allow more steps.');
  return { call };
}

const HELPED: Next = { say: HELP, did: 'asked what you need' };

const isRefused = ({ failed, data }: PastCall): boolean => failed && data?.code === 'agents.confirmation_required';

function nextOf({ asked, calls }: PastTurn, past: readonly PastTurn[]): Next {
  if (calls.some(isRefused)) return { say: 'Not carried out without your confirmation.', did: 'asked you to confirm' };
  const made = calls.find(({ name }) => name === 'task_create');
  if (made !== undefined) return afterCreate(made, calls);
  const request = readRequest(asked);
  switch (request.want) {
    case 'yes':
      return confirmed(past, calls);
    case 'find':
      return request.query === '' ? HELPED : search(request.query, calls);
    case 'run':
      return run(request, [request.rest], past, calls);
    case 'show':
      return pick(request, past, calls, (chosen) => showOption(chosen, calls));
    case 'runs':
      return listRuns(calls);
    case 'answer': {
      const open = openRun(past);
      return open === null ? HELPED : run(open.request, [...open.given, asked], open.past, calls);
    }
  }
}

/** Repeats the call that was refused because it lacked the user's confirmation. */
function confirmed(past: readonly PastTurn[], done: readonly PastCall[]): Next {
  const refused = past.at(-1)?.calls.findLast(isRefused);
  if (refused === undefined) return { say: `There is nothing to confirm. ${HELP}`, did: 'asked what you need' };
  const [made] = done;
  if (made === undefined) return { call: [{ name: refused.name, input: refused.input }] };
  const say = made.failed ? failureText(made) : `Done.\n${shownJson(made.data)}`;
  return { say, did: 'made the call that you confirmed' };
}

const searchFor = (name: string, query: string): Call => ({
  name,
  input: name === 'skill_search' ? { query } : { query, limit: MOST_LISTED },
});

function search(query: string, done: readonly PastCall[]): Next {
  const found = done.filter(({ name }) => isSearch(name));
  const did = 'searched the catalog for the words of your message';
  if (found.length === 0) return { call: ['skill_search', 'registry_search'].map((name) => searchFor(name, query)) };
  const failed = found.filter((call) => call.failed).map(failureText);
  const options = optionsOf(found);
  if (options.length === 0)
    return { say: [`No capability matches “${query}”. Try fewer or other words.`, ...failed].join('\n'), did };
  const hint = 'Say “run” with a number or a name, and its arguments. Text in quotes is its author’s.';
  return { say: ['These match:', optionLines(options), ...failed, '', hint].join('\n'), did };
}

type Run = Extract<Request, { want: 'run' }>;

const run = (request: Run, given: readonly string[], past: readonly PastTurn[], done: readonly PastCall[]): Next =>
  pick(request, past, done, (chosen) => runOption(chosen, given, done));

/** What `act` does with the capability that is named, or chosen from the last list. */
function pick(
  request: Pick<Run, 'place' | 'target'>,
  past: readonly PastTurn[],
  done: readonly PastCall[],
  act: (chosen: Option) => Next,
): Next {
  const listed = listedOptions(past);
  const chosen = request.place === null ? namedOption(listed, request.target) : listed[request.place];
  if (chosen !== null && chosen !== undefined) return act(chosen);
  if (request.place !== null) return which(listed, 'The list has no such number.');
  const found = done.filter(({ name }) => isSearch(name));
  const named = namedOption(optionsOf(found), request.target);
  if (named !== null) return act(named);
  const query = request.target.slice(0, 200).toWellFormed();
  // First-party skills are searched first, because their text is trusted.
  if (found.length === 0) return { call: [searchFor('skill_search', query)] };
  if (!found.some(({ name }) => name === 'registry_search')) return { call: [searchFor('registry_search', query)] };
  return which(optionsOf(found), `No capability is named “${query.slice(0, 100).toWellFormed()}”.`);
}

const which = (options: readonly Option[], why: string): Next => ({
  say: options.length === 0 ? `${why} Say what you are looking for.` : `${why} Which one?\n${optionLines(options)}`,
  did: 'asked which one you mean',
});

/** The last requested run that created no task, with the values sent for it since. */
function openRun(past: readonly PastTurn[]): { request: Run; given: string[]; past: PastTurn[] } | null {
  const given: string[] = [];
  for (const [at, { asked, calls }] of [...past.entries()].toReversed()) {
    if (calls.some(({ name, failed }) => name === 'task_create' && !failed)) return null;
    const request = readRequest(asked);
    if (request.want === 'run') return { request, given: [request.rest, ...given], past: past.slice(0, at) };
    if (request.want !== 'answer') return null;
    given.unshift(asked);
  }
  return null;
}
