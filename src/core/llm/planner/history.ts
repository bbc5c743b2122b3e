import type { Message } from '../model.ts';

/** The conversation as turns: what the user wrote, which tools were called, and the answer. Pure. */

export interface PastTurn {
  asked: string;
  calls: PastCall[];
  said: string;
}

export interface PastCall {
  name: string;
  input: Record<string, unknown>;
  /** The result as JSON; null if it is not JSON or has not arrived. */
  data: Json | null;
  failed: boolean;
}

/** Members of a result must be checked before use, because they can be anything. */
export type Json = Record<string, unknown>;

/** Maximum length of a message that is interpreted. Longer text is data. */
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

/** A result that is not JSON was not made for the planner and counts as empty. */
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
