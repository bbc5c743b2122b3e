import { inBoxHome } from '#catalog/install/launch-settings.ts';
import { connectionsProblem } from '#connections/errors.ts';
import { type Problem, pointerTo } from '#core/problem/problem.ts';
import { plain, quoted } from '#core/tools/words.ts';
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
  const missing = inputs.filter(
    ({ name, required, default: fallback }) => required && isEmpty(values[name]) && isEmpty(fallback ?? undefined),
  );
  if (missing.length > 0) throw inputsRequired(missing);
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

const MOST_NAMED = 10;
const MOST_ABOUT = 200;

function inputsRequired(missing: readonly PackageInput[]): Problem {
  const named = missing
    .slice(0, MOST_NAMED)
    .map(({ name, sensitive }) => `${quoted(name, 100)}${sensitive ? ' (a secret)' : ''}`);
  const rest = missing.length > named.length ? ` and ${missing.length - named.length} more` : '';
  return runtimeProblem(
    'packages.input_required',
    `The package requires ${named.join(', ')}${rest}. Connect to the server and enter ${missing.length === 1 ? 'this value' : 'these values'} there.`,
    {
      errors: missing.slice(0, MOST_NAMED).map(({ name, description = '' }) => ({
        pointer: pointerTo(name),
        detail: description === '' ? 'Required.' : `Required: ${plain(description, MOST_ABOUT)}`,
      })),
    },
  );
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === '' || (Array.isArray(value) && value.length === 0);

const visible = (name: string): Problem =>
  connectionsProblem(
    'packages.unsupported',
    `The package passes the secret "${name}" as an argument, which other processes can read. Use another package.`,
    { reason: 'input_forbidden' },
  );
