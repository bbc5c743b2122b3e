import type { Kysely } from 'kysely';
import type { EnsureDetail } from '#catalog/details/fetch-details.ts';
import type { Clock } from '#core/clock/clock.ts';
import type { Schema } from '#core/db/schema.ts';
import type { Models } from '#core/llm/models.ts';
import type { OutboundFetch } from '#core/outbound/outbound.ts';
import type { Tool } from '#core/tools/tool.ts';
import type { Sandbox } from '#runtime/sandbox/sandbox.ts';
import type { ResolveCapability } from '../capability.ts';

/** What rigs are put together from and run with. */
export interface RigDeps {
  db: Kysely<Schema>;
  clock: Clock;
  fetch: OutboundFetch;
  sandbox: Sandbox;
  models: Models;
  resolve: ResolveCapability;
  ensureDetail: EnsureDetail;
  /** The tools of this service; rigs get those of them that anybody may call and that change nothing. */
  ownTools(): Promise<readonly Tool[]>;
}
