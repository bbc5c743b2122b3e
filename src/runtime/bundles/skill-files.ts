import type { SkillFiles } from '#catalog/details/gather.ts';
import { SKILL_HOSTS } from '#catalog/install/skill-hosts.ts';
import type { OutboundFetch } from '#core/outbound/outbound.ts';
import { sourceOf } from './source-of.ts';

/** Fetches the files of a skill on GitHub for its listing. ClawHub lists the files of its skills itself. */
export const skillFilesAt =
  ({ fetch, github_url }: { fetch: OutboundFetch; github_url: string | null }): SkillFiles =>
  (row) => {
    const source = sourceOf(row);
    if ('unsupported' in source || source.kind !== 'github') return null;
    const urls = { clawhub: SKILL_HOSTS.clawhub, github: github_url ?? SKILL_HOSTS.github };
    return async () => (await import('./fetch-bundle.ts')).fetchBundle({ fetch, urls }, source);
  };
