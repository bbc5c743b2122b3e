import { MAX, text } from './adapt-fields.ts';

/** The one form in which listings say how a client gets them, whatever the provider calls it. */

/** A value somebody has to fill in: an environment variable, a header, an argument, a part of an address. */
export interface InstallInput {
  name: string;
  description: string;
  required: boolean;
  secret: boolean;
  /** Fixed value or template such as `Bearer {token}`; empty where it is asked for. */
  value: string;
  default: string;
  /** Of an argument: `--name value`, or the value at its place. Left out where the provider does not say. */
  type?: 'named' | 'positional';
  /** Other than text. */
  format?: InputFormat;
  /** The only values allowed. */
  choices?: string[];
  /** An argument that may be given several times. */
  repeated?: true;
  /** An example of the value, or a word for it. */
  hint?: string;
  /** Of the places in `value` that belong to this input alone. */
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
  /** SHA-256 of the package file. This and what follows is left out where the provider does not say. */
  file_sha256?: string;
  registry_base_url?: string;
  /** Where a package that is a server of its own, not over stdio, listens once it runs. */
  endpoint?: InstallEndpoint;
  /** Hosts that the server needs, as `name` or `name:port`. */
  hosts?: string[];
  /** It needs no network. */
  no_network?: true;
  /** Of an image: `source:/path`, with places such as `{folder}`. */
  volumes?: string[];
  /** Of an image: the user that it runs as. */
  user?: string;
}

export interface InstallEndpoint {
  /** May hold `{variables}`. */
  url: string;
  headers: InstallInput[];
}

export interface InstallRemote {
  transport: string;
  /** May hold `{variables}`. */
  url: string;
  headers: InstallInput[];
  variables: InstallInput[];
}

/** Null where there is nothing to install or connect to. */
export const install = (packages: InstallPackage[], remotes: InstallRemote[]): Record<string, unknown> | null =>
  packages.length + remotes.length === 0 ? null : { packages, remotes };

type GivenInput = Partial<Record<Exclude<keyof InstallInput, 'variables'>, unknown>> & { variables?: InstallInput[] };

/** One input, cleaned; what the provider leaves out is empty, false or left out. */
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

/** Texts, numbers and booleans as text, each once; anything else is left out. */
export const textList = (values: unknown, most: number, max_chars: number): string[] => [
  ...new Set(
    (Array.isArray(values) ? values : [])
      .slice(0, most)
      .map((value) => text(typeof value === 'string' ? value : scalar(value), max_chars))
      .filter((value) => value !== ''),
  ),
];

/** YAML and JSON write `4` and `true` where text is meant. */
const scalar = (value: unknown): string =>
  text(typeof value === 'number' || typeof value === 'boolean' ? String(value) : value, MAX.url);
