import type { OperationBase } from './operation.ts';

/**
 * The fields of a request's body that its wallet signature covers, in one canonical form: `name=nightly%20build&scopes=read,write`.
 * Null and missing fields are left out, because they mean the same. Null if the signature covers no field.
 */
export function signedFields({ signs }: Pick<OperationBase, 'signs'>, body: unknown): string | null {
  if (signs === undefined || signs.length === 0) return null;
  const given = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>;
  return signs
    .filter((name) => Object.hasOwn(given, name) && given[name] !== null && given[name] !== undefined)
    .map((name) => `${name}=${encodedValue(given[name])}`)
    .join('&');
}

/** Commas separate the members of a list, so they are encoded within one. */
const encodedValue = (value: unknown): string => (Array.isArray(value) ? value.map(encoded).join(',') : encoded(value));

/** Lone surrogates cannot be encoded. */
const encoded = (value: unknown): string =>
  encodeURIComponent((typeof value === 'object' ? JSON.stringify(value) : `${value}`).toWellFormed());

/** The fields as JSON that has the same canonical form. A list of one is its member. */
export const fieldsOf = (fields: string): Record<string, string | string[]> =>
  Object.fromEntries(
    fields.split('&').flatMap((field) => {
      const [name = '', value = ''] = field.split('=');
      const values = value.split(',').map(decodeURIComponent);
      return name === '' ? [] : [[name, values.length === 1 ? (values[0] ?? '') : values]];
    }),
  );

/** The fields for a person: `name: nightly build, scopes: read write`. `fields` is in the canonical form. */
export const spokenFields = (fields: string): string =>
  Object.entries(fieldsOf(fields))
    .map(([name, value]) => `${name}: ${[value].flat().join(' ') || 'none'}`)
    .join(', ');
