import { MessagePort } from 'node:worker_threads';
import { readThrown, type Thrown, writeThrown } from './thrown.ts';

/** Calls between two threads over one port. */
export interface Line {
  /** Throws what the function there throws: Problems unchanged, other errors with message and stack. */
  call(name: string, args: readonly unknown[]): Promise<unknown>;
  close(): void;
}

/** The other thread has ended, or is about to. */
export class LineClosed extends Error {}

type Message =
  | { id: number; name: string; args: unknown[]; has_signal: boolean }
  | { id: number; aborted: true }
  | { id: number; value: unknown }
  | { id: number; thrown: Thrown };

type Answer = (name: string, args: unknown[]) => unknown;

export function openLine(port: MessagePort, answer: Answer): Line {
  const asked = asking(port);
  const answering = answerer(port, answer);
  port.on('message', (message: Message) => {
    if ('name' in message) void answering.take(message);
    else if ('aborted' in message) answering.abort(message.id);
    else asked.settle(message);
  });
  port.on('close', () => {
    asked.close();
    answering.close();
  });
  return { call: asked.call, close: () => port.close() };
}

/** Calls from this thread. The last argument may be an AbortSignal, which is forwarded. */
function asking(port: MessagePort) {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  const ended = () => new LineClosed('The other thread has ended.');
  let lastId = 0;
  let isClosed = false;
  return {
    async call(name: string, args: readonly unknown[]): Promise<unknown> {
      if (isClosed) throw ended();
      const id = ++lastId;
      const promised = Promise.withResolvers<unknown>();
      waiting.set(id, promised);
      const signal = args.at(-1) instanceof AbortSignal ? (args.at(-1) as AbortSignal) : null;
      const abort = (): void => port.postMessage({ id, aborted: true } satisfies Message);
      const plain = signal === null ? [...args] : args.slice(0, -1);
      port.postMessage(
        { id, name, args: plain, has_signal: signal !== null } satisfies Message,
        plain.filter((arg) => arg instanceof MessagePort),
      );
      if (signal?.aborted) abort();
      signal?.addEventListener('abort', abort, { once: true });
      return promised.promise.finally(() => signal?.removeEventListener('abort', abort));
    },
    settle(message: Extract<Message, { value: unknown } | { thrown: Thrown }>): void {
      const promised = waiting.get(message.id);
      waiting.delete(message.id);
      if ('thrown' in message) promised?.reject(readThrown(message.thrown));
      else promised?.resolve(message.value);
    },
    close(): void {
      isClosed = true;
      for (const { reject } of waiting.values()) reject(ended());
      waiting.clear();
    },
  };
}

/** Calls from the other thread. */
function answerer(port: MessagePort, answer: Answer) {
  const underWay = new Map<number, AbortController>();
  let isClosed = false;
  const say = (message: Message): void => {
    if (!isClosed) port.postMessage(message);
  };
  return {
    async take({ id, name, args, has_signal }: Extract<Message, { name: string }>): Promise<void> {
      const controller = new AbortController();
      if (has_signal) underWay.set(id, controller);
      try {
        say({ id, value: await answer(name, has_signal ? [...args, controller.signal] : args) });
      } catch (error) {
        say({ id, thrown: writeThrown(error) });
      } finally {
        underWay.delete(id);
      }
    },
    abort: (id: number): void => underWay.get(id)?.abort(),
    close(): void {
      isClosed = true;
      for (const controller of underWay.values()) controller.abort();
    },
  };
}
