import { join } from 'node:path';
import type { Kysely } from 'kysely';
import type { EnsureDetail } from '#catalog/details/fetch-details.ts';
import { learnClass } from '#catalog/details/learn-class.ts';
import { readName } from '#catalog/identity/read-name.ts';
import { SKILL_HOSTS } from '#catalog/install/skill-hosts.ts';
import { type Nearest, withNearest } from '#catalog/search/nearest.ts';
import type { Clock } from '#core/clock/clock.ts';
import type { Values } from '#core/config/config.ts';
import type { Schema } from '#core/db/schema.ts';
import type { PackagedServers } from '#core/mcp/packaged-servers.ts';
import type { OutboundFetch } from '#core/outbound/outbound.ts';
import { openBundleStore } from '#runtime/bundles/bundle-store.ts';
import { createBundles } from '#runtime/bundles/bundles.ts';
import type { SkillGrants } from '#runtime/grants/open-grants.ts';
import type { NativeScripts } from '#runtime/native/native-scripts.ts';
import type { Sandbox } from '#runtime/sandbox/sandbox.ts';
import type { SkillStore } from '#runtime/skills/load-skills.ts';
import type { CapabilityKind, ResolveCapability, ResolveKind } from './capability.ts';
import { capabilityUnknown, kindUnsupported, versionGone } from './errors.ts';
import { findKind, type OwnNames } from './find-kind.ts';
import { ownNames } from './own-names.ts';
import { resolveListing } from './resolve-listing.ts';
import type { EXECUTION_SETTINGS } from './settings.ts';
import type { PromptRunner } from './skill-capability.ts';
import { resolveSkill } from './skill-capability.ts';

/** Resolves references of every kind. */

interface ResolveDeps {
  db: Kysely<Schema>;
  clock: Clock;
  skills: Pick<SkillStore, 'get'>;
  sandbox: Sandbox;
  prompt: PromptRunner | null;
  /** For skills of listings. Those of this service run in the sandbox. */
  native?: NativeScripts | undefined;
  /** What users gave those skills. */
  grants?: SkillGrants | undefined;
  ensureDetail: EnsureDetail;
  /** Through the egress guard. */
  fetch: OutboundFetch;
  packaged: PackagedServers;
  /** For names that nothing has. */
  nearest?: Nearest | undefined;
  /** Fetched skills are kept below it. */
  data_dir: string;
  config: Pick<Values<typeof EXECUTION_SETTINGS>, 'github_url' | 'bundle_cache_mb'>;
  /** Replaces ClawHub's address. */
  clawhub_url: string | null;
  /** The kinds that other parts of the service resolve. */
  kinds?: Partial<Record<CapabilityKind, ResolveKind>>;
}

const MB = 1024 * 1024;

export function openResolve(deps: ResolveDeps): ResolveCapability {
  const { clock, fetch, data_dir, config, clawhub_url, kinds } = deps;
  const store = openBundleStore({ dir: join(data_dir, 'bundles'), max_bytes: config.bundle_cache_mb * MB, clock });
  const urls = { clawhub: clawhub_url ?? SKILL_HOSTS.clawhub, github: config.github_url ?? SKILL_HOSTS.github };
  const bundles = createBundles({ store, fetch, urls });
  return createResolve(
    {
      skill: resolveSkill({ skills: deps.skills, sandbox: deps.sandbox, prompt: deps.prompt }),
      listing: resolveListing({ ...deps, bundles, learnClass: learnClass(deps) }),
      ...kinds,
    },
    ownNames(deps),
    deps.nearest,
  );
}

const NOTHING_OWN: OwnNames = async () => [];

export function createResolve(
  kinds: Partial<Record<CapabilityKind, ResolveKind>>,
  own: OwnNames = NOTHING_OWN,
  nearest?: Nearest,
): ResolveCapability {
  const resolveNamed: ResolveCapability = async (asked, caller, given = {}) => {
    // Names and versions never contain these, and PostgreSQL rejects some of them.
    if (/\p{Cc}/u.test(`${asked.ref}${asked.version ?? ''}`))
      throw capabilityUnknown('A reference must not contain control characters.');
    const ref = await findKind({ own, known: Object.keys(kinds) }, asked, caller.user_id);
    const resolve = kinds[ref.kind];
    if (resolve === undefined) throw kindUnsupported(ref.kind, Object.keys(kinds));
    const capability = await resolve(ref, caller, given);
    if (ref.version !== undefined && ref.version !== capability.version)
      throw versionGone(capability.name, ref.version, capability.version);
    return capability;
  };
  return (asked, caller, given) =>
    resolveNamed(asked, caller, given).catch((error) => {
      // A tool of a connection was meant, and its failure names similar tools.
      throw readName(asked.ref)?.form === 'tool' ? error : withNearest(error, nearest, asked.ref);
    });
}
