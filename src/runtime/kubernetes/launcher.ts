import type { BoxOrder } from '#runtime/boxes/box.ts';
import { hostShell } from '#runtime/boxes/image-root.ts';

/**
 * The program that an exec starts in a Pod. It reads its arguments and variables from standard input, because the command of an exec is
 * part of a URL, which the API server may write to its audit log.
 *
 *     aTEXT        an argument
 *     eNAME=TEXT   a variable
 *     wTEXT        the folder
 *     rTEXT        what it writes to standard error when the program is about to run; the last line
 *
 * What follows is the program's own input. A shell reads a pipe byte by byte, so none of it is lost.
 */
const SCRIPT = `while IFS= read -r capstan_line; do
  capstan_text=$(printf '%bx' "\${capstan_line#?}")
  capstan_text=\${capstan_text%x}
  case $capstan_line in
    a*) set -- "$@" "$capstan_text" ;;
    e*) export "$capstan_text" ;;
    w*) cd "$capstan_text" || exit 126 ;;
    r*) capstan_ready=$capstan_text; break ;;
  esac
done
[ -n "$capstan_ready" ] || exit 125
unset capstan_line capstan_text
command -v "$1" >/dev/null || { echo "$1: not found in the box" >&2; exit 127; }
echo "$capstan_ready" >&2
unset capstan_ready OLDPWD
exec "$@"`;

const BLOCK_BYTES = 512;
const DEFAULT_ENV: Readonly<Record<string, string>> = {
  HOME: '/tmp',
  LANG: 'C.UTF-8',
  PATH: '/opt/node/bin:/usr/local/bin:/usr/bin:/bin',
  TMPDIR: '/tmp',
  USER: 'box',
};

/** Without the variables that Kubernetes adds to every container. */
export function launchCommand({ limits, root }: Pick<BoxOrder, 'limits' | 'root'>): string[] {
  const seconds = limits.cpu_ms === null ? null : Math.ceil(limits.cpu_ms / 1_000) + 1;
  const set = [
    'ulimit -c 0',
    `ulimit -n ${limits.open_files}`,
    `ulimit -f ${Math.ceil(limits.file_bytes / BLOCK_BYTES)}`,
    ...(seconds === null ? [] : [`ulimit -St ${seconds}`, `ulimit -Ht ${seconds + 1}`]),
  ];
  return [...cleanShell(root), '-c', `{ ${set.join('; ')}; } 2>/dev/null\n${SCRIPT}`, 'box'];
}

/** A shell without the variables of the container; in the tree of an image, that of the service. */
export const cleanShell = (root: string | undefined): string[] =>
  root === undefined ? ['/usr/bin/env', '-i', '/bin/sh'] : [...hostShell('/usr/bin/env'), '-i', ...hostShell()];

/** What the launcher reads. `more` wins over the order's variables. */
export function launchInput(
  { argv, env, cwd }: Pick<BoxOrder, 'argv' | 'env' | 'cwd'>,
  more: Readonly<Record<string, string>>,
  ready: string,
): Buffer {
  const variables = Object.entries(Object.assign({}, DEFAULT_ENV, env, more));
  const lines = [
    ...argv.map((text) => `a${escaped(text)}`),
    ...variables.map(([name, value]) => `e${name}=${escaped(value)}`),
    `w${escaped(cwd)}`,
    `r${ready}`,
  ];
  return Buffer.from(lines.map((line) => `${line}\n`).join(''), 'latin1');
}

/** As `printf %b` reads it back: all but plain characters as octal numbers of their bytes. */
function escaped(text: string): string {
  return text.replace(/[^A-Za-z0-9 _./:=@,+-]+/g, (part) =>
    [...Buffer.from(part)].map((byte) => `\\0${byte.toString(8).padStart(3, '0')}`).join(''),
  );
}
