import { isMainThread } from 'node:worker_threads';
import { LRUCache } from 'lru-cache';
import type { Share } from '#core/fair-queue/share.ts';
import { Problem } from '#core/problem/problem.ts';
import type { Runtime } from '#runtime/packaged/runtime.ts';
import type { Skill } from '#runtime/skills/skill.ts';
import { refusalOf, runInBox } from './native-run.ts';
import { listPackages, type NativeScripts } from './native-scripts.ts';
import { isSelfContained, type SkillNeeds } from './needs.ts';
import { needsOf } from './skill-needs.ts';

interface NativeScriptsDeps {
  /** `off`: never. `ask`: packages are installed for callers that accept it. `allow`: for every caller. */
  policy: 'off' | 'ask' | 'allow';
  /** @throws Problem `runs.unavailable` (`box_unavailable`) that explains why boxes are not available here. */
  openRuntime(): Promise<Runtime>;
  /** Waits for a free place among the boxes and occupies it during the run. */
  inPlace<T>(share: Share, signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T>;
}

const MOST_KEPT = 500;

export function openNativeScripts({ policy, openRuntime, inPlace }: NativeScriptsDeps): NativeScripts {
  const kept = new LRUCache<string, { needs: SkillNeeds | null }>({ max: MOST_KEPT });
  const once = (key: string, read: () => SkillNeeds): SkillNeeds | null => {
    const known = kept.get(key);
    if (known !== undefined) return known.needs;
    const found = read();
    const needs = isSelfContained(found) ? null : found;
    kept.set(key, { needs });
    return needs;
  };
  const needsOfWhole = (skill: Skill) => once(skill.digest, () => needsOf(skill));
  return {
    needsOf: needsOfWhole,
    needsOfScript: (skill, script) =>
      skill.entry?.path === script.path
        ? needsOfWhole(skill)
        : once(`${skill.digest} ${script.path}`, () =>
            withPackagesOf(needsOf({ ...skill, entry: script }), needsOfWhole(skill), script.path),
          ),
    whyUnavailable: async (skill, needs, held) => {
      const refusal = refusalOf(skill, needs, policy, held);
      if (refusal !== null) return refusal;
      // Only the first thread starts boxes, and it runs the tasks.
      if (!isMainThread) return null;
      try {
        await openRuntime();
        return null;
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        return { reason: 'unsupported', detail: `${skill.name} needs a native run. ${error.message}` };
      }
    },
    run: (order) => inPlace(order.share, order.signal, async () => runInBox(await openRuntime(), order)),
  };
}

/**
 * All scripts of a skill share one set of packages for each ecosystem, which has one lock and is accepted once. A package that is not
 * in it cannot be accepted.
 */
function withPackagesOf(script: SkillNeeds, whole: SkillNeeds | null, path: string): SkillNeeds {
  const accepted = whole?.packages ?? [];
  const foreign = script.packages.filter(
    (need) => !accepted.some(({ ecosystem, name }) => ecosystem === need.ecosystem && name === need.name),
  );
  if (foreign.length > 0) {
    const refused = `${path} needs ${listPackages(foreign)}, and its skill asks only for the packages of its main script.`;
    return { ...script, refused: [...script.refused, refused] };
  }
  const ecosystems = new Set(script.packages.map(({ ecosystem }) => ecosystem));
  return { ...script, packages: accepted.filter(({ ecosystem }) => ecosystems.has(ecosystem)) };
}
