import { defined } from '#core/defined.ts';
import type { PackageTarget } from '#core/mcp/target.ts';
import { endpointOf } from './launch-endpoint.ts';
import type { Launch, LaunchInput } from './launches.ts';

/** The fields of a launch, the validation of their values, and the target that results from them. Pure. */

/** A value that the user may provide: an environment variable, an argument, or a variable within one of these. */
export interface LaunchField {
  name: string;
  in: 'env' | 'argument' | 'variable';
  description: string;
  required: boolean;
  secret: boolean;
  default: string;
  format: LaunchInput['format'];
  /** The only values allowed; empty for any. */
  choices: string[];
  /** Whether it accepts several values, one per line. */
  repeated: boolean;
  hint: string;
  /** Of a number. */
  min?: number;
  max?: number;
}

/** Values by field name. */
type LaunchValues = Readonly<Record<string, string>>;

interface MadeTarget {
  target: PackageTarget;
  /** Names of required fields without a value. */
  missing: string[];
  /** Names of secrets that the listing passes as arguments, which any program on the machine could read. */
  exposed: string[];
}

/** Matches only names, because JSON in a value has braces, too. */
const PLACE = /\{([A-Za-z_][\w.-]{0,99})\}/g;

/** The fields without duplicate names; the first input with a name wins. */
export function launchFields({ env, package_arguments }: Launch): LaunchField[] {
  const inputs = [
    ...env.flatMap((input) => fieldsOf(input, 'env', input.name)),
    ...package_arguments.flatMap((input, at) => fieldsOf(input, 'argument', argumentName(input, at))),
  ];
  const byName = new Map<string, LaunchField>();
  for (const field of inputs) if (!byName.has(field.name)) byName.set(field.name, field);
  return [...byName.values()];
}

/** A positional argument is named by its hint. */
const argumentName = ({ name, hint }: LaunchInput, at: number): string => name || hint || `argument ${at + 1}`;

/** A fixed value has no fields; a template has one per variable. */
function fieldsOf(input: LaunchInput, place: LaunchField['in'], name: string): LaunchField[] {
  if (input.value === '') return [fieldOf(input, place, name)];
  return placesOf(input.value).map((each) => {
    const variable = input.variables.find((known) => known.name === each);
    const field = variable === undefined ? UNDESCRIBED : variable;
    // A variable within a secret is a secret, too.
    return { ...fieldOf(field, 'variable', each), secret: field.secret || input.secret };
  });
}

const UNDESCRIBED: LaunchInput = {
  name: '',
  description: '',
  required: true,
  secret: false,
  value: '',
  default: '',
  type: null,
  format: 'text',
  choices: [],
  repeated: false,
  hint: '',
  variables: [],
};

function fieldOf(input: LaunchInput, place: LaunchField['in'], name: string): LaunchField {
  const { description, required, secret, format, choices, repeated, hint, min, max } = input;
  const field = { name, in: place, description, required, secret, default: input.default };
  return { ...field, format, choices, repeated, hint, ...defined({ min, max }) };
}

const placesOf = (template: string): string[] => [
  ...new Set([...template.matchAll(PLACE)].map(([, name]) => name as string)),
];

const MOST_CHARS = 8_192;

/** Why a value is invalid, as the end of a sentence that starts with the field's name; null if it is valid. */
export function faultOfValue(field: LaunchField, value: string): string | null {
  const { format, choices, repeated } = field;
  if (value.length > MOST_CHARS) return `is longer than ${MOST_CHARS} characters`;
  if (value.includes('\0') || !value.isWellFormed()) return 'contains NUL characters or lone surrogates';
  for (const each of repeated ? linesOf(value) : [value]) {
    if (choices.length > 0 && !choices.includes(each)) return `must be one of ${choices.slice(0, 20).join(', ')}`;
    if (format === 'boolean' && each !== 'true' && each !== 'false') return 'must be true or false';
    const fault = format === 'number' ? faultOfNumber(field, each) : null;
    if (fault !== null) return fault;
  }
  return null;
}

function faultOfNumber({ min, max }: LaunchField, text: string): string | null {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) return 'must be a number';
  if (min !== undefined && value < min) return `must be at least ${min}`;
  return max !== undefined && value > max ? `must be at most ${max}` : null;
}

const linesOf = (value: string): string[] => value.split('\n').filter((line) => line !== '');

/** Expects valid `values`. A missing value is replaced by its default, or omitted if there is none. */
export function launchTarget(launch: Launch, values: LaunchValues, hosts: readonly string[]): MadeTarget {
  const fields = new Map(launchFields(launch).map((field) => [field.name, field]));
  const missing = new Set<string>();
  const exposed = new Set<string>();
  const secrets = new Set<string>();
  /** Null if omitted. */
  const given = (name: string): string | null => {
    const field = fields.get(name);
    const value = Object.hasOwn(values, name) ? (values[name] as string) : field?.default || null;
    if (value === null && field?.required === true) missing.add(name);
    if (value !== null && value !== '' && field?.secret === true) secrets.add(value);
    return value;
  };
  const filled = (input: LaunchInput, name: string): string | null => {
    if (input.value === '') return given(name);
    const texts = new Map(placesOf(input.value).map((place) => [place, given(place)]));
    if ([...texts.values()].includes(null)) return null;
    return input.value.replace(PLACE, (_place, place: string) => texts.get(place) ?? '');
  };
  const isSecret = (input: LaunchInput, name: string): boolean =>
    (input.value === '' ? [name] : placesOf(input.value)).some((each) => fields.get(each)?.secret === true);
  const env: Record<string, string> = {};
  for (const input of launch.env) {
    const value = filled(input, input.name);
    if (value === null) continue;
    env[input.name] = value;
    if (value !== '' && isSecret(input, input.name)) secrets.add(value);
  }
  const argv = launch.package_arguments.flatMap((input, at) => {
    const name = argumentName(input, at);
    const value = filled(input, name);
    if (value === null) return [];
    if (value !== '' && isSecret(input, name)) exposed.add(name);
    return wordsOf(input, value);
  });
  const target: PackageTarget = {
    transport: 'stdio',
    package: launch.package,
    arguments: argv,
    env,
    secrets: [...secrets],
    hosts,
  };
  if (launch.transport !== 'stdio') {
    const found = endpointOf(launch, (name) => given(name));
    if ('endpoint' in found) target.endpoint = found.endpoint;
  }
  return { target, missing: [...missing], exposed: [...exposed] };
}

/** `--name value`; a boolean option is present or absent. */
function wordsOf({ type, name, format, repeated }: LaunchInput, value: string): string[] {
  const all = repeated ? linesOf(value) : [value];
  if (type !== 'named' || name === '') return all;
  // A named argument without a dash is still an option.
  const option = name.startsWith('-') ? name : `--${name}`;
  if (format === 'boolean') return value === 'true' ? [option] : [];
  return all.flatMap((each) => (each === '' ? [option] : [option, each]));
}
