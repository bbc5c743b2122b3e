import type { Skill } from '#runtime/skills/skill.ts';

/** Built-in skills, with the fields that featured entries show. */

export type CarriedItem = Pick<Skill, 'name' | 'description' | 'version' | 'license' | 'execution_class'>;

/** The built-in skills that can be run; `whyUnavailable` returns why one cannot. */
export const carriedItems =
  ({ skills, whyUnavailable }: { skills: readonly Skill[]; whyUnavailable(name: string): Promise<string | null> }) =>
  async (): Promise<CarriedItem[]> => {
    const scripted = skills.filter(({ execution_class }) => execution_class === 'scripted');
    const found = await Promise.all(scripted.map(({ name }) => whyUnavailable(name)));
    return scripted.filter((_, at) => found[at] === null);
  };
