import { CONNECTIONS_ERRORS, connectionsProblem } from '#connections/errors.ts';
import { coreProblem } from '#core/errors.ts';
import type { ErrorTable } from '#core/problem/error-table.ts';
import type { Problem } from '#core/problem/problem.ts';
import { RUNTIME_ERRORS, runtimeProblem } from '#runtime/errors.ts';

/** Why a package cannot be prepared. One function for each code, so that each has one text. */

/** They have the next step of each code. */
export const PACKAGE_ERRORS: readonly ErrorTable[] = [RUNTIME_ERRORS, CONNECTIONS_ERRORS];

/** Text of others in a message of ours: one line, bounded, without control and direction characters. */
export const shown = (text: string, most = 200): string =>
  text
    .slice(0, most * 4)
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ')
    .trim()
    .slice(0, most);

function days(ms: number): string {
  const count = Math.round((ms / 86_400_000) * 10) / 10;
  return `${count} ${count === 1 ? 'day' : 'days'}`;
}

export const notFound = (what: string, next: string): Problem =>
  runtimeProblem('packages.not_found', `${shown(what)} does not exist in the registry. ${next}`);

export const unpublished = (what: string): Problem =>
  runtimeProblem('packages.gone', `${shown(what)} was removed from the registry. Choose another version.`);

export const versionInvalid = (version: string, name: string): Problem =>
  coreProblem(
    'http.invalid',
    `"${shown(version, 60)}" is not an exact version of ${shown(name)}. Use one such as 1.4.2.`,
    { reason: 'input', errors: [{ pointer: '/version', detail: 'An exact version, not a range or a tag.' }] },
  );

export const nameInvalid = (name: string, form: string): Problem =>
  coreProblem('http.invalid', `"${shown(name, 100)}" is not a valid package name. Use ${form}.`, {
    reason: 'input',
    errors: [{ pointer: '/name', detail: `Expected ${form}.` }],
  });

export const hashMismatch = (what: string, expected: string, found: string): Problem =>
  connectionsProblem(
    'packages.unsupported',
    `${shown(what)} has hash ${shown(found, 140)}, expected ${shown(expected, 140)}. Report it to the publisher.`,
    { reason: 'hash_mismatch' },
  );

export const hashRequired = (what: string): Problem =>
  connectionsProblem(
    'packages.unsupported',
    `${shown(what)} has no SHA-256 in its listing. Ask the publisher to add fileSha256.`,
    { reason: 'hash_required', errors: [{ pointer: '/sha256', detail: '64 hexadecimal digits.' }] },
  );

export const needsInstallScript = (what: string, why: string): Problem =>
  connectionsProblem(
    'packages.unsupported',
    `${shown(what)} ${why}. An operator can allow it with CAPSTAN_PACKAGE_SCRIPTS.`,
    { reason: 'needs_install_script' },
  );

/** A Python package without a wheel: nothing can allow its build. */
export const needsBuild = (what: string): Problem =>
  connectionsProblem(
    'packages.unsupported',
    `${shown(what)} has no wheel for this Python and would run build code. Choose a version that has a wheel.`,
    { reason: 'needs_install_script' },
  );

export const tooLarge = (what: string, bytes: number): Problem =>
  connectionsProblem(
    'packages.unsupported',
    `${shown(what)} needs more than ${bytes} bytes. An operator can raise CAPSTAN_PACKAGE_MAX_MB.`,
    { reason: 'too_large' },
  );

export const tooManyFiles = (what: string, files: number): Problem =>
  connectionsProblem(
    'packages.unsupported',
    `${shown(what)} has more than ${files} files. An operator can raise CAPSTAN_PACKAGE_MAX_FILES.`,
    { reason: 'too_many_files' },
  );

export const tooNew = (what: string, age_ms: number, min_ms: number): Problem =>
  connectionsProblem(
    'packages.unsupported',
    `${shown(what)} was published ${days(age_ms)} ago; the minimum is ${days(min_ms)}. Retry later or choose an older version.`,
    { reason: 'too_new' },
  );

/** npm skips releases that are too new, and then finds none that matches. */
export const dependencyTooNew = (what: string, min_ms: number): Problem =>
  connectionsProblem(
    'packages.unsupported',
    `${shown(what)} has only releases younger than ${days(min_ms)}. Retry later or choose an older version.`,
    { reason: 'too_new' },
  );

/** The registry has no time for the release, so its age cannot be checked. */
export const ageUnknown = (what: string): Problem =>
  connectionsProblem(
    'packages.unsupported',
    `The registry has no release time for ${shown(what)}. An operator can set CAPSTAN_PACKAGE_MIN_AGE=0s.`,
    { reason: 'too_new' },
  );

export const entryNotFound = (what: string, why: string): Problem =>
  connectionsProblem('packages.unsupported', `${shown(what)} ${shown(why, 400)}`, { reason: 'entry_not_found' });

export const wantsNode = (what: string, range: string, have: string): Problem =>
  connectionsProblem(
    'packages.unsupported',
    `${shown(what)} requires Node ${shown(range, 80)}; this service has ${have}. Choose another version.`,
    { reason: 'wants_node' },
  );

export const wantsPython = (what: string, range: string, have: string): Problem =>
  connectionsProblem(
    'packages.unsupported',
    `${shown(what)} requires Python ${shown(range, 80)}; this service has ${have}. Choose another version.`,
    { reason: 'wants_python' },
  );

