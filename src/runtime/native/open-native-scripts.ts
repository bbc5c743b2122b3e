import { isMainThread } from 'node:worker_threads';
import { LRUCache } from 'lru-cache';
import type { Share } from '#core/fair-queue/share.ts';
import { Problem } from '#core/problem/problem.ts';
import type { Runtime } from '#runtime/packaged/runtime.ts';
import { refusalOf, runInBox } from './native-run.ts';
import type { NativeScripts } from './native-scripts.ts';
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
  return {
    needsOf: (skill) => {
      const known = kept.get(skill.digest);
      if (known !== undefined) return known.needs;
      const found = needsOf(skill);
      const needs = isSelfContained(found) ? null : found;
      kept.set(skill.digest, { needs });
      return needs;
    },
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
