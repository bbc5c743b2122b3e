import { placesIn } from '#core/text/lines.ts';
import { openReport, type Report, type Violation, warning } from './violation.ts';

/**
 * Signs of malice that almost never occur in honest text. A listing with one is flagged and gets no level. Signs of possible harm
 * are in text-signs.ts. Texts are read line by line and long lines in pieces, so the time is linear in their length. Pure.
 */

export const MALICE_RULES = {
  'override-instructions': warning('Remove it. No text may tell a model to drop its instructions.'),
  'conceal-from-user': warning('Remove it. Users must be able to see what happens to their data.'),
  'credential-exfiltration': warning('Remove it. Credentials must not leave the machine.'),
  'remote-code': warning(
    'Fetch it over HTTPS from a host with fixed versions and verify its digest before running it.',
  ),
  'destructive-command': warning('Remove it, or name the exact directory to delete.'),
  'hidden-text': warning('Remove these characters. Models read them, but people cannot see them.'),
  'obfuscated-code': warning('Include the source code that is run, in readable form.'),
};

type MaliceRule = keyof typeof MALICE_RULES;
export const isMaliceRule = (rule: string): rule is MaliceRule => Object.hasOwn(MALICE_RULES, rule);

/** Longer lines are read in pieces of this length. */
const MOST_OF_A_LINE = 4_096;
/** How many lines before and after a line are read as its context. */
const NEAR = 4;
const MOST_FOUND = 50;

