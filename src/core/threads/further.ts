import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { ABSENT, ofEnded } from './first.ts';
import { openLine } from './line.ts';
import { openTaking } from './share.ts';
import type { Act, Threads } from './threads.ts';

/** Any thread but the first. */
interface FurtherThread extends Threads {
  /** Registers a function that the first thread may call on this one alone. */
  takes<A extends unknown[]>(name: string, act: (...args: A) => Promise<unknown>): void;
}

export interface FurtherOptions {
  count: number;
  number: number;
  /** The port to the first thread. */
  port: MessagePort;
}

export function furtherThread({ count, number, port }: FurtherOptions): FurtherThread {
  const acts = new Map<string, Act>();
  const line = openLine(port, (name, args) => acts.get(name)?.(...args) ?? ABSENT);
  const ask = <R>(kind: 'first' | 'each' | 'share', name: string, args: unknown[]): Promise<R> =>
    line.call(kind, [name, ...args]) as Promise<R>;
  return {
    count,
    number,
    takes: (name, act) => acts.set(name, act as Act),
    inFirst:
      (name) =>
      (...args) =>
        ask('first', name, args),
    inEach<A extends unknown[], R>(name: string, act: (...args: A) => Promise<R>) {
      acts.set(name, act as Act);
      return async (...args: A) => {
        const [own, others] = await Promise.all([act(...args), ask<R[]>('each', name, args)]);
        return [own, ...others];
      };
    },
    share(name, take) {
      const { port1, port2 } = new MessageChannel();
      const sent = new Int32Array(new SharedArrayBuffer(4));
      ask('share', name, [port2, sent]).catch(ofEnded);
      return { give: onlyInFirst, catchUp: openTaking({ port: port1, sent }, take) };
    },
  };
}

function onlyInFirst(): never {
  throw new Error('What all threads read is given by the first one.');
}
