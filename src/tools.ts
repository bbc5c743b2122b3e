import { discoveryTools } from './features/discovery/tools.ts';
import { harnessTools } from './features/harnesses/tools.ts';
import { skillsExtension } from './features/interop/skills/skills-extension.ts';
import { skillTools } from './features/skills/tools.ts';
import type { Parts } from './parts.ts';
import type { Offer } from './platform/tools/offer.ts';

/** Everything that models are offered, gathered from the features that bring it. */
export const openOffer = (parts: Parts): Offer => ({
  tools: [...discoveryTools(parts), ...skillTools(parts), ...harnessTools(parts)],
  ...{ resources: [], prompts: [], extensions: [skillsExtension(parts.skills)] },
});
