import { discoveryTools } from './features/discovery/tools.ts';
import { sourceUrl } from './features/execution/bundles/source-url.ts';
import { harnessAuthorTools, harnessTools } from './features/harnesses/tools.ts';
import { skillsExtension } from './features/interop/skills/skills-extension.ts';
import { readOwn } from './features/marketplace/read-own.ts';
import { marketplaceTools } from './features/marketplace/tools.ts';
import { servicePrompts } from './features/mcp/prompts/all.ts';
import { receiptsResources, receiptsTools } from './features/receipts/tools.ts';
import { registryResources, registryTools } from './features/registry/tools.ts';
import { rigsTools } from './features/rigs/tools.ts';
import { sessionsTools } from './features/sessions/tools.ts';
import { skillsWith } from './features/skills/skills-with.ts';
import { skillResources, skillTools } from './features/skills/tools.ts';
import { tasksTools } from './features/tasks/tools.ts';
import type { Parts } from './parts.ts';
import type { Offer } from './platform/tools/offer.ts';

/** Everything that models are offered, gathered from the features that bring it; what comes first is met first. */
export function openOffer(parts: Parts): Offer {
  const { marketplace } = parts;
  const ours = { own: marketplace.deps.shelf, readOwn: readOwn(parts), carried: skillsWith(parts.skills) };
  const deps = {
    ...parts,
    ...ours,
    runnable: parts.probes.readRunnable,
    verification: marketplace.verification,
    filesAt: sourceUrl,
    ensureDetail: parts.sync.details.ensure,
  };
  const { sessions, tasks, skills } = parts;
  return {
    tools: [
      ...registryTools(deps),
      ...skillTools(deps),
      ...discoveryTools(deps),
      ...tasksTools(tasks.deps),
      ...sessionsTools(sessions.deps),
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
}
