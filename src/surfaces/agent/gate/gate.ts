import { fold } from '#catalog/changes/fold.ts';
import { orderedRef } from './learn.ts';
import { isMeant } from './named.ts';
import type { AskedCall, GateState, Target } from './state.ts';
import { asksFor, saysYes, tokensOf, type Words } from './words.ts';

/**
 * The tool-call policy: whether a call with effects may run. It does not trust models: once the conversation contains
 * untrusted text, only what the user named or chose may run, and only with inputs that the user gave.
 */

export interface GateContext {
  words: Words;
  /** What the user knew when they wrote. */
  before: GateState;
  /** Including the results of this turn. */
  now: GateState;
  /** Returns whether a first-party skill only runs in the sandbox and reaches nothing outside. */
  isContained(skill: string): boolean;
  /** The published example input of a first-party skill; undefined if none. */
  exampleOf(skill: string): unknown;
  /** Tasks created in this turn. */
  made: ReadonlySet<string>;
  /** Calls with effects that ran in this turn. */
  done: readonly AskedCall[];
}

/** Returns null if the call may run, otherwise the reason in one sentence. */
export function refusal(call: AskedCall, context: GateContext): string | null {
  const { words, before, now, done } = context;
  if (now.tainted && done.some((askedCall) => sameCall(askedCall, call))) return DONE_ONCE;
  if (before.pending !== null && saysYes(words) && sameCall(before.pending, call)) return null;
  if (call.tool === 'task_start' || call.tool === 'task_cancel') return taskRefusal(call, context);
  const target = targetOf(call, now.known);
  const contained = target?.kind === 'skill' && context.isContained(target.ref);
  const asked = asksFor(call.tool, words);
  if (!now.tainted) return asked || (contained && !isForbidden(call, words)) ? null : NOT_ASKED;
  if (!asked) return NOT_ASKED;
  if (target !== null && !isMeant(target, words, withNames(before, now))) return NOT_NAMED;
  if (target?.kind === 'connection' && !saysTool(call, words)) return NOT_NAMED;
  if (target?.kind === 'skill' && isExample(call, context.exampleOf(target.ref))) return null;
  return isGiven(argumentsOf(call), words) ? null : NOT_GIVEN;
}

const NOT_ASKED = 'The user did not request an action.';
const DONE_ONCE = 'The same call was already made in this turn.';
const NOT_NAMED = 'The user neither named nor selected this.';
const NOT_GIVEN = 'Part of the input does not come from the user.';

/** The request was withdrawn. */
const isForbidden = ({ tool }: AskedCall, { open }: Words): boolean =>
  !asksFor(tool, { open }) && open.some((text) => /\b(?:do not|don't|dont|never|without)\b/.test(text));

function taskRefusal({ tool, input }: AskedCall, { words, before, now, made }: GateContext): string | null {
  const id = String(input.id);
  const own = before.tasks.includes(id) || words.raw.includes(fold(id));
  if (tool === 'task_start' && made.has(id) && input.input === undefined) return null;
  if (!own && !made.has(id)) return NOT_NAMED;
  if (!asksFor(tool, words)) return NOT_ASKED;
  return input.input === undefined || !now.tainted || isGiven(input.input, words) ? null : NOT_GIVEN;
}

function targetOf({ tool, input }: AskedCall, known: readonly Target[]): Pick<Target, 'kind' | 'ref'> | null {
  if (RIG_TOOLS.has(tool))
    return known.find((target) => target.kind === 'rig' && target.name === input.rig) ?? rigOf(input);
  if (tool === 'connection_call') return { kind: 'connection', ref: String(input.id) };
  if (tool !== 'task_create') return null;
  const asked = orderedRef(input);
  // The reference of a connection contains the tool, which is checked separately.
  return asked.kind === 'connection' ? { ...asked, ref: asked.ref.split('/')[0] as string } : asked;
}

/** These name one of the user's own rigs. */
const RIG_TOOLS: ReadonlySet<string> = new Set(['rig_run', 'rig_update', 'rig_delete']);

const rigOf = ({ rig }: AskedCall['input']) => ({ kind: 'rig', ref: String(rig) });

/** Names may come from new results, but numbers refer to what the user saw. */
const withNames = (before: GateState, now: GateState): GateState => ({ ...before, known: now.known });

/** Any tool of a named server may be called; of the user's own connection, only the named one. */
function saysTool({ tool, input }: AskedCall, { tokens }: Words): boolean {
  const { ref } = (input.capability ?? {}) as { ref?: unknown };
  const name = tool === 'connection_call' ? String(input.tool) : String(ref).split('/').slice(1).join('/');
  return tokensOf(fold(name)).every((token) => tokens.has(token));
}

function argumentsOf({ tool, input }: AskedCall): unknown {
  if (tool === 'connection_call') return input.arguments;
  if (tool === 'rig_run') return [input.input, input.version];
  if (tool !== 'task_create') return input;
  const given = input.input as { tool?: unknown; arguments?: unknown } | null | undefined;
  const { kind } = orderedRef(input);
  const wraps = kind === 'listing' && typeof given === 'object' && given !== null && typeof given.tool === 'string';
  return [wraps ? given.arguments : given, input.input_files];
}

const isExample = ({ input }: AskedCall, example: unknown): boolean =>
  example !== undefined && input.input_files === undefined && canonical(input.input) === canonical(example);

/** The user wrote every text and every number in it. */
function isGiven(value: unknown, words: Words): boolean {
  if (typeof value === 'string') return isGivenText(fold(value).trim(), words);
  if (typeof value === 'number') return isGivenNumber(`${value}`.toLowerCase(), words);
  if (typeof value !== 'object' || value === null) return true;
  const isName = (key: string): boolean => /^[\w$.-]{1,40}$/.test(key);
  return Object.entries(value).every(([key, item]) => (Array.isArray(value) || isName(key)) && isGiven(item, words));
}

function isGivenText(text: string, { tokens, raw }: Words): boolean {
  const wanted = tokensOf(text);
  // `/`, `*` or `..` have far-reaching effects, so such a text must stand alone in the user's message.
  if (wanted.length === 0) return text === '' || standsApart(raw, text, true);
  return wanted.every((token) => tokens.has(token));
}

/** The sign and the decimal point belong to a number. */
const isGivenNumber = (text: string, { tokens, raw }: Words): boolean =>
  (!/[-.]/.test(text) || standsApart(raw, text, false)) && tokensOf(text).every((token) => tokens.has(token));

const APART = /[\s"'`=:,;()[\]{}]/u;

function standsApart(raw: string, part: string, toItsEnd: boolean): boolean {
  for (let at = raw.indexOf(part); at >= 0; at = raw.indexOf(part, at + 1)) {
    const after = raw[at + part.length] ?? ' ';
    if (APART.test(raw[at - 1] ?? ' ') && (toItsEnd ? APART : /[^\p{L}\p{N}]/u).test(after)) return true;
  }
  return false;
}

const sameCall = (one: AskedCall, other: AskedCall): boolean =>
  one.tool === other.tool && canonical(one.input) === canonical(other.input);

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${canonical(member)}`).join(',')}}`;
}
