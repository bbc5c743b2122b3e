import { placesNamed } from '#catalog/identity/named.ts';
import type { ListingKey } from '#catalog/items/read-items.ts';
import { registryResources, registryTools } from '#catalog/items/tools.ts';
import { toolSignatures } from '#catalog/probes/tool-signatures.ts';
import { connectionModelTools } from '#connections/model-tools/tools.ts';
import type { Offer } from '#core/tools/offer.ts';
import { readOwn } from '#marketplace/listings/read-own.ts';
import { marketplaceTools } from '#marketplace/listings/tools.ts';
import { sourceUrl } from '#runtime/bundles/source-url.ts';
import { harnessAuthorTools, harnessTools } from '#runtime/harnesses/tools.ts';
import { receiptsResources, receiptsTools } from '#runtime/receipts/tools.ts';
import { rigsTools } from '#runtime/rigs/tools.ts';
import { skillResources, skillTools } from '#runtime/skills/tools.ts';
import { tasksTools } from '#runtime/tasks/tools.ts';
import { trialsTools } from '#runtime/trials/tools.ts';
import { skillsExtension } from '#surfaces/agent-skills/skills-extension.ts';
import { searchTools } from '#surfaces/discovery/tool-search.ts';
import { discoveryTools } from '#surfaces/discovery/tools.ts';
import { servicePrompts } from '#surfaces/mcp/prompts/all.ts';
import { toolSearchDeps } from './discovery-search.ts';
import type { Parts } from './parts.ts';

/** Everything offered to models, collected from all wings, in the order of listing. */
export function openOffer(parts: Parts): Offer {
  const { marketplace } = parts;
  const deps = {
    ...parts,
    readOwn: readOwn(parts),
    countUnlinked: marketplace.deps.countUnlinked,
    runnable: parts.probes.readRunnable,
    verification: marketplace.verification,
    filesAt: sourceUrl,
    ensureDetail: parts.sync.details.ensure,
    readDetails: parts.sync.details.read,
    places: placesNamed(parts.database),
    signatures: (keys: readonly ListingKey[]) => toolSignatures(parts.database.db, keys),
  };
  const { connections, tasks, skills } = parts;
  const search = searchTools(toolSearchDeps(parts, async () => offer.tools));
  const offer: Offer = {
    tools: [
      ...registryTools(deps),
      ...skillTools(deps),
      ...discoveryTools({ hot: parts.hot, search }),
      ...trialsTools(parts.trials.deps),
      ...tasksTools(tasks.deps),
      ...connectionModelTools(connections.deps),
      ...rigsTools(parts.rigs.deps),
      ...receiptsTools(parts),
      ...harnessAuthorTools(deps),
      ...marketplaceTools(marketplace.deps),
      ...harnessTools({ ...parts, limits: parts.config.harnesses }),
    ],
    resources: [...skillResources(skills), ...registryResources(deps), ...receiptsResources(deps)],
    prompts: servicePrompts(),
    extensions: [skillsExtension(skills)],
  };
  return offer;
}