/** Every rule needs one of these words, so lines without any of them are skipped. */
const WORTH_A_LOOK =
  /ignore|disregard|forget|override|tell|inform|mention|notify|alert|disclos|\.ssh|\.aws|netrc|npmrc|pypirc|docker|kube|git-cred|gnupg|gcloud|shadow|wallet|login|curl|wget|iwr|irm|webrequest|rm\s|mkfs|dd\s|:\s?\(|base64|eval|exec|powershell/i;

interface Line {
  text: string;
  /** The text in lower case with single spaces. */
  words: string;
  /** Whether the line is part of a script or a fenced code block. */
  is_code: boolean;
}

/** `is_script` means that the whole text is code. */
export function maliceViolations(path: string, text: string, { is_script = false } = {}): Violation[] {
  const report = openReport(MALICE_RULES);
  const placeAt = placesIn(text, 1);
  const lines = linesOf(text, is_script);
  let count = 0;
  for (const [at, { from, to }] of lines.entries()) {
    if (!WORTH_A_LOOK.test(text.slice(from, to))) continue;
    const near = lines.slice(Math.max(0, at - NEAR), at + NEAR + 1).map((place) => lineAt(text, place));
    for (const { rule, detail } of foundIn(near[Math.min(at, NEAR)] as Line, near)) {
      report.add(rule, path, detail, placeAt(from));
      if (++count === MOST_FOUND) return report.violations();
    }
  }
  hiddenText(path, text, report, placeAt);
  return report.violations();
}

interface LinePlace {
  from: number;
  to: number;
  is_code: boolean;
}

const FENCE = /^ {0,3}(?:```|~~~)/;
/** Shorter lines cannot contain a sign. */
const LEAST_OF_A_LINE = 6;

function linesOf(text: string, isScript: boolean): LinePlace[] {
  const lines: LinePlace[] = [];
  let isFenced = false;
  for (let at = 0; at < text.length; ) {
    const found = text.indexOf('\n', at);
    const end = found === -1 ? text.length : found;
    if (FENCE.test(text.slice(at, Math.min(end, at + 8)))) isFenced = !isFenced;
    for (let from = at; end - from >= LEAST_OF_A_LINE; from += MOST_OF_A_LINE)
      lines.push({ from, to: Math.min(end, from + MOST_OF_A_LINE), is_code: isScript || isFenced });
    at = end + 1;
  }
  return lines;
}

function lineAt(text: string, { from, to, is_code }: LinePlace): Line {
  const piece = text.slice(from, to);
  return { text: piece, words: piece.toLowerCase().replace(/[\s*_]+/g, ' '), is_code };
}

interface Found {
  rule: MaliceRule;
  detail: string;
}

const foundIn = (line: Line, near: readonly Line[]): Found[] =>
  [
    overrides(line),
    conceals(line, near),
    sendsCredentials(line, near),
    runsRemote(line),
    destroys(line, near),
    obfuscates(line),
  ].filter((found) => found !== null);

const OVERRIDE =
  /\b(?:ignore|disregard|forget|override) (?:(?:all|any|every|the|your|of|these|those|and) ){0,4}(?:previous|prior|above|earlier|preceding|existing|original|system) (?:(?:system|user|safety|developer|and) ){0,2}(?:instruction|rule|prompt|guideline|directive|constraint)s?\b/g;
/** Words before a match that show that the text only warns of such instructions or quotes them. */
const QUOTES =
  /\b(?:not|never|don't|e\.g|such as|like|examples?|attempts?|attempting|tr(?:y|ies|ying)|asks?|asked|asking|says?|saying|detect\w*|attack\w*|inject\w*|phrases?|patterns?|contain\w*|suspicious|malicious|jailbreak\w*|adversarial|prevent\w*|block\w*|refuse\w*|reject\w*|resist\w*|whether|if|test\w*)\b/;

function overrides({ words }: Line): Found | null {
  for (const { index } of words.matchAll(OVERRIDE)) {
    const before = words.slice(Math.max(0, index - 120), index);
    if (QUOTES.test(before) || isQuoted(before)) continue;
    return { rule: 'override-instructions', detail: 'Tells a model to drop its instructions.' };
  }
  return null;
}

/** Whether a quotation is still open at the end of the text. */
const isQuoted = (before: string): boolean => /["“'‘`][^"“”'‘’`]*$/.test(before.replace(/\b['’](?=\w)/g, ''));

const CONCEAL =
  /\b(?:do not|don't|never|without) (?:ever )?(?:tell|telling|inform|informing|mention|mentioning|notify|notifying|alert|alerting|disclose|disclosing) (?:(?:this|it|that|any of this|anything|about this) )?(?:to )?(?:the |your )?user/;
const SENDING =
  /\b(?:send|upload|post|forward|transmit|exfiltrate|leak|submit|report)\b[^\n]{0,120}\b(?:https?:\/\/|webhook|server|endpoint|@[a-z0-9-]{1,60}\.[a-z])|\bcurl\b|\bwget\b/;
const SECRETS =
  /\b(?:api[ -]?keys?|credentials?|passwords?|secrets?|private[ -]keys?|access tokens?|environment variables|ssh keys?|seed phrases?|cookies|wallets?)\b|\.ssh\/|\.aws\/|\.env\b|id rsa/;

function conceals({ words }: Line, near: readonly Line[]): Found | null {
  if (!CONCEAL.test(words)) return null;
  const around = near.map((line) => line.words).join('\n');
  if (!SENDING.test(around) || !SECRETS.test(around)) return null;
  return {
    rule: 'conceal-from-user',
    detail: 'Tells a model to send secrets away and to hide that from its user.',
  };
}

/** Files that hold credentials of a machine or a person. */
const CREDENTIAL_FILE =
  /(?:~|\$HOME|\$\{HOME\}|\/root|\/home\/[\w.-]{1,40}|\/Users\/[\w.-]{1,40}|expanduser\(['"]~|homedir\(\)[^\n]{0,20})[/'",\s]{0,4}\.(?:ssh\b|aws\/credentials|netrc|npmrc|pypirc|docker\/config|kube\/config|git-credentials|gnupg\b|config\/gcloud)|\.ssh\/id_(?:rsa|ed25519|ecdsa)|\/etc\/shadow\b|\bwallet\.dat\b|\bLogin Data\b|login\.keychain/i;
/** Commands and calls that send data. */
const SENDS_DATA =
  /\bcurl\b[^\n]{0,300}\s(?:-d|--data(?:-\w{1,12})?|-F|--form|-T|--upload-file)\b|\bwget\b[^\n]{0,200}--post-(?:data|file)|\/dev\/tcp\/|\b(?:nc|ncat|netcat)\s[^\n|]{0,80}\s\d{2,5}\b|\b(?:requests|httpx|axios|got)\.(?:post|put)\(|\bmethod['"]?\s{0,3}[:=]\s{0,3}['"](?:POST|PUT)['"]|-Method\s{1,3}(?:POST|PUT)\b/i;
const SAYS_TO_SEND =
  /\b(?:send|upload|post|forward|transmit|exfiltrate|copy|submit)\b[^\n]{0,160}\b(?:to|at)\b[^\n]{0,40}https?:\/\//i;
const FORBIDS = /\b(?:never|do not|don['’]t|must not|should not|avoid|forbidden|blocked?|denied|deny|refuse)\b/i;

function sendsCredentials({ text }: Line, near: readonly Line[]): Found | null {
  if (!CREDENTIAL_FILE.test(text) || FORBIDS.test(text)) return null;
  const sent = near.some((line) => SENDS_DATA.test(line.text) && !FORBIDS.test(line.text)) || SAYS_TO_SEND.test(text);
  return sent
    ? { rule: 'credential-exfiltration', detail: 'Reads a file with credentials and sends data to another host.' }
    : null;
}

/** Unencrypted addresses, bare IP addresses, and hosts where anyone can post a file. */
const UNTRUSTED_HOST =
  /https?:\/\/(?:(?:\d{1,3}\.){3}\d{1,3}\b|(?:[\w-]{1,60}\.)?(?:pastebin\.com|hastebin\.com|rentry\.co|paste\.ee|ix\.io|0x0\.st|transfer\.sh|glot\.io|bit\.ly|tinyurl\.com|t\.ly|is\.gd|webhook\.site|ngrok\.io|ngrok-free\.app|trycloudflare\.com|serveo\.net|requestbin\.com)\b)|\bhttp:\/\/(?!localhost\b|127\.)/i;
const INTO_SHELL = /\|\s{0,4}(?:sudo\s{1,4})?(?:ba|z|da|k)?sh\b|\|\s{0,4}(?:python3?|node|perl|ruby)\b(?!\s{1,4}-m)/;
const FETCHES = /\b(?:curl|wget|iwr|irm|Invoke-WebRequest)\b/i;
const IN_SHELL = /\b(?:ba|z|da|k)?sh\b\s{1,4}(?:-c\s{1,4})?["']?(?:<|\$)\(\s{0,4}(?:curl|wget)\b/;

function runsRemote({ text }: Line): Found | null {
  if (!FETCHES.test(text) || !(INTO_SHELL.test(text) || IN_SHELL.test(text)) || !UNTRUSTED_HOST.test(text)) return null;
  if (FORBIDS.test(text)) return null;
  return {
    rule: 'remote-code',
    detail: 'Runs code fetched without encryption, from an IP address, or from a host where anyone can post a file.',
  };
}

const COMMAND_START = /^\s{0,16}(?:\$ |# |> )?(?:sudo\s{1,4})?/;
const DESTROYS =
  /^rm\s{1,4}(?:-{1,2}[\w-]{1,24}\s{1,4}){1,4}["']?(?:\/\*?|~\/?\*?|\$HOME\/?\*?|\$\{HOME\}\/?\*?)["']?(?:\s|;|&|$)|^mkfs(?:\.\w{1,8})?\s{1,4}(?:-\w{1,4}\s{1,4})?\/dev\/(?:sd|nvme|disk|vd)|^dd\s[^\n]{0,120}\bof=\/dev\/(?:sd|nvme|disk|vd)|^:\s?\(\s?\)\s?\{\s?:\s?\|\s?:\s?&\s?\}\s?;/;
const WARNS =
  /\b(?:never|do not|don['’]t|danger\w*|avoid|block\w*|deny|denied|forbid\w*|refuse\w*|reject\w*|bad|wrong|unsafe|harmful|malicious|destructive|(?<!\.)example|warning|catch\w*|prevent\w*|guard\w*|detect\w*)\b|[❌⚠🚫⛔]/iu;

/** How many lines before a command may contain a warning about it. */
const WARNED_BEFORE = 3;

/** Only a command that could run counts, not a sentence about it or a list of forbidden commands. */
function destroys(line: Line, near: readonly Line[]): Found | null {
  const { text } = line;
  const parts = text.replace(COMMAND_START, '').split(/&&|;(?!;)/);
  if (!parts.some((part) => DESTROYS.test(part.trim().replace(/^sudo\s{1,4}/, '')))) {
    if (!DESTROYS.test(text.replace(COMMAND_START, ''))) return null;
  }
  const at = near.indexOf(line);
  if (near.slice(Math.max(0, at - WARNED_BEFORE), at + 1).some((before) => WARNS.test(before.text))) return null;
  return { rule: 'destructive-command', detail: 'Deletes or overwrites all files of the machine or the user.' };
}

const BLOB = /[A-Za-z0-9+/]{60,}={0,2}|(?:\\x[0-9a-f]{2}){20,}/i;
const DECODED_AND_RUN =
  /\bbase64\s{1,4}(?:-d|-D|--decode)\b[^\n|]{0,80}\|\s{0,4}(?:sudo\s{1,4})?(?:(?:ba|z|da|k)?sh|python3?|node|perl)\b|\beval\s{0,3}\(\s{0,3}(?:atob\(|Buffer\.from\(|String\.fromCharCode\()|\bexec\s{0,3}\(\s{0,3}(?:__import__\(['"](?:base64|zlib)|base64\.b64decode\(|zlib\.decompress\(|bytes\.fromhex\()|\bpowershell(?:\.exe)?\b[^\n]{0,80}\s-e(?:nc|ncodedcommand)?\s{1,4}[A-Za-z0-9+/=]{40}|FromBase64String\([^\n]{0,400}\|\s{0,4}iex\b/i;

function obfuscates({ text, is_code }: Line): Found | null {
  const run = DECODED_AND_RUN.test(text);
  if (!run || !(is_code || BLOB.test(text))) return null;
  if (!BLOB.test(text) && FORBIDS.test(text)) return null;
  return { rule: 'obfuscated-code', detail: 'Decodes hidden code and runs it.' };
}

/** Tag characters, variation selectors from 17 on, runs of zero-width characters, and direction overrides. */
const HIDDEN_TEXT =
  /[\u{E0020}-\u{E007E}]{4,}|[\u{E0100}-\u{E01EF}]{4,}|[\u{200B}-\u{200D}\u{2060}\u{FEFF}]{8,}|[\u{202D}\u{202E}]/gu;
const BLACK_FLAG = '\u{1F3F4}';

function hiddenText(
  path: string,
  text: string,
  report: Report<MaliceRule>,
  placeAt: ReturnType<typeof placesIn>,
): void {
  let count = 0;
  for (const { index } of text.matchAll(HIDDEN_TEXT)) {
    // Flags of regions, such as Scotland's, are written with tag characters.
    if (text.slice(index - BLACK_FLAG.length, index) === BLACK_FLAG) continue;
    report.add('hidden-text', path, 'Contains text that people cannot see and models read.', placeAt(index));
    if (++count === MOST_FOUND) return;
  }
}
