import { findingsIn } from '#catalog/checks/findings.ts';
import type { Finding } from '#catalog/items/verification.ts';
import type { ProbeToolRow } from '#core/db/schema-probes.ts';

type ReadTool = Pick<ProbeToolRow, 'name' | 'title' | 'description' | 'input_schema'>;

/** Runs the static checks on a tool of a server, whose whole text is read by models. Pure. */
export const toolFindings = ({ name, title, description, input_schema }: ReadTool): Finding[] =>
  findingsIn(`tools/${name}`, [name, title, description, stringsOf(input_schema)].join('\n'));

/** All strings of the schema, such as descriptions of arguments, one per line. */
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
