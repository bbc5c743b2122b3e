import { posix } from 'node:path';
import { inBoxHome } from '#catalog/install/launch-settings.ts';
import { defined } from '#core/defined.ts';
import { manifestInvalid, wantsNode, wantsPython, wantsRuntime } from './errors.ts';
import { isObject, jsonObject } from './npm-registry.ts';
import { PACKAGE_ROOT, type PackageInput } from './package.ts';
import { fitsSpecifier, parsePep440 } from './pep440.ts';
import { semver } from './semver.ts';

/** manifest.json of an MCPB bundle, as its specification (0.1 to 0.4) has it. */

interface McpbManifest {
  type: 'node' | 'python' | 'binary';
  /** `node` and `python` are those of the service; everything else is a path or a program in the box. */
  command: string;
  args: string[];
  env: Record<string, string>;
  inputs: PackageInput[];
  /** `compatibility.runtimes.python`; "" is any. */
  python: string;
}

const MOST_ARGS = 200;
const MOST_INPUTS = 200;

/**
 * Reads the manifest for Linux. `${user_config.<name>}` stays in the entry; fillEntry puts the values in at the start.
 *
 * @throws Problem `packages.unsupported` (`manifest_invalid`), `packages.unsupported` (`wants_node`), `packages.unsupported` (`wants_runtime`).
 */
export function readManifest(text: string, what: string, node_version: string): McpbManifest {
  const invalid = (why: string) => manifestInvalid(what, why);
  const manifest = jsonObject(text);
  if (manifest === null) throw invalid('it is not a JSON object');
  const { server, compatibility } = manifest;
  if (!isObject(server)) throw invalid('server is missing');
  const python = checkCompatibility(compatibility, what, node_version);
  const type = server.type;
  if (type === 'uv') throw wantsRuntime(what, 'uv');
  if (type !== 'node' && type !== 'python' && type !== 'binary')
    throw invalid('server.type must be node, python or binary');
  const config = isObject(server.mcp_config) ? server.mcp_config : {};
  const overrides = isObject(config.platform_overrides) ? config.platform_overrides.linux : undefined;
  const chosen = isObject(overrides) ? overrides : {};
  const entry_point = safeEntryPoint(server.entry_point, invalid);
  const command = textOf(chosen.command ?? config.command, 'server.mcp_config.command', invalid);
  const args = listOf(chosen.args ?? config.args, 'server.mcp_config.args', invalid);
  const env = Object.assign({}, recordOf(config.env, invalid), recordOf(chosen.env, invalid));
  const start = startOf({ type, command, args, entry_point, what });
  return {
    type,
    command: withPlaces(start.command),
    args: start.args.map(withPlaces),
    env: Object.fromEntries(Object.entries(env).map(([name, value]) => [name, withPlaces(value)])),
    inputs: inputsOf(manifest.user_config, invalid),
    python,
  };
}

/** @throws Problem `packages.unsupported` (`wants_python`) if the bundle requires another Python version. */
export function checkPython({ command, python }: McpbManifest, what: string, have: string): void {
  const version = parsePep440(have);
  if (command === 'python' && version !== null && fitsSpecifier(version, python) === false)
    throw wantsPython(what, python, have);
}

type Invalid = (why: string) => Error;

/** Answers the range of Python. */
function checkCompatibility(compatibility: unknown, what: string, nodeVersion: string): string {
  if (!isObject(compatibility)) return '';
  const { platforms, runtimes } = compatibility;
  if (Array.isArray(platforms) && platforms.length > 0 && !platforms.includes('linux'))
    throw wantsRuntime(what, platforms.filter((each) => typeof each === 'string').join(' or '));
  if (!isObject(runtimes)) return '';
  const { node, python } = runtimes;
  if (
    typeof node === 'string' &&
    node.length <= 500 &&
    semver.validRange(node) !== null &&
    !semver.satisfies(nodeVersion, node, { includePrerelease: true })
  )
    throw wantsNode(what, node, nodeVersion);
  return typeof python === 'string' ? python : '';
}

function safeEntryPoint(value: unknown, invalid: Invalid): string | null {
  if (value === undefined || value === '') return null;
  if (typeof value !== 'string' || value.startsWith('/') || posix.normalize(value).startsWith('..'))
    throw invalid('server.entry_point must be a path inside the bundle');
  return posix.normalize(value);
}

