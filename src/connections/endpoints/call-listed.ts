import type { Connection } from '#connections/connections/connection.ts';
import { findConnection, type Owned } from '#connections/connections/connections.ts';
import type { ConnectionsDeps } from '#connections/connections/deps.ts';
import { usableConnection } from '#connections/connections/usable-connection.ts';
import { connectionsProblem } from '#connections/errors.ts';
import { askedBy, type NotAsked } from '#connections/questions/noted-questions.ts';
import { readyCall, recordRefusal } from '#connections/tools/recorded-call.ts';
import { TIMEOUT_MS, tracedCall } from '#connections/tools/traced-call.ts';
import type { Share } from '#core/fair-queue/share.ts';
import { stepsAsProgress } from '#core/mcp/packaged-servers.ts';
import type { AskPerson } from '#core/mcp/questions.ts';
import type { Problem } from '#core/problem/problem.ts';
import { closeNames } from '#core/text/close-names.ts';
import { plain, quoted } from '#core/tools/words.ts';
import type { Choice, Endpoint } from './endpoints.ts';
import { listedName, prefixOf } from './tool-names.ts';

/** Calls a tool of an endpoint by its listed name. Calls of its connections have receipts, refused ones too. */

interface ListedCall {
  name: string;
  args: Record<string, unknown>;
  share: Share;
  /** The client's `traceparent`. */
  traceparent: string | undefined;
  signal: AbortSignal;
  ask: AskPerson | NotAsked;
  progress(done: number, total: number | null, message: string): void;
}

/** Throws `connections.not_found` (`tool`) for a name that the endpoint does not offer, and what calling throws. */
export async function callListed(deps: ConnectionsDeps, endpoint: Endpoint, call: ListedCall) {
  const { name, args, share, traceparent, signal, ask, progress } = call;
  const choice = endpoint.choices.find(({ prefix }) => prefix === prefixOf(name));
  if (choice === undefined)
    throw notOffered(
      name,
      endpoint.choices.map(({ prefix }) => `${prefix}__…`),
      'Its tools are named',
    );
  const of = { user_id: endpoint.user_id, id: choice.connection_id };
  const tool = await chosenTool(deps, of, choice, call);
  await confirm(deps, of, choice, { ...call, tool });
  const on_step = stepsAsProgress(progress);
  const ready = await readyCall(deps, of, { tool, args, share, signal, on_step });
  return tracedCall(deps, ready, {
    args,
    timeout_ms: TIMEOUT_MS,
    traceparent,
    signal,
    ask: askedBy(ready.connection.name, ask),
    on_step,
    on_progress: ({ progress: done, total, message }) => progress(done, total ?? null, plain(message ?? '')),
  });
}

/** The exact name of the tool, if the endpoint's owner chose it. */
async function chosenTool(
  deps: ConnectionsDeps,
  of: Owned,
  { prefix, tools: chosen }: Choice,
  { name, args, signal }: ListedCall,
): Promise<string> {
  try {
    const connection = await usableConnection(deps.db, of);
    const { tools } = await deps.tool_lists.read(connection, false, { signal });
    const offered = new Map(
      [...tools.keys()]
        .filter((tool) => chosen === null || chosen.includes(tool))
        .map((tool) => [listedName(prefix, tool), tool]),
    );
    const tool = offered.get(name);
    if (tool === undefined) throw notOffered(name, similarNames(name, prefix, offered.keys()), 'Similar tools:');
    return tool;
  } catch (error) {
    const connection = await findConnection(deps.db, of);
    if (connection === undefined) throw error;
    await deps.call_records.admit(of.user_id);
    throw await recordRefusal(deps, connection, { known: name, args }, error, signal);
  }
}

const MOST_ARGUMENTS = 1_500;

/** Asks the owner of the endpoint, if they want to be asked before each call of this tool. */
async function confirm(
  deps: ConnectionsDeps,
  of: Owned,
  { ask_except }: Choice,
  { tool, args, ask, signal }: ListedCall & { tool: string },
): Promise<void> {
  if (ask_except === null || ask_except.includes(tool)) return;
  const connection = await findConnection(deps.db, of);
  if (connection === undefined) return;
  const problem = typeof ask === 'string' ? notAsked(ask) : await refusalOf(ask, connection, { tool, args, signal });
  if (problem === null) return;
  await deps.call_records.admit(of.user_id);
  throw await recordRefusal(deps, connection, { known: tool, args }, problem, signal);
}

/** Null if the call was confirmed. */
async function refusalOf(
  ask: AskPerson,
  { name }: Connection,
  { tool, args, signal }: { tool: string; args: Record<string, unknown>; signal: AbortSignal },
): Promise<Problem | null> {
  const message = `Call ${quoted(tool, 200)} of ${quoted(name, 100)}? It may change something. ${argumentsText(args)}`;
  const answer = await ask({ message, schema: NO_FIELDS, link: null }, signal);
  if (answer.action === 'accept') return null;
  if (answer.action === 'cancel') return unanswered(answer.reason);
  // A client that shows no forms declines without asking its user.
  return answer.reason === undefined ? declined() : notAsked(answer.reason);
}

/** Says how much is not shown, so that nobody confirms what is hidden behind a long beginning without knowing. */
function argumentsText(args: Record<string, unknown>): string {
  const json = JSON.stringify(args);
  const what =
    json.length <= MOST_ARGUMENTS
      ? 'Its arguments'
      : `Only the beginning of its ${json.length} characters of arguments`;
  return `${what}: ${plain(json, MOST_ARGUMENTS)}`;
}

const NO_FIELDS = { type: 'object', properties: {} };

const notAsked = (why: string): Problem =>
  connectionsProblem(
    'connections.confirmation_required',
    `The owner of this endpoint must confirm each call of this tool. ${why}`,
    { reason: 'not_asked' },
  );

const declined = (): Problem =>
  connectionsProblem('connections.confirmation_required', 'The owner of this endpoint declined this call.', {
    reason: 'declined',
  });

const unanswered = (why = 'The question was closed without an answer.'): Problem =>
  connectionsProblem('connections.confirmation_required', `The call was not confirmed. ${why}`, {
    reason: 'unanswered',
  });

/** Compared without the prefix, which all of them have. */
function similarNames(name: string, prefix: string, offered: Iterable<string>): string[] {
  const bare = Iterator.from(offered).map((listed) => listed.slice(prefix.length));
  return closeNames(name.slice(prefix.length), bare).map((tool) => `${prefix}${tool}`);
}

const MOST_NAMED = 10;

/** Only names that the endpoint lists are suggested. */
function notOffered(name: string, named: readonly string[], words: string): Problem {
  const shown = named.slice(0, MOST_NAMED).map((one) => quoted(one, 100));
  const hint = shown.length === 0 ? '' : ` ${words} ${shown.join(', ')}.`;
  return connectionsProblem(
    'connections.not_found',
    `This endpoint does not offer the tool ${quoted(name, 100)}.${hint}`,
    {
      reason: 'tool',
    },
  );
}
