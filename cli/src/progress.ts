import { type Format, oneLine, paintFor } from './output.ts';
import type { World } from './world.ts';

/** How far something is that takes long, on the last line of a terminal's stderr; nothing anywhere else. */

/** The current activity, and its progress if the total is known. Omitted members keep their values. */
export interface Far {
  label?: string;
  done?: number;
  total?: number | null;
}

export interface Progress {
  tell(far: Far): void;
  /** Writes beside it. */
  aside(text: string): void;
  end(): void;
}

const FRAMES = [...'⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏'];
const EVERY_MS = 120;
const BAR = 20;

/** Only where a person watches, who did not ask for less. */
const isWatched = ({ stderr, env }: World, { quiet, bars }: Pick<Format, 'quiet' | 'bars'>): boolean =>
  bars && !quiet && stderr.isTTY === true && !env.CI && env.TERM !== 'dumb';

export function startProgress(world: World, format: Format, label: string): Progress {
  if (!isWatched(world, format)) return { tell() {}, aside: (text) => void world.stderr.write(text), end() {} };
  const { stderr } = world;
  const paint = paintFor(stderr, world.env);
  const started = Date.now();
  let far: Far = { label };
  let frame = 0;
  let drawn = 0;
  /** Of what was written aside: a line that has not ended is left alone. */
  let isAtStart = true;
  const clear = (): void => {
    if (drawn > 0) stderr.write(`\r${' '.repeat(drawn)}\r`);
    drawn = 0;
  };
  const draw = (): void => {
    if (!isAtStart) return;
    const elapsedS = Math.floor((Date.now() - started) / 1_000);
    const line = lineOf(far, FRAMES[frame % FRAMES.length] as string, elapsedS);
    const letters = [...oneLine(line)].slice(0, (stderr.columns ?? 80) - 1);
    const rest = Math.max(0, drawn - letters.length);
    stderr.write(`\r${paint('cyan', letters.join(''))}${' '.repeat(rest)}`);
    drawn = letters.length;
  };
  const timer = setInterval(() => {
    frame++;
    draw();
  }, EVERY_MS).unref();
  draw();
  return {
    tell(next) {
      far = { ...far, ...next };
      draw();
    },
    aside(text) {
      if (text === '') return;
      clear();
      stderr.write(text);
      isAtStart = text.endsWith('\n');
    },
    end() {
      clearInterval(timer);
      clear();
    },
  };
}

function lineOf({ label = '', done = 0, total = null }: Far, frame: string, elapsedS: number): string {
  if (total === null || total <= 0) return `${frame} ${label}${done > 0 ? ` ${done}` : ''} (${elapsedS} s)`;
  const part = Math.min(1, done / total);
  const full = Math.round(part * BAR);
  return `${'█'.repeat(full)}${'░'.repeat(BAR - full)} ${`${Math.floor(part * 100)}`.padStart(3)} % ${label} ${done}/${total}`;
}
