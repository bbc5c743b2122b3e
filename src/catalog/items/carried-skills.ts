import { plain } from '#core/tools/words.ts';

/** Built-in skills of the service, shown beside the listings of a search. They always run. */

interface BuiltInSkill {
  name: string;
  description: string;
  execution_class: string;
}

export const MOST_CARRIED = 2;

export const shownCarried = (found: readonly BuiltInSkill[], execution_class: string | undefined) =>
  found
    .filter((builtInSkill) => execution_class === undefined || builtInSkill.execution_class === execution_class)
    .slice(0, MOST_CARRIED)
    .map(({ name, description }) => ({
      name,
      description: plain(description, 120),
      next: { tool: 'registry_get_skill', arguments: { name } },
    }));
