import { AGENT_SETTINGS } from './features/agents/settings.ts';
import { AUDIT_SETTINGS } from './features/audit/settings.ts';
import { AUTH_SETTINGS } from './features/auth/settings.ts';
import { BACKUP_SETTINGS } from './features/backup/settings.ts';
import { EXECUTION_SETTINGS } from './features/execution/settings.ts';
import { HARNESSES_SETTINGS } from './features/harnesses/settings.ts';
import { PROOF_SETTINGS } from './features/marketplace/proof/settings.ts';
import { MARKETPLACE_SETTINGS } from './features/marketplace/settings.ts';
import { MCP_SETTINGS } from './features/mcp/settings.ts';
import { PROBES_SETTINGS } from './features/probes/settings.ts';
import { RECEIPTS_SETTINGS } from './features/receipts/settings.ts';
import { REGISTRY_SETTINGS } from './features/registry/settings.ts';
import { RIGS_SETTINGS } from './features/rigs/settings.ts';
import { SESSIONS_SETTINGS } from './features/sessions/settings.ts';
import { TASK_SETTINGS } from './features/tasks/settings.ts';
import { TRACES_SETTINGS } from './features/traces/settings.ts';
import { readConfig, SERVER_SETTINGS, type Values } from './platform/config.ts';
import { HEALTH_SETTINGS } from './platform/health/settings.ts';
import { LIMIT_SETTINGS } from './platform/limits/settings.ts';
import { LLM_SETTINGS } from './platform/llm/settings.ts';
import { MAIL_SETTINGS } from './platform/mail/settings.ts';
import { TELEMETRY_SETTINGS } from './platform/telemetry/settings.ts';

/** Every setting of the program. */
export const SETTINGS = {
  server: SERVER_SETTINGS,
  health: HEALTH_SETTINGS,
  limits: LIMIT_SETTINGS,
  mail: MAIL_SETTINGS,
  llm: LLM_SETTINGS,
  audit: AUDIT_SETTINGS,
  auth: AUTH_SETTINGS,
  registry: REGISTRY_SETTINGS,
  telemetry: TELEMETRY_SETTINGS,
  traces: TRACES_SETTINGS,
  sessions: SESSIONS_SETTINGS,
  probes: PROBES_SETTINGS,
  harnesses: HARNESSES_SETTINGS,
  rigs: RIGS_SETTINGS,
  receipts: RECEIPTS_SETTINGS,
  execution: EXECUTION_SETTINGS,
  tasks: TASK_SETTINGS,
  agents: AGENT_SETTINGS,
  marketplace: MARKETPLACE_SETTINGS,
  proof: PROOF_SETTINGS,
  mcp: MCP_SETTINGS,
  backup: BACKUP_SETTINGS,
} as const;
export type Config = Values<typeof SETTINGS>;

export const readProgramConfig = (env: Record<string, string | undefined>): Config => readConfig(SETTINGS, env);

/** Production: said so, or reached from elsewhere. */
export const isProduction = ({ server }: Config): boolean =>
  server.node_env === 'production' || (server.public_url !== null && !isLoopback(new URL(server.public_url).hostname));

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host);
