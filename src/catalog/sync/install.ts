import { MAX, text } from './adapt-fields.ts';

/** The common form of install information, in which all providers' records are stored. */

/** A value of an environment variable, a header, an argument or a part of an address. */
export interface InstallInput {
  name: string;
  description: string;
  required: boolean;
  secret: boolean;
  /** A fixed value, or a template such as `Bearer {token}`; empty if the user has to provide it. */
  value: string;
  default: string;
  /** For arguments: `--name value`, or the value alone. Missing if the provider does not say. */
  type?: 'named' | 'positional';
  /** Missing for text. */
  format?: InputFormat;
  /** The only values allowed. */
  choices?: string[];
  /** Whether an argument may be repeated. */
  repeated?: true;
  /** An example or a short name of the value. */
  hint?: string;
  /** Variables in `value`. */
  variables?: InstallInput[];
}

export const INPUT_FORMATS = ['number', 'boolean', 'filepath'] as const;
export type InputFormat = (typeof INPUT_FORMATS)[number];

export interface InstallPackage {
  /** `npm`, `pypi`, `oci`, `nuget`, `mcpb` … as the provider names it. */
  registry_type: string;
  identifier: string;
  version: string;
  runtime_hint: string;
  /** `stdio`, `streamable-http`, `sse` … */
  transport: string;
  runtime_arguments: InstallInput[];
  package_arguments: InstallInput[];
  env: InstallInput[];
  /** SHA-256 of the package file. This and the following are missing if the provider does not say. */
  file_sha256?: string;
  registry_base_url?: string;
  /** Where a started server listens that does not use stdio. */
  endpoint?: InstallEndpoint;
  /** Hosts that the server needs, as `name` or `name:port`. */
  hosts?: string[];
  /** Whether the server needs no network. */
  no_network?: true;
  /** For images: `source:/path`, with variables such as `{folder}`. */
  volumes?: string[];
  /** For images: the user that it runs as. */
  user?: string;
}

interface InstallEndpoint {
  /** May contain `{variables}`. */
  url: string;
  headers: InstallInput[];
}

export interface InstallRemote {
  transport: string;
  /** May contain `{variables}`. */
  url: string;
  headers: InstallInput[];
  variables: InstallInput[];
}

/** Null if there is nothing to install or connect to. */
export const install = (packages: InstallPackage[], remotes: InstallRemote[]): Record<string, unknown> | null =>
  packages.length + remotes.length === 0 ? null : { packages, remotes };

type GivenInput = Partial<Record<Exclude<keyof InstallInput, 'variables'>, unknown>> & { variables?: InstallInput[] };

/** Sanitizes one input. Missing values are empty, false or missing. */
export function installInput(name: unknown, rest: GivenInput = {}): InstallInput {
  const input: InstallInput = {
    name: text(name, MAX.name),
    description: text(rest.description, 1_000),
    required: rest.required === true,
    secret: rest.secret === true,
    value: scalar(rest.value),
    default: scalar(rest.default),
  };
  if (rest.type === 'named' || rest.type === 'positional') input.type = rest.type;
  const format = rest.format === 'integer' ? 'number' : INPUT_FORMATS.find((known) => known === rest.format);
  if (format !== undefined) input.format = format;
  const choices = textList(rest.choices, MOST_CHOICES, MAX.name);
  if (choices.length > 0) input.choices = choices;
  if (rest.repeated === true) input.repeated = true;
  const hint = text(rest.hint, MAX.name);
  if (hint !== '') input.hint = hint;
  if (rest.variables !== undefined && rest.variables.length > 0) input.variables = rest.variables;
  return input;
}

const MOST_CHOICES = 100;

/** Strings, numbers and booleans as text, without duplicates; other values are dropped. */
export const textList = (values: unknown, most: number, max_chars: number): string[] => [
  ...new Set(
    (Array.isArray(values) ? values : [])
      .slice(0, most)
      .map((value) => text(typeof value === 'string' ? value : scalar(value), max_chars))
      .filter((value) => value !== ''),
  ),
];

/** Records contain `4` and `true` where text is meant. */
const scalar = (value: unknown): string =>
  text(typeof value === 'number' || typeof value === 'boolean' ? String(value) : value, MAX.url);
