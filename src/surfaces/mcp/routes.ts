import { metadataUrl } from '#accounts/auth/refusals.ts';
import { MCP_PATH, SHORT_MCP_PATH } from '#accounts/auth/resources.ts';
import type { Clock } from '#core/clock/clock.ts';
import type { Values } from '#core/config/config.ts';
import { deriveKey, type KeyProvider } from '#core/crypto/secret-keys.ts';
import type { Database } from '#core/db/open.ts';
import type { Routes } from '#core/http/operation.ts';
import type { Log } from '#core/log.ts';
import { SERVICE } from '#core/service.ts';
import type { Offer } from '#core/tools/offer.ts';
import type { Tracing } from '#core/traces/tracing.ts';
import { toolCaller } from './call-tool.ts';
import { clientSessions } from './client-sessions.ts';
import type { mcpContract } from './contract.ts';
import { endSession } from './end-session.ts';
import { createEndpoint } from './endpoint.ts';
import { createGate } from './gate.ts';
import { INSTRUCTIONS } from './instructions.ts';
import { listPrompts } from './list-prompts.ts';
import { listResources } from './list-resources.ts';
import { listTools } from './list-tools.ts';
import { completionMethods } from './methods/completion.ts';
import { promptMethods } from './methods/prompts.ts';
import { resourceMethods } from './methods/resources.ts';
import { toolMethods } from './methods/tools.ts';
import { openStream } from './open-stream.ts';
import { originCheck } from './origin.ts';
import { pagination } from './pages.ts';
import { sendMessage } from './send-message.ts';
import { serveSession } from './serve-session.ts';
import { serverMaker } from './serving.ts';
import { sessionMail } from './session-mail.ts';
import type { MCP_SETTINGS } from './settings.ts';

interface McpOptions {
  offer: Offer;
  database: Database;
  clock: Clock;
  log: Log;
  keys: KeyProvider;
  tracing: Pick<Tracing, 'tracer'>;
  /** The public URL without a trailing slash. */
  base_url: string;
  allowed_origins: readonly string[];
  /** Aborts when the process begins to stop. */
  stopping: AbortSignal;
  /** Aborts when the process no longer answers. */
  ended: AbortSignal;
  production: boolean;
  /** Converts errors that an operator can fix to Problems. */
  explain(error: unknown): unknown;
  config: Values<typeof MCP_SETTINGS>;
}

export function mcpRoutes(options: McpOptions): Routes<typeof mcpContract> {
  const { offer, base_url, database, clock, log, keys, explain, stopping, ended } = options;
  const sessions = clientSessions({ database, clock, ...options.config });
  const paginate = pagination(deriveKey(keys, 'mcp cursors'));
  const icons = [{ src: `${base_url}/assets/icon.svg`, mimeType: 'image/svg+xml', sizes: ['any'] }];
  const { name, title, version, description } = SERVICE;
  const methods = {
    ...toolMethods({ tools: offer.tools, paginate, icons, callTool: toolCaller(options) }),
    ...resourceMethods(offer.resources, paginate),
    ...promptMethods(offer.prompts, paginate),
    ...completionMethods(offer),
  };
  const endpoint = createEndpoint({
    log,
    sessions,
    within: serveSession({ sessions, mail: sessionMail({ database, clock, keys, sessions }), stopping, ended }),
    gate: createGate(offer, (path) => metadataUrl(base_url, path === SHORT_MCP_PATH ? path : MCP_PATH)),
    admitOrigin: originCheck(options),
    makeServers: (sdk) =>
      serverMaker({
        sdk,
        offer,
        methods,
        log,
        explain,
        identity: { name, title, version, description, websiteUrl: base_url, icons },
        instructions: INSTRUCTIONS,
        state_key: deriveKey(keys, 'mcp request state'),
      }),
  });
  return {
    sendMessage: sendMessage(endpoint),
    openStream: openStream(endpoint),
    endSession: endSession(endpoint),
    listTools: listTools(offer),
    listResources: listResources(offer),
    listPrompts: listPrompts(offer),
  };
}
