import type { CapstanError } from '../../sdk/src/index.ts';
import { type Fault, type InputField, inputOf, readJson, type Written } from './input-fields.ts';
import { FIELD, type Filled } from './input-form.ts';

/** Reads a submitted form for an input: its fields, or JSON where `fields` is null. */
export function readFilled(
  fields: readonly InputField[] | null,
  form: URLSearchParams,
): { input: unknown; filled: Filled } {
  const json = form.get('json') ?? '';
  const written: Written = Object.fromEntries(
    [...form]
      .filter(([name]) => name.startsWith(FIELD))
      .map(([name, text]) => [name.slice(FIELD.length), text.replaceAll('\r\n', '\n')]),
  );
  const { input, faults } = fields === null ? readWhole(json) : inputOf(fields, written);
  return { input, filled: { written, json, faults } };
}

function readWhole(json: string): { input: unknown; faults: Fault[] } {
  const value = json.trim() === '' ? { value: null } : readJson(json);
  return 'fault' in value
    ? { input: null, faults: [{ name: '', detail: value.fault }] }
    : { input: value.value, faults: [] };
}

/** The errors of the service by field: the first part of each pointer, or the second below `arguments`. */
export function faultsOf({ errors, detail }: CapstanError, has_arguments: boolean): Fault[] {
  const all = errors.map((error) => {
    const [first = '', second = ''] = error.pointer.replace(/^\/(?:body\/)?(?:input(?=\/|$)\/?)?/, '').split('/');
    const name = has_arguments && first === 'arguments' ? second : first;
    return { name: name.replaceAll('~1', '/').replaceAll('~0', '~'), detail: error.detail };
  });
  return all.length === 0 ? [{ name: '', detail }] : all;
}
