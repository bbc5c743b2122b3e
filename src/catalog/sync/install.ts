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
}

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

/** One input, cleaned; what the provider leaves out is empty or false. */
export const installInput = (name: unknown, rest: Partial<Record<keyof InstallInput, unknown>> = {}): InstallInput => ({
  name: text(name, MAX.name),
  description: text(rest.description, 1_000),
  required: rest.required === true,
  secret: rest.secret === true,
  value: text(rest.value, MAX.url),
  default: text(rest.default, MAX.url),
});
