import {
  type ConnectionState,
  findConnection,
  isPinned,
  listConnections,
  statesOf,
} from '#connections/connections/connections.ts';
import type { ConnectionsDeps } from '#connections/connections/deps.ts';
import { noSuchConnection } from '#connections/connections/failures.ts';
import { connectionsProblem } from '#connections/errors.ts';
import { countPinsOf, pinTools } from '#connections/tools/pinned-tools.ts';
import { isoTime } from '#core/clock/clock.ts';
import { coreProblem } from '#core/errors.ts';
import type { Problem } from '#core/problem/problem.ts';
import { type Choice, type Endpoint, MOST_CHOICES } from './endpoints.ts';
import { prefixFor } from './tool-names.ts';

/** Checks a choice of connections and tools, and shows it. */

interface Asked {
  id: string;
  tools?: string[] | null | undefined;
  /** As before where it is left out. */
  ask_except?: string[] | null | undefined;
}

type Deps = Pick<ConnectionsDeps, 'db' | 'clock' | 'tool_lists'>;

/** A connection keeps its prefix, so that names of its tools stay the same. Throws `connections.not_found` (`connection`). */
export async function chosenConnections(
  deps: Deps,
  user_id: string,
  asked: readonly Asked[] | undefined,
  before: readonly Choice[],
): Promise<Choice[]> {
  const { db } = deps;
  const wanted = asked ?? (await listConnections(db, user_id, { limit: MOST_CHOICES, offset: 0 })).items.reverse();
  const kept = new Map(before.map((choice) => [choice.connection_id, choice]));
  const taken = new Set(wanted.flatMap(({ id }) => kept.get(id)?.prefix ?? []));
  const choices: Choice[] = [];
  for (const [at, { id, ...choice }] of wanted.entries()) {
    const connection = await findConnection(db, { user_id, id });
    if (connection === undefined) throw noSuchConnection();
    if (choices.some(({ connection_id }) => connection_id === id)) throw twice(at);
    const prefix = kept.get(id)?.prefix ?? prefixFor(connection.name, taken);
    taken.add(prefix);
    const { tools = null, ask_except = kept.get(id)?.ask_except ?? null } = choice as Omit<Asked, 'id'>;
    choices.push({ connection_id: id, prefix, tools, ask_except });
    await pinStored(deps, connection);
  }
  return choices;
}

/** Accepts the tools as they were last listed; of a server that was never listed, when it is. */
export async function pinStored(
  { db, clock, tool_lists }: Deps,
  connection: Parameters<Deps['tool_lists']['stored']>[0],
) {
  if (await isPinned(db, connection.id)) return;
  const list = await tool_lists.stored(connection);
  if (list !== null) await pinTools(db, connection.id, list.tools.values(), isoTime(clock.now()));
}

const twice = (at: number): Problem =>
  coreProblem('http.invalid', 'Each connection can be chosen once.', {
    reason: 'input',
    errors: [{ pointer: `/connections/${at}/id`, detail: 'is chosen before' }],
  });

export const noSuchEndpoint = (): Problem =>
  connectionsProblem('connections.not_found', 'Endpoint not found.', { reason: 'endpoint' });

type Shown = Omit<Endpoint, 'user_id' | 'choices'> & {
  url: string;
  connections: (ConnectionState & Omit<Choice, 'connection_id'> & { accepted: number })[];
};

/** As their owner sees them. */
export async function shownEndpoints(
  { db, base_url }: Pick<ConnectionsDeps, 'db' | 'base_url'>,
  user_id: string,
  endpoints: readonly Endpoint[],
): Promise<Shown[]> {
  const [states, pins] = await Promise.all([statesOf(db, user_id), countPinsOf(db, user_id)]);
  return endpoints.map(({ user_id: _, choices, ...rest }) => ({
    ...rest,
    url: `${base_url}${MINE_PATH}`,
    connections: choices.flatMap(({ connection_id, ...choice }) => {
      const state = states.get(connection_id);
      return state === undefined ? [] : [{ ...state, ...choice, accepted: pins.get(connection_id) ?? 0 }];
    }),
  }));
}

export const shownEndpoint = async (
  deps: Pick<ConnectionsDeps, 'db' | 'base_url'>,
  endpoint: Endpoint,
): Promise<Shown> => (await shownEndpoints(deps, endpoint.user_id, [endpoint]))[0] as Shown;

/** About what they take in storage: names of tools may be many and long. */
export const bytesOf = (choices: readonly Choice[]): number => Buffer.byteLength(JSON.stringify(choices));

export const MINE_PATH = '/mcp/mine';
