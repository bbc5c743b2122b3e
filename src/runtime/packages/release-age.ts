import type { Clock } from '#core/clock/clock.ts';
import { ageUnknown, tooNew } from './errors.ts';

/** The minimum release age: most malicious releases are found and removed within days. */

export interface AgeRule {
  clock: Clock;
  /** 0 turns the rule off. */
  min_age_ms: number;
}

/** Releases after this time are refused; null if the rule is off. */
export const releaseCutoff = ({ clock, min_age_ms }: AgeRule): number | null =>
  min_age_ms === 0 ? null : clock.now() - min_age_ms;

/** @throws Problem `packages.unsupported` (`too_new`), also if the registry does not report the time. */
export function checkAge(what: string, released_ms: number | undefined, rule: AgeRule): void {
  const cutoff = releaseCutoff(rule);
  if (cutoff === null) return;
  if (released_ms === undefined) throw ageUnknown(what);
  if (released_ms > cutoff) throw tooNew(what, Math.max(0, rule.clock.now() - released_ms), rule.min_age_ms);
}
