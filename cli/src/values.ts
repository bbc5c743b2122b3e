import type { Context } from './context.ts';
import { usage } from './failure.ts';
import { readAll, readGiven } from './read-input.ts';

/** Values that a server is started with, as `--var name=value` and `--secret name=@file` give them. */

/** A value that a server takes, as listings and connections describe it. */
export interface ValueField {
  name: string;
  description: string;
  required: boolean;
  secret: boolean;
  default: string;
  /** `number`, `boolean`, … */
  format?: string;
  /** The only values allowed; empty for any. */
  choices?: readonly string[];
  /** An example of the value. */
  hint?: string;
}

export const SHARE_OPTION = {
  '--share <path>': {
    about: 'with --local: file or folder of yours that the server may read, at the same path; repeatable',
    many: true,
  },
} as const;

export interface GivenValues {
  var: readonly string[];
  secret: readonly string[];
}

export const VALUE_OPTIONS = {
  '--var <name=value>': {
    about: 'value that the server takes: environment variable, argument or URL variable; repeatable',
    many: true,
  },
  '--secret <name=@file>': {
    about:
      'secret that the server takes, from a file, or from stdin with name=-; without either it is asked for; repeatable',
    many: true,
  },
  '--host <name>': {
    about: 'host that the package may reach, such as api.example.com or *.example.com:8443; repeatable',
    many: true,
  },
  '--package <index>': { about: "which of the listing's packages, from 0", whole: true },
} as const;

function plainPairs(all: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    all.map((text) => {
      const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
      if (name === undefined)
        throw usage(`Invalid variable: ${text}. Expected name=value.`, 'For example: --var region=eu.');
      return [name, value as string];
    }),
  );
}

/** A secret on a command line could be read by every program of the machine, so only its place is taken. */
export async function secretPairs(
  { world, askSecret }: Pick<Context, 'world' | 'askSecret'>,
  all: readonly string[],
): Promise<Record<string, string>> {
  const secrets: Record<string, string> = {};
  let isRead = false;
  for (const text of all) {
    const [, name = '', place] = /^([^=]+)(?:=(.*))?$/s.exec(text) ?? [];
    if (name === '') throw usage(`Invalid secret: ${text}.`, 'For example: --secret API_KEY=@key.txt.');
    if (place === undefined) secrets[name] = await askSecret(name, `--secret ${name}=@file`);
    else if (place === '-') {
      if (isRead) throw usage('stdin can hold one secret only.', `Use --secret ${name}=@file.`);
      isRead = true;
      secrets[name] = withoutEnd(await readAll(world));
    } else if (place.startsWith('@'))
      secrets[name] = withoutEnd((await readGiven(world, place.slice(1))).toString('utf8'));
    else
      throw usage(
        `--secret ${name}=… would show the value to every program of this machine.`,
        `Use --secret ${name}=@file, --secret ${name}=- to read stdin, or --secret ${name} to be asked.`,
      );
    if (secrets[name] === '') throw usage(`The secret ${name} is empty.`, `Use --secret ${name}=@file.`);
  }
  return secrets;
}

/** Editors and `echo` end a file with a line end that is no part of the secret. */
const withoutEnd = (text: string): string => text.replace(/\r?\n$/, '');

interface Split {
  values: Record<string, string>;
  secrets: Record<string, string>;
}

/**
 * Both kinds, with what is required and was not given asked for. Without fields, as for a package URL, every name is a variable of
 * the environment.
 */
export async function collectValues(
  context: Context,
  given: GivenValues,
  fields: readonly ValueField[],
): Promise<Split> {
  const values = plainPairs(given.var);
  const secrets = await secretPairs(context, given.secret);
  const byName = new Map(fields.map((field) => [field.name, field]));
  for (const name of Object.keys(values))
    if (byName.get(name)?.secret === true)
      throw usage(`${name} is a secret.`, `Use --secret ${name}=@file, or --secret ${name} to be asked.`);
  for (const field of fields) {
    const { name, required, secret, default: preset } = field;
    if (!required || preset !== '' || Object.hasOwn(values, name) || Object.hasOwn(secrets, name)) continue;
    if (secret) secrets[name] = await askForSecret(context, field);
    else values[name] = await askForValue(context, field);
  }
  return { values, secrets };
}

export const askForValue = ({ ask }: Pick<Context, 'ask'>, field: ValueField): Promise<string> =>
  ask(questionOf(field), `--var ${field.name}=value`);

export const askForSecret = ({ askSecret }: Pick<Context, 'askSecret'>, field: ValueField): Promise<string> =>
  askSecret(questionOf(field), `--secret ${field.name}=@file`);

const MOST_ABOUT = 300;
const MOST_CHOICES = 20;

function questionOf({ name, description, format = 'text', choices = [], hint = '' }: ValueField): string {
  const notes = [
    description.slice(0, MOST_ABOUT),
    choices.length > 0 ? `one of ${choices.slice(0, MOST_CHOICES).join(', ')}` : (FORMATS[format] ?? ''),
    hint === '' ? '' : `for example ${hint.slice(0, MOST_ABOUT)}`,
  ].filter((note) => note !== '');
  return notes.length === 0 ? name : `${name} (${notes.join('; ')})`;
}

const FORMATS: Record<string, string> = { number: 'a number', boolean: 'true or false' };
