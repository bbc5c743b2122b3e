import type { CallInSession } from './call-in-session.ts';
import type { RpcId } from './rpc.ts';

/** The running calls within sessions of this process. */
interface OpenCalls {
  has(sessionId: string, id: RpcId): boolean;
  /** Until the call ends. */
  keep(sessionId: string, id: RpcId, call: CallInSession): void;
  /** Returns the call that waits for messages to this address. */
  waitingAt(sessionId: string, address: string): CallInSession | undefined;
  close(sessionId: string): void;
  closeAll(): void;
}

export function openCalls(): OpenCalls {
  const calls = new Map<string, Map<RpcId, CallInSession>>();
  const of = (sessionId: string): CallInSession[] => [...(calls.get(sessionId)?.values() ?? [])];
  return {
    has: (sessionId, id) => calls.get(sessionId)?.has(id) === true,
    keep: (sessionId, id, call) => {
      const known = calls.get(sessionId) ?? new Map<RpcId, CallInSession>();
      calls.set(sessionId, known.set(id, call));
      void call.over.then(() => {
        known.delete(id);
        if (known.size === 0) calls.delete(sessionId);
      });
    },
    waitingAt: (sessionId, address) => of(sessionId).find(({ addresses }) => addresses.includes(address)),
    close: (sessionId) => {
      for (const call of of(sessionId)) call.close();
    },
    closeAll: () => {
      for (const sessionId of [...calls.keys()]) for (const call of of(sessionId)) call.close();
    },
  };
}
