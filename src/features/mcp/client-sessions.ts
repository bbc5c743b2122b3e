import { randomUUID } from 'node:crypto';
import type { Server, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import type { Clock } from '../../platform/clock.ts';
import type { RpcId } from './rpc.ts';
import type { Sdk } from './sdk.ts';
import type { MakeServer } from './serving.ts';

/**
 * Sessions of the older revisions, for clients that can be asked something in the middle of a call. They live in this
 * process alone: where one is not known the client is told so, and begins a new one.
 */

export interface ClientSession {
  id: string;
  /** The user's id; null where it was begun without a credential. Nobody else may use it. */
  user_id: string | null;
  /** Whom it counts against. */
  quota: string;
  transport: WebStandardStreamableHTTPServerTransport;
  server: Server;
  /** Ids of requests that are not answered yet. */
  in_flight: Set<RpcId>;
  used_at_ms: number;
}

export interface ClientSessions {
  /** Null where no more are taken; the client is served without one. */
  begin(
    sdk: Sdk,
    makeServer: MakeServer,
    owner: Pick<ClientSession, 'user_id' | 'quota'>,
  ): Promise<ClientSession | null>;
  /** Null where there is none of this id, or it is somebody else's. */
  find(id: string, user_id: string | null): ClientSession | null;
  end(session: ClientSession): Promise<void>;
  count(): number;
}

export interface ClientSessionsOptions {
  clock: Clock;
  max: number;
  idle_ms: number;
}

const PER_OWNER = 10;
/** Many clients may stand behind one address: they do not take each other's sessions while these are in use. */
const IN_USE_MS = 60_000;

export function clientSessions({ clock, max, idle_ms }: ClientSessionsOptions): ClientSessions {
  const sessions = new Map<string, ClientSession>();
  const end = async (session: ClientSession): Promise<void> => {
    sessions.delete(session.id);
    await session.transport.close();
  };
  const isUnused = ({ in_flight, used_at_ms }: ClientSession, for_ms: number): boolean =>
    in_flight.size === 0 && used_at_ms + for_ms <= clock.now();
  const endIdle = () => Promise.all([...sessions.values()].filter((it) => isUnused(it, idle_ms)).map(end));
  /** Ends the one of this owner that was used least lately, where they have too many; false where all are in use. */
  const makeRoom = async (quota: string): Promise<boolean> => {
    const theirs = [...sessions.values()].filter((it) => it.quota === quota);
    if (theirs.length < PER_OWNER) return sessions.size < max;
    const oldest = theirs.reduce((a, b) => (b.used_at_ms < a.used_at_ms ? b : a));
    if (!isUnused(oldest, IN_USE_MS)) return false;
    await end(oldest);
    return sessions.size < max;
  };
  return {
    async begin(sdk, makeServer, owner) {
      await endIdle();
      if (!(await makeRoom(owner.quota))) return null;
      const id = randomUUID();
      const transport = new sdk.WebStandardStreamableHTTPServerTransport({ sessionIdGenerator: () => id });
      const server = makeServer(null);
      const session = { ...owner, id, transport, server, in_flight: new Set<RpcId>(), used_at_ms: clock.now() };
      sessions.set(id, session);
      await server.connect(transport);
      return session;
    },
    find(id, user_id) {
      const session = sessions.get(id);
      if (session === undefined || session.user_id !== user_id) return null;
      if (isUnused(session, idle_ms)) {
        void end(session);
        return null;
      }
      session.used_at_ms = clock.now();
      return session;
    },
    end,
    count: () => sessions.size,
  };
}
