import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads';

/**
 * Passes successive states from the first thread to another, through a port and a counter in shared memory. The counter
 * tells a reader that there is a newer state before its event loop has received the message.
 */

export interface Subscriber {
  port: MessagePort;
  /** One Int32 in shared memory. */
  sent: Int32Array;
}

/** The first thread's side. */
export interface Giving {
  give(state: unknown): void;
  /** Sends the newest state immediately, if there is one. */
  join(subscriber: Subscriber): void;
}

export function openGiving(take: (state: never) => void): Giving {
  const subscribers = new Set<Subscriber>();
  let newest: { state: unknown } | null = null;
  const send = ({ port, sent }: Subscriber, state: unknown): void => {
    port.postMessage(state);
    Atomics.add(sent, 0, 1);
  };
  return {
    give(state) {
      newest = { state };
      take(state as never);
      for (const subscriber of subscribers) send(subscriber, state);
    },
    join(subscriber) {
      subscribers.add(subscriber);
      subscriber.port.on('close', () => subscribers.delete(subscriber)).unref();
      if (newest !== null) send(subscriber, newest.state);
    },
  };
}

/** Another thread's side. Returns a function that takes everything sent so far. */
export function openTaking({ port, sent }: Subscriber, take: (state: never) => void): () => void {
  let taken = 0;
  const takeOne = (state: unknown): void => {
    taken++;
    take(state as never);
  };
  port.on('message', takeOne).unref();
  return () => {
    while (taken !== Atomics.load(sent, 0)) {
      const next = receiveMessageOnPort(port);
      // The port was closed with its process.
      if (next === undefined) return;
      takeOne(next.message);
    }
  };
}
