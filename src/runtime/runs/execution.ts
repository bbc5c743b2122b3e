import { join } from 'node:path';
import type { Kysely } from 'kysely';
import type { EnsureDetail } from '#catalog/details/fetch-details.ts';
import { learnClass } from '#catalog/details/learn-class.ts';
import { clawhub } from '#catalog/providers/clawhub/provider.ts';
import type { Clock } from '#core/clock/clock.ts';
import type { Values } from '#core/config/config.ts';
import type { Schema } from '#core/db/schema.ts';
import type { OutboundFetch } from '#core/outbound/outbound.ts';
import type { Tracing } from '#core/traces/tracing.ts';
import { openBundleStore } from '#runtime/bundles/bundle-store.ts';
import { createBundles } from '#runtime/bundles/bundles.ts';
import type { Sandbox } from '#runtime/sandbox/sandbox.ts';
import type { SkillShelf } from '#runtime/skills/load-skills.ts';
import type { Capability, CapabilityKind, ResolveCapability } from './capability.ts';
import { createResolve, type ResolveKind } from './resolve.ts';
import { resolveListing } from './resolve-listing.ts';
import { resolveSkill } from './resolve-skill.ts';
import type { RunResult } from './run.ts';
import { type RunRequest, runCapability } from './run-capability.ts';
import type { EXECUTION_SETTINGS } from './settings.ts';
import type { PromptRunner } from './skill-capability.ts';

export interface ExecutionDeps {
  db: Kysely<Schema>;
  clock: Clock;
  skills: Pick<SkillShelf, 'get'>;
  sandbox: Sandbox;
  prompt: PromptRunner | null;
  tracing: Tracing;
  ensureDetail: EnsureDetail;
  /** The guarded way out. */
  fetch: OutboundFetch;
  /** Fetched skills are kept below it. */
  data_dir: string;
  config: Pick<Values<typeof EXECUTION_SETTINGS>, 'github_url' | 'bundle_cache_mb'>;
  /** In place of ClawHub's own address. */
  clawhub_url: string | null;
  /** What later features resolve. */
  kinds?: Partial<Record<CapabilityKind, ResolveKind>>;
}

/** Finding what runs, and running it: what everybody who runs something is given. */
export interface Execution {
  resolve: ResolveCapability;
  run(capability: Capability, request: Omit<RunRequest, 'tracing'>): Promise<RunResult>;
}

const GITHUB_URL = 'https://codeload.github.com';
const MB = 1024 * 1024;

export function createExecution(deps: ExecutionDeps): Execution {
  const { clock, fetch, data_dir, config, clawhub_url, tracing, kinds } = deps;
  const store = openBundleStore({ dir: join(data_dir, 'bundles'), max_bytes: config.bundle_cache_mb * MB, clock });
  const urls = { clawhub: clawhub_url ?? clawhub.base_url, github: config.github_url ?? GITHUB_URL };
  const bundles = createBundles({ store, fetch, urls });
  return {
    resolve: createResolve({
      skill: resolveSkill(deps),
      listing: resolveListing({ ...deps, bundles, learnClass: learnClass(deps) }),
      ...kinds,
    }),
    run: (capability, request) => runCapability(capability, { ...request, tracing }),
  };
}
