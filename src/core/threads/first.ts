import type { MessagePort } from 'node:worker_threads';
import { type Line, LineClosed, openLine } from './line.ts';
import { type Giving, openGiving, type Subscriber } from './share.ts';
import type { Act, Threads } from './threads.ts';

/** The first of several threads. It owns what the process has once, and calls to all threads go through it. */
export interface FirstThread extends Threads {
  /** Adds a further thread behind this port. The returned line calls what the thread `takes`. */
  admit(number: number, port: MessagePort): Line;
}

export function firstThread(count: number): FirstThread {
  const acts = new Map<string, Act>();
  const givings = new Map<string, Giving>();
  const lines = new Map<number, Line>();
  const actOf = (name: string): Act => {
    const act = acts.get(name);
    if (act === undefined) throw new Error(`The first thread has no ${name}.`);
    return act;
  };
  const tellOthers = async (from: number, name: string, args: unknown[]): Promise<unknown[]> => {
    const others = [...lines].filter(([number]) => number !== from);
    const answers = await Promise.all(others.map(([, line]) => line.call(name, args).catch(ofEnded)));
    return answers.filter((answer) => answer !== ABSENT);
  };
  /** Calls from further threads (further.ts). */
  const asked: Record<string, (from: number, name: string, args: unknown[]) => unknown> = {
    first: (_, name, args) => actOf(name)(...args),
    each: async (from, name, args) => {
      const [own, others] = await Promise.all([actOf(name)(...args), tellOthers(from, name, args)]);
      return [own, ...others];
    },
    share: (_, name, [port, sent]) => givings.get(name)?.join({ port, sent } as Subscriber),
  };
  return {
    count,
    number: 1,
    inFirst(name, act) {
      acts.set(name, act as Act);
      return act;
    },
    inEach(name, act) {
      acts.set(name, act as Act);
      return async (...args) => {
        const [own, others] = await Promise.all([act(...args), tellOthers(1, name, args)]);
        return [own, ...(others as (typeof own)[])];
      };
    },
    share(name, take) {
      const giving = openGiving(take);
      givings.set(name, giving);
      return { give: giving.give, catchUp: () => {} };
    },
    admit(number, port) {
      const line = openLine(port, (kind, [name, ...args]) => asked[kind]?.(number, name as string, args));
      port.on('close', () => lines.delete(number));
      lines.set(number, line);
      return line;
    },
  };
}

/** The answer of a thread that does not have the function yet. */
export const ABSENT = 'absent';

/** A thread that has ended needs no notification. */
export function ofEnded(error: unknown): typeof ABSENT {
  if (error instanceof LineClosed) return ABSENT;
  throw error;
}
