import type { Connection } from '#connections/connections/connection.ts';
import { isPinned } from '#connections/connections/connections.ts';
import type { ConnectionsDeps } from '#connections/connections/deps.ts';
import { usableConnection } from '#connections/connections/usable-connection.ts';
import { connectionsProblem } from '#connections/errors.ts';
import { listPins, pinTools } from '#connections/tools/pinned-tools.ts';
import type { ToolList } from '#connections/tools/tool-lists.ts';
import { isoTime } from '#core/clock/clock.ts';
import type { KnownTool } from '#core/mcp/tool.ts';
import { Problem } from '#core/problem/problem.ts';
import { plain } from '#core/tools/words.ts';
import type { Choice, Endpoint } from './endpoints.ts';
import { inTime, LONGEST_WAIT_MS } from './in-time.ts';
import { listedName } from './tool-names.ts';

/** The tools that an endpoint offers now: chosen ones of its connections that are exactly as their owner accepted them. */

export interface OfferedTool {
  /** Unique in the endpoint. */
  name: string;
  /** Of its connection, before the name of the tool. */
  prefix: string;
  known: KnownTool;
  /** Names the account if the endpoint has several connections to this server; null otherwise. */
  account: string | null;
}

export interface Offered {
  /** By name. */
  tools: OfferedTool[];
  /** Tools that were added or changed and that the owner has not accepted yet. */
  waiting: { connection: string; tool: string; state: 'added' | 'changed' }[];
  /** Connections whose tools are unknown, or come from a list that could not be refreshed. */
  unavailable: { connection: string; code: string; detail: string; is_stored: boolean }[];
}

type OfferDeps = Pick<ConnectionsDeps, 'db' | 'clock' | 'tool_lists'>;

export async function offeredTools(deps: OfferDeps, { user_id, choices }: Endpoint): Promise<Offered> {
  const offered: Offered = { tools: [], waiting: [], unavailable: [] };
  const found = await Promise.all(choices.map((choice) => toolsOf(deps, user_id, choice)));
  const servers = Map.groupBy(found, ({ server }) => server);
  for (const part of found) {
    const isShared = (servers.get(part.server) ?? []).length > 1;
    offered.tools.push(...part.tools.map((tool) => ({ ...tool, account: isShared ? part.account : null })));
    offered.waiting.push(...part.waiting);
    offered.unavailable.push(...part.unavailable);
  }
  offered.tools.sort((a, b) => (a.name < b.name ? -1 : 1));
  return offered;
}

interface Part extends Offered {
  /** The address or package of its server; empty for a connection that cannot be used. */
  server: string;
  account: string;
}

async function toolsOf(deps: OfferDeps, user_id: string, choice: Choice): Promise<Part> {
  const { connection_id: id, prefix, tools: chosen } = choice;
  const part: Part = { tools: [], waiting: [], unavailable: [], server: '', account: '' };
  let connection: Connection;
  try {
    connection = await usableConnection(deps.db, { user_id, id });
  } catch (error) {
    return { ...part, unavailable: [unavailable(prefix, error, false)] };
  }
  part.server = connection.url;
  part.account = accountOf(connection);
  const { list, failure } = await listOf(deps, connection);
  if (failure !== null) part.unavailable.push(unavailable(prefix, failure, list !== null));
  if (list === null) return part;
  const pins = await pinsOf(deps, id, list);
  for (const known of list.tools.values()) {
    const tool = known.definition.name;
    if (chosen !== null && !chosen.includes(tool)) continue;
    const pin = pins.get(tool);
    if (pin === known.hash) part.tools.push({ name: listedName(prefix, tool), prefix, known, account: null });
    else part.waiting.push({ connection: prefix, tool, state: pin === undefined ? 'added' : 'changed' });
  }
  return part;
}

/** Such as `Work (ada@example.org)`. */
const accountOf = ({ name, auth }: Connection): string =>
  plain(auth.type === 'oauth' && auth.account !== undefined ? `${name} (${auth.account})` : name, 120);

/** The whole set is pinned when it is offered first: what the server adds later waits for its owner. */
async function pinsOf({ db, clock }: OfferDeps, id: string, { tools }: ToolList): Promise<Map<string, string>> {
  if (!(await isPinned(db, id))) await pinTools(db, id, tools.values(), isoTime(clock.now()));
  return listPins(db, id);
}

async function listOf(
  { tool_lists }: OfferDeps,
  connection: Connection,
): Promise<{ list: ToolList | null; failure: unknown }> {
  const asked = tool_lists.read(connection, false).then(
    (list) => ({ list, failure: null }),
    async (failure: unknown) => ({ list: await tool_lists.stored(connection), failure }),
  );
  const first = await inTime(asked);
  return first ?? { list: await tool_lists.stored(connection), failure: slow() };
}

const slow = (): Problem =>
  connectionsProblem('connections.timeout', `The server did not list its tools within ${LONGEST_WAIT_MS / 1_000} s.`);

/** A failure that is not expected is thrown: it is a bug. */
function unavailable(connection: string, failure: unknown, is_stored: boolean): Offered['unavailable'][number] {
  if (!(failure instanceof Problem)) throw failure;
  return { connection, code: failure.code, detail: failure.message, is_stored };
}
