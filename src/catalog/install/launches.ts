import { INPUT_FORMATS, type InputFormat } from '#catalog/sync/install.ts';
import { isRecord } from '#core/record.ts';

/** How to launch the packages of a listing, as its provider describes it. Pure; accepts any imported value. */

/** One value of a launch: an environment variable, an argument, a header, or a variable within one of these. */
export interface LaunchInput {
  name: string;
  description: string;
  required: boolean;
  secret: boolean;
  /** A fixed value, or a template with `variables` such as `{token}`; '' if the user has to provide it. */
  value: string;
  default: string;
  /** For arguments; otherwise null. */
  type: 'named' | 'positional' | null;
  /** Only a bundle of files says `directory` and `file`. */
  format: 'text' | InputFormat | 'directory' | 'file';
  /** The only values allowed; empty for any. */
  choices: string[];
  repeated: boolean;
  hint: string;
  variables: LaunchInput[];
  /** Of a number. */
  min?: number;
  max?: number;
}

export interface Launch {
  /** As the registry writes them; '' if the listing does not say. */
  package: {
    registry_type: string;
    identifier: string;
    version: string;
    file_sha256: string;
    registry_base_url: string;
  };
  runtime_hint: string;
  /** `stdio`, or the transport of the started server. */
  transport: string;
  /** For servers that do not use stdio. */
  endpoint: { url: string; headers: LaunchInput[] } | null;
  runtime_arguments: LaunchInput[];
  package_arguments: LaunchInput[];
  env: LaunchInput[];
  /** `name` or `name:port`, as the listing declares them. */
  hosts: string[];
  no_network: boolean;
  volumes: string[];
  user: string;
}

const MOST = 100;

/** In the provider's order. */
export const launchesOf = (install: Record<string, unknown> | null): Launch[] =>
  listOf(install?.packages)
    .slice(0, MOST)
    .filter(isRecord)
    .map(
      (listed): Launch => ({
        package: {
          registry_type: text(listed.registry_type).toLowerCase(),
          identifier: text(listed.identifier),
          version: text(listed.version),
          file_sha256: text(listed.file_sha256),
          registry_base_url: text(listed.registry_base_url),
        },
        runtime_hint: text(listed.runtime_hint),
        transport: text(listed.transport) || 'stdio',
        endpoint: isRecord(listed.endpoint)
          ? { url: text(listed.endpoint.url), headers: inputsOf(listed.endpoint.headers) }
          : null,
        runtime_arguments: argumentsOf(listed.runtime_arguments),
        package_arguments: argumentsOf(listed.package_arguments),
        env: inputsOf(listed.env).filter(({ name }) => isVariableName(name)),
        hosts: textsOf(listed.hosts),
        no_network: listed.no_network === true,
        volumes: textsOf(listed.volumes),
        user: text(listed.user),
      }),
    )
    .map(withPort);

/** For a port that the listing leaves to the user: the box has all of them free. */
function withPort(launch: Launch): Launch {
  if (launch.endpoint === null || !/\{port\}/i.test(launch.endpoint.url)) return launch;
  const set = (input: LaunchInput): LaunchInput =>
    plainName(input.name) === 'port' && input.value === '' && input.default === ''
      ? { ...input, default: DEFAULT_PORT }
      : input;
  return { ...launch, env: launch.env.map(set), package_arguments: launch.package_arguments.map(set) };
}

export const DEFAULT_PORT = '8080';

/** `--port`, `PORT` and `port` are the same. */
export const plainName = (name: string): string => name.replace(/^-+/, '').toLowerCase();

/** Whether it is a valid name of an environment variable. */
const isVariableName = (name: string): boolean => /^[A-Za-z_][A-Za-z0-9_]{0,199}$/.test(name);

/** If the listing does not give an argument's type, a name with a dash is an option and any other name is positional. */
const argumentsOf = (list: unknown): LaunchInput[] =>
  inputsOf(list).map((input) => ({
    ...input,
    type: input.type ?? (input.name.startsWith('-') ? 'named' : 'positional'),
  }));

const inputsOf = (list: unknown, levels = 1): LaunchInput[] =>
  listOf(list)
    .slice(0, MOST)
    .filter(isRecord)
    .map((input) => ({
      name: text(input.name),
      description: text(input.description),
      required: input.required === true,
      secret: input.secret === true,
      value: text(input.value),
      default: text(input.default),
      type: input.type === 'named' || input.type === 'positional' ? input.type : null,
      format: INPUT_FORMATS.find((known) => known === input.format) ?? 'text',
      choices: textsOf(input.choices),
      repeated: input.repeated === true,
      hint: text(input.hint),
      variables: levels === 0 ? [] : inputsOf(input.variables, levels - 1),
    }));

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const textsOf = (value: unknown): string[] =>
  listOf(value)
    .slice(0, MOST)
    .filter((item): item is string => typeof item === 'string' && item !== '');
