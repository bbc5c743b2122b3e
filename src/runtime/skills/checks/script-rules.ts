import { openReport, quoted, type Report, type Violation, warning } from '#catalog/checks/violation.ts';
import { placesIn } from '#core/text/lines.ts';
import { textOf } from '../frontmatter.ts';

/** Rules for files under `scripts/`: their language, and features that the sandbox lacks. Reads only. Pure. */

export const SCRIPT_RULES = {
  'script-kind': warning('Add a file extension, or a first line such as #!/usr/bin/env bash.'),
  'script-not-run-here': warning(
    'Add one in bash, Python or JavaScript (.sh, .py, .js, .mjs) if it should run in the sandbox.',
  ),
  'script-shebang': warning('Let the first line name the language of the extension.'),
  'script-binary': warning('Include the source: binary files cannot be reviewed and do not run in the sandbox.'),
  'script-line-ends': warning('Save it with line feeds only.'),
  'sandbox-lacks': warning('Remove it, or state the requirement in compatibility; this line fails in the sandbox.'),
};

const LANGUAGES: Record<string, string> = {
  sh: 'bash',
  bash: 'bash',
  py: 'python',
  js: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  ts: 'typescript',
  rb: 'ruby',
  pl: 'perl',
  php: 'php',
  ps1: 'powershell',
  lua: 'lua',
  r: 'r',
  go: 'go',
  rs: 'rust',
  zsh: 'zsh',
  fish: 'fish',
  awk: 'awk',
  bat: 'batch',
  cmd: 'batch',
  java: 'java',
  swift: 'swift',
};
/** Data that scripts often have beside them. */
const DATA = new Set([
  'json',
  'txt',
  'md',
  'csv',
  'tsv',
  'yaml',
  'yml',
  'toml',
  'jq',
  'sql',
  'html',
  'css',
  'xml',
  'ini',
]);
const RUN_HERE = new Set(['bash', 'python', 'javascript']);
const RUN_HERE_EXTENSIONS = new Set(['sh', 'py', 'js', 'mjs']);
const INTERPRETERS: readonly [RegExp, string][] = [
  [/\b(?:ba|da)?sh\b/, 'bash'],
  [/\bpython[\d.]*\b/, 'python'],
  [/\b(?:node|deno|bun|qjs)\b/, 'javascript'],
  [/\bzsh\b/, 'zsh'],
  [/\bruby\b/, 'ruby'],
  [/\bperl\b/, 'perl'],
  [/\bphp\b/, 'php'],
];

