import type { TSchema } from 'typebox';
import type { Node } from './shape.ts';

/** Schemas with the named ones replaced by references. Two schemas are the same where their JSON is. */

export interface SchemaNamer {
  /** The schema as plain JSON; occurrences of named schemas inside it, or itself, become `$ref`. */
  use(schema: TSchema): Node;
  /** The named schemas that were really used, in the order they were given. */
  components(): Record<string, Node>;
}

export function schemaNamer(schemas: Record<string, TSchema>): SchemaNamer {
  const names = new Map(Object.entries(schemas).map(([name, schema]) => [JSON.stringify(schema), name]));
  const used = new Set<string>();

  const replace = (value: unknown, is_root: boolean): unknown => {
    if (Array.isArray(value)) return value.map((item) => replace(item, false));
    if (typeof value !== 'object' || value === null) return value;
    const name = is_root ? undefined : names.get(JSON.stringify(value));
    if (name !== undefined) {
      used.add(name);
      return { $ref: `#/components/schemas/${name}` };
    }
    const members = Object.entries(value).filter((member) => !isOurPattern(member));
    return Object.fromEntries(members.map(([key, member]) => [key, replace(member, false)]));
  };
  const plain = (schema: TSchema): unknown => JSON.parse(JSON.stringify(schema));

  return {
    use: (schema) => replace(plain(schema), false) as Node,
    components: () => {
      const all = Object.entries(schemas).map(([name, schema]) => [name, replace(plain(schema), true)] as const);
      return Object.fromEntries(all.filter(([name]) => used.has(name))) as Record<string, Node>;
    },
  };
}

/**
 * Properties of characters are outside the part of regular expressions that JSON Schema recommends: without the flag `u`,
 * which most tools do not set, such a pattern means something else. The description has to say it.
 */
const isOurPattern = ([key, value]: [string, unknown]): boolean =>
  key === 'pattern' && typeof value === 'string' && value.includes('\\p{');
