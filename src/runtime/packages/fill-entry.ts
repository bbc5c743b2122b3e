import { inBoxHome } from '#catalog/install/launch-settings.ts';
import { connectionsProblem } from '#connections/errors.ts';
import type { Problem } from '#core/problem/problem.ts';
import { runtimeProblem } from '#runtime/errors.ts';
import type { PackageEntry, PackageInput } from './package.ts';

/** Values by input name. Several values are a list. */
export type InputValues = Readonly<Record<string, string | number | boolean | readonly string[]>>;

const PLACE = /\$\{user_config\.([\w.-]{1,100})\}/g;

/**
 * Puts the user's values, or defaults, into a prepared entry. An argument that is only a placeholder of several values
 * becomes several arguments; one whose value is missing is left out. Values are never read for placeholders again.
 *
 * @throws Problem `packages.input_required` for a required value that is missing, `packages.unsupported` (`input_forbidden`) where a
 * sensitive value would be visible in the process list.
 */
export function fillEntry(entry: PackageEntry, inputs: readonly PackageInput[], values: InputValues): PackageEntry {
  const known = new Map(inputs.map((input) => [input.name, input]));
  for (const { name, required, default: fallback } of inputs)
    if (required && isEmpty(values[name]) && isEmpty(fallback ?? undefined))
      throw runtimeProblem(
        'packages.input_required',
        `The value "${name}" is missing. Enter it in a connection to this server and retry.`,
        {
          errors: [{ pointer: `/${name}`, detail: 'Required.' }],
        },
      );
  const valuesOf = (name: string): readonly string[] => {
    const isGiven = Object.hasOwn(values, name) && !isEmpty(values[name]);
    const value = isGiven ? values[name] : known.get(name)?.default;
    const texts = value === undefined || value === null ? [] : Array.isArray(value) ? value : [`${value}`];
    return isGiven ? texts : texts.map(inBoxHome);
  };
  const fill = (text: string): string => text.replace(PLACE, (_place, name: string) => valuesOf(name).join(','));
  const argv = entry.argv.flatMap((argument) => {
    for (const [, name = ''] of argument.matchAll(PLACE))
      if (known.get(name)?.sensitive === true && valuesOf(name).length > 0) throw visible(name);
    const [, alone] = /^\$\{user_config\.([\w.-]{1,100})\}$/.exec(argument) ?? [];
    return alone === undefined ? [fill(argument)] : valuesOf(alone);
  });
  const env = Object.entries(entry.env).flatMap(([name, text]) => {
    const [, alone] = /^\$\{user_config\.([\w.-]{1,100})\}$/.exec(text) ?? [];
    return alone !== undefined && valuesOf(alone).length === 0 ? [] : [[name, fill(text)]];
  });
  return { argv, env: Object.fromEntries(env), cwd: entry.cwd };
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === '' || (Array.isArray(value) && value.length === 0);

const visible = (name: string): Problem =>
  connectionsProblem(
    'packages.unsupported',
    `The package passes the secret "${name}" as an argument, which other processes can read. Use another package.`,
    { reason: 'input_forbidden' },
  );