const NETWORK = 'The sandbox has no network';
const PROCESSES = 'The sandbox starts no processes';
const LACKS: Record<string, readonly (readonly [RegExp, string])[]> = {
  python: [
    [
      /^[ \t]{0,80}(?:import|from)[ \t]{1,8}(?:sqlite3|ssl|lzma|zoneinfo|ctypes)\b/gm,
      'Python in the sandbox lacks this module of the standard library',
    ],
    [
      /^[ \t]{0,80}(?:import|from)[ \t]{1,8}(?:numpy|pandas|scipy|requests|httpx|aiohttp|urllib3|yaml|bs4|PIL|matplotlib|cv2|torch|sklearn|openpyxl|docx|pypdf|lxml|pydantic|openai|anthropic)\b/gm,
      'Python in the sandbox has its standard library only',
    ],
    [
      /^[ \t]{0,80}(?:import|from)[ \t]{1,8}(?:subprocess|multiprocessing)\b|\bos\.(?:system|popen|fork|exec[lv]p?e?)[ \t]{0,4}\(/gm,
      PROCESSES,
    ],
    [/^[ \t]{0,80}(?:import|from)[ \t]{1,8}(?:socket|urllib\.request|http\.client|ftplib|smtplib)\b/gm, NETWORK],
  ],
  javascript: [
    [
      /\b(?:from|import|require)\b[ \t]{0,4}\(?[ \t]{0,4}['"](?:node:)?(?:child_process|worker_threads|cluster)['"]/g,
      PROCESSES,
    ],
    [
      /\b(?:from|import|require)\b[ \t]{0,4}\(?[ \t]{0,4}['"](?:node:)?(?:https?|http2|net|tls|dgram|dns)['"]|\bfetch[ \t]{0,4}\(|\bXMLHttpRequest\b|\bnew[ \t]{1,4}WebSocket\b/g,
      NETWORK,
    ],
    [
      /\b(?:from|require)\b[ \t]{0,4}\(?[ \t]{0,4}['"](?!node:|[./])(?!(?:fs|path|os|url|assert|util|events|buffer|stream|string_decoder|querystring|child_process|worker_threads|cluster|https?|http2|net|tls|dgram|dns|crypto|zlib)(?:\/[\w/]{1,40})?['"])[@\w][\w@/.-]{0,200}['"]/g,
      'The sandbox has no packages beside the script',
    ],
    [
      /\b(?:from|import|require)\b[ \t]{0,4}\(?[ \t]{0,4}['"](?:node:)?(?:crypto|zlib)['"]/g,
      'JavaScript in the sandbox (QuickJS) lacks this module',
    ],
  ],
  bash: [
    [
      /(?:^|[;&|(]|\bthen\b|\bdo\b|\belse\b)[ \t]{0,80}(?:sudo[ \t]{1,4})?(?:curl|wget|ssh|scp|rsync|nc|ping)(?=[ \t\n;|&)]|$)/gm,
      NETWORK,
    ],
    [
      /(?:^|[;&|(]|\bthen\b|\bdo\b|\belse\b)[ \t]{0,80}(?:sudo[ \t]{1,4})?(?:git|docker|kubectl|npm|npx|node|deno|bun|pip3?|python3?|perl|ruby|php|make|gcc|cargo|go|apt|apt-get|brew|yum|ffmpeg|convert|psql|mysql|openssl|systemctl|sudo|gh|aws|gcloud)(?=[ \t\n;|&)]|$)/gm,
      'bash in the sandbox (just-bash) lacks this program',
    ],
    [/(?:^|[;&|(])[ \t]{0,80}trap(?=[ \t])/gm, 'bash in the sandbox (just-bash) has no trap'],
  ],
};

const PROGRAM_STARTS = ['\u007fELF', 'MZ', '\u00ca\u00fe\u00ba\u00be', '\u00cf\u00fa\u00ed\u00fe', '\u0000asm'];
const MOST_OF_A_KIND = 100;

type ScriptReport = Report<keyof typeof SCRIPT_RULES>;

export const isScriptPath = (path: string): boolean => /(?:^|\/)scripts\//.test(path);

export function scriptViolations(path: string, bytes: Uint8Array): Violation[] {
  const report = openReport(SCRIPT_RULES);
  const start = Buffer.from(bytes.subarray(0, 4)).toString('latin1');
  const text = textOf(bytes);
  if (PROGRAM_STARTS.some((programStart) => start.startsWith(programStart)) || text === null || text.includes('\0')) {
    report.add('script-binary', path, `${quoted(path)} is a binary file.`);
    return report.violations();
  }
  const language = checkKind(path, text, report);
  if (text.includes('\r\n') && language !== 'batch' && language !== 'powershell')
    report.add(
      'script-line-ends',
      path,
      'Lines end as on Windows, and shells read the carriage return as part of a word.',
    );
  checkLacks(path, text, language, report);
  return report.violations();
}

function checkKind(path: string, text: string, report: ScriptReport): string | undefined {
  const extension = /\.([A-Za-z0-9]{1,10})$/.exec(path)?.[1]?.toLowerCase() ?? '';
  const byName = LANGUAGES[extension];
  const shebang = /^#![^\n]{0,200}/.exec(text)?.[0];
  const byShebang = shebang === undefined ? undefined : INTERPRETERS.find(([pattern]) => pattern.test(shebang))?.[1];
  const language = byName ?? byShebang;
  if (byName === undefined && DATA.has(extension)) return undefined;
  if (language === undefined) report.add('script-kind', path, `The language of ${quoted(path)} is unknown.`);
  else if (!RUN_HERE.has(language) || !RUN_HERE_EXTENSIONS.has(extension))
    report.add(
      'script-not-run-here',
      path,
      `The sandbox does not run ${quoted(path)}: it takes .sh, .py, .js and .mjs.`,
    );
  if (
    byName !== undefined &&
    byShebang !== undefined &&
    byName !== byShebang &&
    !(byName === 'typescript' && byShebang === 'javascript')
  )
    report.add('script-shebang', path, `The extension says ${byName}, the first line ${byShebang}.`);
  return language;
}

function checkLacks(path: string, text: string, language: string | undefined, report: ScriptReport): void {
  const placeAt = placesIn(text);
  for (const [pattern, detail] of LACKS[language ?? ''] ?? []) {
    let count = 0;
    for (const match of text.matchAll(pattern)) {
      const indent = /^[\s;&|(]*/.exec(match[0])?.[0].length ?? 0;
      report.add('sandbox-lacks', path, `${detail}.`, placeAt(match.index + indent));
      if (++count === MOST_OF_A_KIND) break;
    }
  }
}
