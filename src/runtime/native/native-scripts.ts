import type { Share } from '#core/fair-queue/share.ts';
import type { Skill } from '#runtime/skills/skill.ts';
import type { NativeRequest, NativeResult } from './native-sandbox.ts';
import type { PackageNeed, SkillNeeds } from './needs.ts';

/** Scripts that need more than the WebAssembly engine has: packages, programs, or modules of the language. */
export interface NativeScripts {
  /**
   * What the skill needs beyond its files, for all of its scripts if none is the main one; null if the WebAssembly engine is
   * enough. Pure, and cached by digest.
   */
  needsOf(skill: Skill): SkillNeeds | null;
  /** The same for one of its scripts, with the packages that were asked for the whole skill. */
  needsOfScript(skill: Skill, script: NonNullable<Skill['entry']>): SkillNeeds | null;
  /** Why it cannot be run natively; null if it can. */
  whyUnavailable(skill: Skill, needs: SkillNeeds, held: NativeHeld): Promise<NativeRefusal | null>;
  /**
   * Prepares the packages and runs the script in a box.
   *
   * @throws Problem `packages.*` and `runtime.*` that name the reason and the next step; the signal's reason.
   */
  run(order: NativeOrder): Promise<NativeRan>;
}

export type Ecosystem = PackageNeed['ecosystem'];

/** What the caller has given by now, without values. */
export interface NativeHeld {
  /** Whether the installation of the packages that the skill needs was accepted. */
  installs: boolean;
  /** Names of environment variables. */
  names: ReadonlySet<string>;
}

/** What a box is started with. */
export interface NativeGiven {
  /** By the name of the environment variable. */
  environment: Readonly<Record<string, string>>;
  /** The same, for values that must not appear in output, traces and messages. */
  secrets: Readonly<Record<string, string>>;
  /** Hosts that the script may reach, such as `api.example.com` or `*.example.com:8443`. */
  hosts: readonly string[];
}

export const NOTHING_GIVEN: NativeGiven = { environment: {}, secrets: {}, hosts: [] };

/** A lock that was kept apart from the store of packages, with the digest of the files that it leads to. */
export interface KeptLock {
  content: Uint8Array;
  lock_sha256: string;
  tree_sha256: string;
}

/** The locks of one version of a skill. `wanted` is the digest of the packages that it asks for. */
export interface NativeLocks {
  find(ecosystem: Ecosystem, wanted: string): Promise<KeptLock | null>;
  /** @throws Problem `users.quota_exceeded` if its owner has no storage left. */
  keep(ecosystem: Ecosystem, wanted: string, lock: KeptLock): Promise<void>;
}

/** What a person can answer so that the skill runs. */
export interface NativeQuestion {
  packages: { ecosystem: Ecosystem; name: string; wanted: string; from: string }[];
  /** Variables without a value. Secrets are stored for the skill, never sent as an answer. */
  environment: { name: string; secret: boolean }[];
}

export interface NativeRefusal {
  reason: 'unsupported' | 'missing_env' | 'needs_install';
  /** One or two sentences: the missing requirement, and the fix. */
  detail: string;
  /** Absent if no answer helps. */
  question?: NativeQuestion | undefined;
}

export interface NativeOrder extends Pick<NativeRequest, 'stdin' | 'limits'> {
  input_files?: NativeRequest['input_files'] | undefined;
  on_output?: NativeRequest['on_output'] | undefined;
  signal?: AbortSignal | undefined;
  share: Share;
  skill: Skill;
  needs: SkillNeeds;
  given: NativeGiven;
  /** Null: packages are locked in the store only. */
  locks: NativeLocks | null;
  on_step?: ((text: string) => void) | undefined;
}

export interface NativeRan extends NativeResult {
  packages_installed: { ecosystem: Ecosystem; lock_sha256: string; tree_sha256: string }[];
}

/** `requests>=2.31 (PyPI, requirements.txt)`, at most so many. */
export function listPackages(packages: readonly PackageNeed[], most = 12): string {
  const shown = packages.slice(0, most).map(({ ecosystem, name, wanted, from }) => {
    const version = ecosystem === 'npm' && wanted !== '' ? `@${wanted}` : wanted;
    return `${name}${version} (${ecosystem === 'npm' ? 'npm' : 'PyPI'}, ${from === 'import' ? 'imported' : from})`;
  });
  const more = packages.length - shown.length;
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ');
}
