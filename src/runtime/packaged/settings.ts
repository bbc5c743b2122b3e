import { choice, integer } from '#core/config/config.ts';
import { BOX_ISOLATIONS } from '#runtime/boxes/box.ts';

export const RUNTIME_SETTINGS = {
  runtime: choice('CAPSTAN_RUNTIME', 'auto', ['auto', 'bwrap', 'off'], {
    description:
      '`auto` runs packages in bubblewrap boxes where the machine allows it; `bwrap` also reports a failure in `capstand doctor` ' +
      'where it does not; `off` runs no packages.',
  }),
  runtime_min: choice('CAPSTAN_RUNTIME_MIN', 'bwrap+seccomp', BOX_ISOLATIONS, {
    description:
      'The weakest isolation that packages may run under, as `capstand doctor` names it. Weaker boxes are refused.',
  }),
  runtime_memory_mb: integer('CAPSTAN_RUNTIME_MEMORY_MB', 512, 64, 65_536, {
    description: 'How much memory one box may use, in MiB.',
  }),
  runtime_processes: integer('CAPSTAN_RUNTIME_PROCESSES', 128, 16, 4_096, {
    description: 'How many processes and threads one box may have.',
  }),
} as const;
