import type { CallInSession } from './call-in-session.ts';
import type { RpcId } from './rpc.ts';

/** The running calls within sessions of this process. */
interface OpenCalls {
  has(session_id: string, id: RpcId): boolean;
  /** Until the call ends. */
  keep(session_id: string, id: RpcId, call: CallInSession): void;
  /** Returns the call that waits for messages to this address. */
  waitingAt(session_id: string, address: string): CallInSession | undefined;
  close(session_id: string): void;
  closeAll(): void;
}

export function openCalls(): OpenCalls {
  const calls = new Map<string, Map<RpcId, CallInSession>>();
  const of = (session_id: string): CallInSession[] => [...(calls.get(session_id)?.values() ?? [])];
  return {
    has: (session_id, id) => calls.get(session_id)?.has(id) === true,
    keep: (session_id, id, call) => {
      const known = calls.get(session_id) ?? new Map<RpcId, CallInSession>();
      calls.set(session_id, known.set(id, call));
      void call.over.then(() => {
        known.delete(id);
        if (known.size === 0) calls.delete(session_id);
      });
    },
    waitingAt: (session_id, address) => of(session_id).find(({ addresses }) => addresses.includes(address)),
    close: (session_id) => {
      for (const call of of(session_id)) call.close();
    },
    closeAll: () => {
      for (const session_id of [...calls.keys()]) for (const call of of(session_id)) call.close();
    },
  };
}
