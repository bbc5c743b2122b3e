import { AsyncLocalStorage } from 'node:async_hooks';
import type { ElicitRequest, ElicitResult } from '@modelcontextprotocol/client';
import { plain } from '#core/tools/words.ts';

/** Questions that an untrusted server asks a person in the middle of a call (elicitation). */

export interface ServerQuestion {
  /** One cleaned line. */
  message: string;
  /** The form as flat JSON Schema, as the server sent it: untrusted, at most 16 KiB. */
  schema: Record<string, unknown>;
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
      const question = questionOf(asked);
      if (call?.ask === undefined || question === null || call.asked >= MOST_QUESTIONS) return { action: 'decline' };
      call.asked += 1;
      const answer = await call.ask(question, call.ended.signal);
      return answer.action === 'accept' ? answer : { action: answer.action };
    },
    during: async (ask, act) => {
      const call = { owner, ask, asked: 0, ended: new AbortController() };
      calls.add(call);
      try {
        return await context.run(call, act);
      } finally {
        calls.delete(call);
        call.ended.abort();
      }
    },
  };
}

/** Null for a question that is not shown to a person: a link to a page of the server, or a form that is too large. */
function questionOf(asked: ElicitRequest['params']): ServerQuestion | null {
  if (asked.mode === 'url' || !('requestedSchema' in asked)) return null;
  const schema = asked.requestedSchema as unknown as Record<string, unknown>;
  const { properties } = schema;
  if (typeof properties !== 'object' || properties === null) return null;
  if (Object.keys(properties).length > MOST_FIELDS || JSON.stringify(schema).length > MOST_SCHEMA_CHARS) return null;
  return { message: plain(asked.message, MOST_MESSAGE_CHARS), schema };
}
