import type { TSchema } from 'typebox';
import type { XSchema } from 'typebox/schema';
import { validation } from './compile.ts';

/**
 * Returns a copy without members that the schema does not name. For a union, uses the first variant that matches the
 * rest.
 */
export function knownMembers(schema: TSchema, value: unknown): unknown {
  const { anyOf, items, properties, patternProperties } = schema as Applied;
  if (anyOf !== undefined) {
    const forms = anyOf.map((form) => ({ form, rest: knownMembers(form, value) }));
    return (forms.find(({ form, rest }) => validation().Check(form as XSchema, rest)) ?? { rest: value }).rest;
  }
  if (Array.isArray(value)) return items === undefined ? value : value.map((item) => knownMembers(items, item));
  if (typeof value !== 'object' || value === null || !(properties || patternProperties)) return value;
  const patterns = Object.entries(patternProperties ?? {});
  const schemaOf = (name: string): TSchema | undefined =>
    properties !== undefined && Object.hasOwn(properties, name)
      ? properties[name]
      : patterns.find(([pattern]) => new RegExp(pattern).test(name))?.[1];
  const known = Object.entries(value).flatMap(([name, member]) => {
    const its = schemaOf(name);
    return its === undefined ? [] : [[name, knownMembers(its, member)] as const];
  });
  return Object.fromEntries(known);
}

interface Applied {
  anyOf?: TSchema[];
  items?: TSchema;
  properties?: Record<string, TSchema>;
  patternProperties?: Record<string, TSchema>;
}
