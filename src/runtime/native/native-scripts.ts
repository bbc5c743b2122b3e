import type { Share } from '#core/fair-queue/share.ts';
import type { Skill } from '#runtime/skills/skill.ts';
import type { NativeRequest, NativeResult } from './native-sandbox.ts';
import type { PackageNeed, SkillNeeds } from './needs.ts';

/** Scripts that need more than the WebAssembly engine has: packages, programs, or modules of the language. */
export interface NativeScripts {
  /** What the skill needs beyond its files; null if the WebAssembly engine is enough. Pure, and cached by digest. */
  needsOf(skill: Skill): SkillNeeds | null;
  /**
   * Why it cannot be run natively; null if it can.
   *
   * @param installs whether the caller has accepted that packages are installed for it.
   */
  whyUnavailable(skill: Skill, needs: SkillNeeds, installs: boolean): Promise<NativeRefusal | null>;
  /**
   * Prepares the packages and runs the script in a box.
   *
   * @throws Problem `packages.*` and `runtime.*` that name the reason and the next step; the signal's reason.
   */
  run(order: NativeOrder): Promise<NativeRan>;
}

export interface NativeRefusal {
  reason: 'unsupported' | 'missing_env' | 'needs_install';
  /** One or two sentences: the missing requirement, and the fix. */
  detail: string;
}

export interface NativeOrder extends Pick<NativeRequest, 'stdin' | 'limits'> {
  input_files?: NativeRequest['input_files'] | undefined;
  on_output?: NativeRequest['on_output'] | undefined;
  signal?: AbortSignal | undefined;
  share: Share;
  skill: Skill;
  needs: SkillNeeds;
  on_step?: ((text: string) => void) | undefined;
}

export interface NativeRan extends NativeResult {
  packages_installed: { ecosystem: 'npm' | 'pypi'; lock_sha256: string; tree_sha256: string }[];
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
