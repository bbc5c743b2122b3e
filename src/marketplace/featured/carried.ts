import type { Skill } from '#runtime/skills/skill.ts';

/** Skills of the service's own, as far as what is featured shows them. */

export type CarriedItem = Pick<Skill, 'name' | 'description' | 'version' | 'license' | 'execution_class'>;

/** Those that can be run now by themselves; `whyUnavailable` says why one cannot. */
export const carriedItems =
  ({ skills, whyUnavailable }: { skills: readonly Skill[]; whyUnavailable(name: string): Promise<string | null> }) =>
  async (): Promise<CarriedItem[]> => {
    const scripted = skills.filter(({ execution_class }) => execution_class === 'scripted');
    const found = await Promise.all(scripted.map(({ name }) => whyUnavailable(name)));
    return scripted.filter((_, at) => found[at] === null);
  };
