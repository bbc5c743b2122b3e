import type { ListedRef } from '../ref.ts';

/** The request and the result of an installation. */

export interface InstallAsked<R extends ListedRef = ListedRef> {
  ref: R;
  /** The reference as the user wrote it. */
  text: string;
  client: string[];
  project: boolean;
  name: string | undefined;
  force: boolean;
  dryRun: boolean;
}

/** A change of one file or folder. */
export interface Step {
  client: string;
  action: 'written' | 'taken_back' | 'kept' | 'run_yourself';
  /** The file or folder; empty for a command. */
  place: string;
  /** The written content, the command to run, or why it was kept. */
  detail: string;
}

export interface Done {
  /** For `undo`; null if nothing was written. */
  id: string | null;
  ref: string;
  dry_run: boolean;
  steps: Step[];
}