interface Start {
  type: McpbManifest['type'];
  command: string | null;
  args: string[] | null;
  entry_point: string | null;
  what: string;
}

function startOf({ type, command, args, entry_point, what }: Start): { command: string; args: string[] } {
  const file = entry_point === null ? null : `${PACKAGE_ROOT}/${entry_point}`;
  if (command === null && file === null) throw manifestInvalid(what, 'it names neither a command nor an entry point');
  if (command === null) {
    if (type === 'binary') return { command: file as string, args: args ?? [] };
    return { command: type, args: [file as string, ...(args ?? [])] };
  }
  if (['uv', 'uvx', 'npx', 'bunx', 'bun', 'deno', 'docker'].includes(command)) throw wantsRuntime(what, command);
  const program = /^node(?:\.exe)?$/.test(command)
    ? 'node'
    : /^python[\d.]*(?:\.exe)?$/.test(command)
      ? 'python'
      : command;
  return { command: program, args: args ?? (type === 'binary' || file === null ? [] : [file]) };
}

/** Places that every bundle may name. The user's folders are the box's home. */
const withPlaces = (text: string): string => inBoxHome(inBundle(text));

const inBundle = (text: string): string =>
  text.replace(/\$\{__dirname\}/g, PACKAGE_ROOT).replace(/\$\{(?:\/|pathSeparator)\}/g, '/');

function textOf(value: unknown, place: string, invalid: Invalid): string | null {
  if (value === undefined) return null;
  if (typeof value !== 'string' || value === '' || value.includes('\0')) throw invalid(`${place} must be text`);
  return value;
}

function listOf(value: unknown, place: string, invalid: Invalid): string[] | null {
  if (value === undefined) return null;
  const good = Array.isArray(value) && value.length <= MOST_ARGS && value.every(isPlainText);
  if (!good) throw invalid(`${place} must be a list of at most ${MOST_ARGS} texts`);
  return value as string[];
}

function recordOf(value: unknown, invalid: Invalid): Record<string, string> {
  if (value === undefined) return {};
  const good =
    isObject(value) &&
    Object.keys(value).length <= MOST_ARGS &&
    Object.entries(value).every(([name, text]) => /^[A-Za-z_]\w{0,127}$/.test(name) && isPlainText(text));
  if (!good) throw invalid('server.mcp_config.env must map variable names to strings');
  return value as Record<string, string>;
}

const isPlainText = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= 32_768 && !value.includes('\0');

const TYPES = ['string', 'number', 'boolean', 'directory', 'file'] as const;

function inputsOf(value: unknown, invalid: Invalid): PackageInput[] {
  if (value === undefined) return [];
  if (!isObject(value) || Object.keys(value).length > MOST_INPUTS) throw invalid('user_config must be an object');
  return Object.entries(value).map(([name, raw]) => {
    if (!isObject(raw)) throw invalid(`user_config.${name} must be an object`);
    const type = TYPES.find((each) => each === raw.type);
    if (type === undefined) throw invalid(`user_config.${name}.type must be one of ${TYPES.join(', ')}`);
    if (!/^[\w.-]{1,100}$/.test(name))
      throw invalid('a name in user_config has other characters than letters and digits');
    const [min, max] = [raw.min, raw.max].map((bound) =>
      type === 'number' && typeof bound === 'number' && Number.isFinite(bound) ? bound : undefined,
    );
    return {
      name,
      type,
      required: raw.required === true,
      sensitive: raw.sensitive === true,
      multiple: raw.multiple === true,
      default: defaultOf(raw.default, type),
      description: [raw.title, raw.description].filter(isPlainText).join(': ').slice(0, MOST_DESCRIPTION),
      ...defined({ min, max }),
    };
  });
}

const MOST_DESCRIPTION = 1_000;

/** One that is not of its type is none. */
function defaultOf(value: unknown, type: PackageInput['type']): PackageInput['default'] {
  if (type === 'number') return typeof value === 'number' && Number.isFinite(value) ? value : null;
  if (type === 'boolean') return typeof value === 'boolean' ? value : null;
  if (Array.isArray(value)) return value.filter(isPlainText).slice(0, MOST_ARGS).map(inBundle);
  return typeof value === 'string' ? inBundle(value) : null;
}
