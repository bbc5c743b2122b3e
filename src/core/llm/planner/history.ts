import type { Message } from '../model.ts';

/** What was said so far, as turns: what the user asked, what was called for it, what was answered. Pure. */

export interface PastTurn {
  asked: string;
  calls: PastCall[];
  said: string;
}

export interface PastCall {
  name: string;
  input: Record<string, unknown>;
  /** The result as JSON; null where it is none, or has not come. */
  data: Json | null;
  failed: boolean;
}

/** What is read out of a result is looked at before it is used: it may be anything. */
export type Json = Record<string, unknown>;

/** Characters of one message that are read; what is longer is data, not a wish. */
const MOST = 200_000;

export function readHistory(messages: readonly Message[]): PastTurn[] {
  const turns: PastTurn[] = [];
  for (const { role, content } of messages) {
    if (role === 'user') turns.push({ asked: textOf(content).slice(0, MOST), calls: [], said: '' });
    const turn = turns.at(-1);
    if (turn === undefined) continue;
    if (role === 'assistant') turn.said += textOf(content);
    for (const part of Array.isArray(content) ? content : []) notePart(turn, part as Json);
  }
  return turns;
}

function notePart(turn: PastTurn, part: Json): void {
  if (part.type === 'tool-call')
    turn.calls.push({ name: String(part.toolName), input: objectOf(part.input), data: null, failed: false });
  if (part.type !== 'tool-result') return;
  const open = turn.calls.find((call) => call.name === part.toolName && call.data === null);
  const output = objectOf(part.output);
  if (open === undefined) return;
  open.failed = output.type === 'error-text' || output.type === 'error-json';
  open.data = readJson(output.value);
}

const textOf = (content: Message['content']): string =>
  typeof content === 'string'
    ? content
    : (content as readonly unknown[])
        .map((part) => objectOf(part))
        .map((part) => (part.type === 'text' ? String(part.text) : ''))
        .join('');

/** A result that is no JSON was not made for this reader; it counts as an empty one. */
function readJson(value: unknown): Json {
  if (typeof value !== 'string') return objectOf(value);
  try {
    return objectOf(JSON.parse(value));
  } catch {
    return {};
  }
}

export const objectOf = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};

export const listOf = (value: unknown): Json[] => (Array.isArray(value) ? value.map(objectOf) : []);

export const stringOf = (value: unknown): string => (typeof value === 'string' ? value : '');
