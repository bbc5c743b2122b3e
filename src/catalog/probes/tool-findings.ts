import { distinct, findingsIn } from '#catalog/checks/findings.ts';
import type { Finding } from '#catalog/items/verification.ts';
import type { KeptTools } from './kept-tools.ts';

/** What the static checks find in the tools that a server shows: models read all of it. Pure. */
export const toolFindings = ({ rows }: Pick<KeptTools, 'rows'>): Finding[] =>
  distinct(
    rows.flatMap(({ name, title, description, input_schema }) =>
      findingsIn(`tools/${name}`, [name, title, description, stringsOf(input_schema)].join('\n')),
    ),
  );

/** Descriptions of arguments, each on a line of its own. */
function stringsOf(schema: string | null): string {
  if (schema === null) return '';
  const found: string[] = [];
  const walk = (value: unknown): void => {
    if (typeof value === 'string') found.push(value);
    else if (typeof value === 'object' && value !== null) for (const member of Object.values(value)) walk(member);
  };
  walk(JSON.parse(schema));
  return found.join('\n');
}
