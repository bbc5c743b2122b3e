import { LRUCache } from 'lru-cache';
import { defined } from '#core/defined.ts';
import type { McpFailure } from '#core/mcp/failure.ts';
import type { ServerQuestion } from '#core/mcp/questions.ts';
import type { McpSession } from '#core/mcp/session.ts';
import { isNestedTooDeep } from '#core/text/keepable.ts';
import { type SecretValues, secretValues } from '#core/text/secret-values.ts';
import type { Carried } from './seams.ts';

/**
 * Removes a connection's secrets from everything its server returns, where it is read: a server may repeat what it
 * received, and its responses are stored in spans and tasks and shown to models.
 */

/** Limit of cached automata, which contain the secrets. */
const MOST_BYTES = 32 * 1024 * 1024;
const LEAST_BYTES = 4_096;

export type ScrubberOf = (carried: Pick<Carried, 'version' | 'secrets'>, connectionId: string) => SecretValues;

/** Cached as long as the connection's credentials stay the same. */
export function scrubbers(): ScrubberOf {
  const kept = new LRUCache<string, SecretValues>({
    maxSize: MOST_BYTES,
    sizeCalculation: ({ bytes }) => LEAST_BYTES + bytes,
  });
  return ({ version, secrets }, connectionId) => {
    const key = `${connectionId} ${version}`;
    const known = kept.get(key);
    if (known !== undefined) return known;
    const made = secretValues(secrets);
    kept.set(key, made);
    return made;
  };
}

/** Wraps a session and removes the secrets from everything the server returns. */
export function scrubbedSession(session: McpSession, { scrub, scrubJson }: SecretValues): McpSession {
  // The caller rejects values that are nested too deep.
  const clean = <T>(value: T): T => (isNestedTooDeep(value) ? value : scrubJson(value));
  const { server } = session;
  return {
    ...session,
    server: server === null ? null : { name: scrub(server.name), version: scrub(server.version) },
    listTools: async () => clean(await session.listTools()),
    listResources: async () => clean(await session.listResources()),
    readResource: async (call) => clean(await session.readResource(call)),
    listPrompts: async () => clean(await session.listPrompts()),
    getPrompt: async (call) => clean(await session.getPrompt(call)),
    callTool: async (call) => {
      const { on_progress, on_question } = call;
      const told =
        on_progress === undefined
          ? {}
          : { on_progress: (mcpProgress: Parameters<typeof on_progress>[0]) => on_progress(clean(mcpProgress)) };
      const asks = defined({
        on_question:
          on_question === undefined
            ? undefined
            : (question: ServerQuestion, ended?: AbortSignal) => on_question(clean(question), ended),
      });
      return clean(await session.callTool({ ...call, ...told, ...asks }));
    },
  };
}

/** Also for failures; the egress guard may have repeated an address. */
export function scrubbed(failure: McpFailure, { scrub }: SecretValues): McpFailure {
  const { detail, challenge } = failure;
  return { ...failure, detail: scrub(detail), challenge: challenge === null ? null : scrub(challenge) };
}
