import type { PackagedFacts } from '#core/mcp/packaged-servers.ts';
import { resourceFacts } from '#runtime/receipts/box-facts.ts';
import type { RunEnvironment } from './result.ts';

/** What held a packaged server in a run, and what it reached, for its receipt. */
export const packageEnvironment = (facts: PackagedFacts): Partial<RunEnvironment> => ({
  isolation: facts.isolation,
  network: facts.granted.length === 0 ? 'none' : 'allow_list',
  hosts: { granted: facts.granted, uses: facts.hosts },
  resources: resourceFacts(facts) ?? null,
  package: { purl: facts.purl, lock_sha256: facts.lock_sha256, tree_sha256: facts.tree_sha256 },
});
