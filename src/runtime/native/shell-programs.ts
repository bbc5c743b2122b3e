/** Programs that shell scripts start and that the shell of the WebAssembly engine does not have. */

const MOST_LINES = 20_000;
const MOST_LINE_CHARS = 2_000;

const PROGRAMS =
  'apt-get|aws|bun|cargo|convert|curl|deno|docker|ffmpeg|ffprobe|gcc|gcloud|gh|git|go|java|kubectl|magick|make|mktemp|mysql|' +
  'nc|node|npm|npx|openssl|pandoc|perl|php|pip3?|pnpm|ps|psql|rsync|ruby|scp|ssh|systemctl|terraform|trap|unzip|uvx?|wget|yarn|zip';

/** At the start of a command: of a line, after a separator, a keyword or an opening parenthesis. */
const COMMAND = new RegExp(
  `(?:^|[;&|(\`]|\\b(?:then|do|else|if|while|until)\\b)[ \\t]{0,80}(?:![ \\t]{1,8})?(${PROGRAMS})(?=[ \\t;|&)\`]|$)`,
  'g',
);

export function shellPrograms(files: ReadonlyMap<string, string>): string[] {
  const found = new Set<string>();
  for (const source of files.values())
    for (const line of source.split('\n', MOST_LINES)) {
      if (line.length > MOST_LINE_CHARS || /^\s*#/.test(line)) continue;
      for (const [, program] of line.matchAll(COMMAND)) found.add(program as string);
    }
  return [...found].sort();
}
