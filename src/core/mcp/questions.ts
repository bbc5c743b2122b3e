import { AsyncLocalStorage } from 'node:async_hooks';
import type { ElicitRequest, ElicitResult } from '@modelcontextprotocol/client';
import { plain } from '#core/tools/words.ts';
import { type QuestionLink, readLink } from './question-link.ts';

/** Questions that an untrusted server asks a person in the middle of a call (elicitation). */

export interface ServerQuestion {
  /** One cleaned line. */
  message: string;
  /** The form as flat JSON Schema, as the server sent it: untrusted, at most 16 KiB. Without fields where it asks to open a page. */
  schema: Record<string, unknown>;
  /** The page that it asks to open; null for a form. */
  link: QuestionLink | null;
  /** Why no person is asked: one sentence. Such a question is declined, and only noted. */
  refused?: string;
}

export type QuestionAnswer =
  | { action: 'accept'; content: Record<string, string | number | boolean | string[]> }
  | {
      action: 'decline' | 'cancel';
      /** Why no person decided it: one sentence. */
      reason?: string;
    };

/** Asks the person behind a call. Must not reject: what cannot be asked is declined. `ended` aborts when the call ends. */
export type AskPerson = (question: ServerQuestion, ended?: AbortSignal) => Promise<QuestionAnswer>;

/** The calls of one session that are in progress, and who answers for each. */
export interface Questions {
  /** For the client of the session. */
  elicit(asked: ElicitRequest['params']): Promise<ElicitResult>;
  /** Runs a call. Without `ask`, its questions are declined. */
  during<T>(ask: AskPerson | undefined, call: () => Promise<T>): Promise<T>;
}

/** A server asks no person more often during one call. */
export const MOST_QUESTIONS = 10;
/** How long a person may take for an answer. The time does not count against the call. */
export const QUESTION_MS = 300_000;
const MOST_MESSAGE_CHARS = 4_000;
const MOST_SCHEMA_CHARS = 16_384;
const MOST_FIELDS = 50;

interface OpenCall {
  owner: object;
  ask: AskPerson | undefined;
  asked: number;
  ended: AbortController;
}

/** Over HTTP a question comes with the response of its call, and so in the context of that call. */
const context = new AsyncLocalStorage<OpenCall>();

export function openQuestions(): Questions {
  const owner = {};
  const calls = new Set<OpenCall>();
  /** A process writes all messages to one stream: a question belongs to the only call there is, or to nobody. */
  const callOf = (): OpenCall | undefined => {
    const call = context.getStore();
    if (call?.owner === owner && calls.has(call)) return call;
    const [only, ...others] = calls;
    return others.length === 0 ? only : undefined;
  };
  return {
    elicit: async (asked) => {
      const call = callOf();
      if (call?.ask === undefined || call.asked >= MOST_QUESTIONS) return { action: 'decline' };
      call.asked += 1;
      const question = questionOf(asked);
      const answer = await call.ask(question, call.ended.signal);
      if (question.refused !== undefined) return { action: 'decline' };
      if (answer.action !== 'accept') return { action: answer.action };
      // Who agrees to open a page tells the server nothing else.
      return question.link === null ? answer : { action: 'accept' };
    },
    during: async (ask, act) => {
      const call = { owner, ask, asked: 0, ended: new AbortController() };
      calls.add(call);
      try {
        return await context.run(call, act);
      } finally {
        calls.delete(call);
        call.ended.abort(ENDED);
      }
    },
  };
}

/** One for all: each call ends, and making an error takes long. */
const ENDED = new DOMException('The call has ended.', 'AbortError');

function questionOf(asked: ElicitRequest['params']): ServerQuestion {
  const message = plain(asked.message, MOST_MESSAGE_CHARS);
  const refused = (why: string): ServerQuestion => ({ message, schema: NO_FIELDS, link: null, refused: why });
  if (asked.mode === 'url') {
    const link = readLink(asked.url);
    return 'refused' in link
      ? refused(`Nobody was asked to open the page of the server: ${link.refused}.`)
      : { message, schema: NO_FIELDS, link };
  }
  const schema = ('requestedSchema' in asked ? asked.requestedSchema : {}) as Record<string, unknown>;
  const { properties } = schema;
  if (typeof properties !== 'object' || properties === null) return refused('Nobody was asked: the form is invalid.');
  const isLarge = Object.keys(properties).length > MOST_FIELDS || JSON.stringify(schema).length > MOST_SCHEMA_CHARS;
  return isLarge ? refused('Nobody was asked: the form is too large.') : { message, schema, link: null };
}

const NO_FIELDS = { type: 'object', properties: {} };