export const wantsRuntime = (what: string, runtime: string): Problem =>
  connectionsProblem(
    'packages.unsupported',
    `${shown(what)} requires ${shown(runtime, 80)}, which is not available here. Choose another package of this server.`,
    { reason: 'wants_runtime' },
  );

export const registryUnavailable = (host: string, why: string, cause?: unknown): Problem =>
  runtimeProblem(
    'packages.failed',
    `The registry ${shown(host, 100)} is unavailable (${shown(why, 100)}). Retry later.`,
    { reason: 'registry_unavailable', cause },
  );

export const registryRequired = (setting: string): Problem =>
  runtimeProblem(
    'packages.unavailable',
    `No registry is configured for this ecosystem. An operator must set ${setting}.`,
    { reason: 'registry_required' },
  );

export const registryForbidden = (registry: string, setting: string): Problem =>
  runtimeProblem(
    'packages.forbidden',
    `The registry ${shown(registry, 100)} is not allowed. An operator can add it to ${setting}.`,
    { reason: 'registry_forbidden', errors: [{ pointer: '/registry', detail: 'The configured registry, or null.' }] },
  );

/** The password of a registry is not sent wherever its responses say. */
export const tokenServerForbidden = (registry: string, host: string): Problem =>
  runtimeProblem(
    'packages.forbidden',
    `The registry ${shown(registry, 100)} wants its password sent to ${shown(host, 100)}, which is not allowed. If that is its token server, an operator can add it to CAPSTAN_OCI_TOKEN_SERVERS.`,
    { reason: 'registry_forbidden', errors: [{ pointer: '/registry', detail: 'An allowed token server, over TLS.' }] },
  );

/** A private package, or one that does not exist: registries do not distinguish them. */
export const accessDenied = (what: string, setting: string): Problem =>
  runtimeProblem(
    'packages.forbidden',
    `The registry does not give ${shown(what)} to this service. Check the name; if it is private, an operator can set ${setting}.`,
    { reason: 'access_denied' },
  );

/** A file that the registry keeps elsewhere, without the operator's word for that host. */
export const fileHostForbidden = (what: string, host: string): Problem =>
  runtimeProblem(
    'packages.forbidden',
    `The registry keeps a file of ${shown(what)} at ${shown(host, 100)}, which is not allowed. If that is its file host, an operator can add it to CAPSTAN_PACKAGE_FILE_HOSTS.`,
    { reason: 'file_host_forbidden' },
  );

export const digestRequired = (version: string, name: string): Problem =>
  coreProblem(
    'http.invalid',
    `"${shown(version, 60)}" is not the digest of ${shown(name)}. Resolve the tag first and use sha256:….`,
    { reason: 'input', errors: [{ pointer: '/version', detail: 'A digest, sha256: and 64 hexadecimal digits.' }] },
  );

/** The image's own documents are wrong or of a kind that is not run here. */
export const imageInvalid = (what: string, why: string): Problem =>
  connectionsProblem(
    'packages.unsupported',
    `The image ${shown(what)} cannot be used: ${shown(why, 200)}. Choose another version.`,
    { reason: 'manifest_invalid' },
  );

export const managerUnavailable = (what: string, next: string): Problem =>
  runtimeProblem('packages.unavailable', `${what} ${next}`, { reason: 'manager_unavailable' });

export const sourceForbidden = (what: string, source: string): Problem =>
  connectionsProblem(
    'packages.unsupported',
    `${shown(what)} comes from ${shown(source, 100)}, not from the registry. Choose a version without such a dependency.`,
    { reason: 'source_forbidden' },
  );

export const unsafeFiles = (what: string, why: string): Problem =>
  connectionsProblem(
    'packages.unsupported',
    `${shown(what)} was refused: ${shown(why, 300)}. Report it to the publisher.`,
    { reason: 'unsafe_files' },
  );

export const manifestInvalid = (what: string, why: string): Problem =>
  connectionsProblem(
    'packages.unsupported',
    `The manifest.json of ${shown(what)} is invalid: ${shown(why, 200)}. Report it to the publisher.`,
    { reason: 'manifest_invalid' },
  );

/** A skill's packages, installed again by its lock, are other files than before. */
export const lockChanged = (skill: string): Problem =>
  runtimeProblem(
    'packages.conflict',
    `The packages of ${shown(skill)} no longer match its lock. Accept them again to lock the current ones.`,
    { reason: 'lock_changed' },
  );

export const lockTooLarge = (skill: string): Problem =>
  connectionsProblem('packages.unsupported', `${shown(skill)} needs more packages than a lock can have.`, {
    reason: 'too_large',
  });

export const treeChanged = (what: string): Problem =>
  runtimeProblem(
    'packages.conflict',
    `The stored files of ${shown(what)} changed on disk. Prepare the package again.`,
    {
      reason: 'tree_changed',
    },
  );

export const unsupported = (what: string, next: string): Problem =>
  connectionsProblem('packages.unsupported', `${shown(what)} packages cannot be run here. ${next}`, {
    reason: 'ecosystem',
  });

export const installFailed = (what: string, why: string, cause?: unknown): Problem =>
  runtimeProblem(
    'packages.failed',
    `${shown(what)} could not be installed: ${shown(why, 500)}. Choose another version.`,
    { reason: 'install_failed', cause },
  );

export const installTimeout = (what: string, ms: number): Problem =>
  runtimeProblem(
    'packages.timeout',
    `Installing ${shown(what)} took longer than ${Math.round(ms / 1_000)} s. Retry, or raise CAPSTAN_PACKAGE_TIMEOUT.`,
  );
