import { isIP } from 'node:net';
import { AUTH_SETTINGS } from '#accounts/auth/settings.ts';
import { USERS_SETTINGS } from '#accounts/users/settings.ts';
import { REGISTRY_SETTINGS } from '#catalog/items/settings.ts';
import { PROBES_SETTINGS } from '#catalog/probes/settings.ts';
import { FEEDBACK_SETTINGS } from '#catalog/search/feedback/settings.ts';
import { SEARCH_SETTINGS } from '#catalog/search/model/settings.ts';
import { CONNECTIONS_SETTINGS } from '#connections/connections/settings.ts';
import { AUDIT_SETTINGS } from '#core/audit/settings.ts';
import { readConfig, SERVER_SETTINGS, type Values } from '#core/config/config.ts';
import { HEALTH_SETTINGS } from '#core/health/settings.ts';
import { LIMIT_SETTINGS } from '#core/limits/settings.ts';
import { LLM_SETTINGS } from '#core/llm/settings.ts';
import { MAIL_SETTINGS } from '#core/mail/settings.ts';
import { isLoopbackHost } from '#core/outbound/loopback.ts';
import { TELEMETRY_SETTINGS } from '#core/telemetry/settings.ts';
import { TRACES_SETTINGS } from '#core/traces/settings.ts';
import { MARKETPLACE_SETTINGS } from '#marketplace/listings/settings.ts';
import { PROOF_SETTINGS } from '#marketplace/proof/settings.ts';
import { HARNESSES_SETTINGS } from '#runtime/harnesses/settings.ts';
import { RUNTIME_SETTINGS } from '#runtime/packaged/settings.ts';
import { PACKAGES_SETTINGS } from '#runtime/packages/settings.ts';
import { RECEIPTS_SETTINGS } from '#runtime/receipts/settings.ts';
import { RIGS_SETTINGS } from '#runtime/rigs/settings.ts';
import { EXECUTION_SETTINGS } from '#runtime/runs/settings.ts';
import { TASK_SETTINGS } from '#runtime/tasks/settings.ts';
import { TRIAL_SETTINGS } from '#runtime/trials/settings.ts';
import { AGENT_SETTINGS } from '#surfaces/agent/settings.ts';
import { DOCUMENTS_SETTINGS } from '#surfaces/documents/settings.ts';
import { MCP_SETTINGS } from '#surfaces/mcp/settings.ts';
import { BACKUP_SETTINGS } from './backup/settings.ts';

/** Every setting of the program. */
export const SETTINGS = {
  server: SERVER_SETTINGS,
  health: HEALTH_SETTINGS,
  limits: LIMIT_SETTINGS,
  mail: MAIL_SETTINGS,
  llm: LLM_SETTINGS,
  audit: AUDIT_SETTINGS,
  users: USERS_SETTINGS,
  auth: AUTH_SETTINGS,
  registry: REGISTRY_SETTINGS,
  search: SEARCH_SETTINGS,
  telemetry: TELEMETRY_SETTINGS,
  traces: TRACES_SETTINGS,
  connections: CONNECTIONS_SETTINGS,
  probes: PROBES_SETTINGS,
  harnesses: HARNESSES_SETTINGS,
  rigs: RIGS_SETTINGS,
  receipts: RECEIPTS_SETTINGS,
  execution: EXECUTION_SETTINGS,
  runtime: { ...RUNTIME_SETTINGS, ...PACKAGES_SETTINGS },
  tasks: TASK_SETTINGS,
  trials: TRIAL_SETTINGS,
  agents: AGENT_SETTINGS,
  marketplace: MARKETPLACE_SETTINGS,
  search_feedback: FEEDBACK_SETTINGS,
  proof: PROOF_SETTINGS,
  mcp: MCP_SETTINGS,
  documents: DOCUMENTS_SETTINGS,
  backup: BACKUP_SETTINGS,
} as const;
export type Config = Values<typeof SETTINGS>;

export const readProgramConfig = (env: Record<string, string | undefined>): Config => readConfig(SETTINGS, env);

/** Decides whether production rules apply. */
export const isProduction = (config: Config): boolean => whyProduction(config) !== null;

/**
 * The setting and value that make it production: set explicitly, or reachable from other hosts. Null for a local
 * service.
 */
export function whyProduction({ server: { node_env, host, public_url } }: Pick<Config, 'server'>): string | null {
  if (node_env === 'production') return 'NODE_ENV=production';
  if (!isLoopbackHost(host)) return `HOST=${host}`;
  if (public_url !== null && !isLoopbackHost(new URL(public_url).hostname)) return `PUBLIC_URL=${public_url}`;
  return null;
}

/** Host names that requests may use in addition to localhost and addresses. */
export const hostNames = ({ server: { host, public_url, allowed_hosts } }: Pick<Config, 'server'>): string[] => [
  ...(isIP(host) === 0 ? [host.toLowerCase()] : []),
  ...(public_url === null ? [] : [new URL(public_url).hostname]),
  ...allowed_hosts,
];
