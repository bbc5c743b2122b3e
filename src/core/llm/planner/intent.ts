/** What a sentence wants, by its phrase. Many phrases, few wants; what fits none is looked up as a search. Pure. */

export type Intent =
  | { want: 'help' }
  | { want: 'find'; query: string; listing_type?: string }
  | { want: 'inspect'; what: string }
  | { want: 'run'; what: string; given: string }
  | { want: 'compare'; one: string; other: string }
  | { want: 'call'; tool: string; connection: string; given: string }
  | { want: 'connection_tools'; what: string }
  | { want: 'task'; id: string }
  | { want: 'cancel'; id: string }
  | { want: 'tasks' }
  | { want: 'connections' }
  | { want: 'hot' }
  | { want: 'yes' }
  | { want: 'no' };

/** Characters in which a phrase is looked for; and a name, up to what it is given. */
const MOST = 4_000;
const MOST_NAME = 2_000;

const POLITE =
  /^(?:(?:hi|hello|hey|ok|okay|please|pls|now|then|and|so|well|great|thanks|thank you|can you|could you|would you|will you|can we|let us|let's|lets|i want you to|i want to|i would like you to|i would like to|i'd like you to|i'd like to|i need you to|i need to|help me|help me to|try to|go and)[\s,.!:]+)+/i;

const RUN = '(?:run|execute|start|launch|invoke|use|try|apply|perform)';
const ID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i;

/** `tail` is what follows a long head. */
type Rule = [pattern: RegExp, read: (match: string[], head: string, tail: string) => Intent | null];

const RULES: readonly Rule[] = [
  [/^(?:help|what can you do|what do you do|who are you|what are you|how does this work|how do you work)\b/i, help],
  [/^(?:hi|hello|hey|good (?:morning|evening|day)|thanks|thank you)?[\s!.?]*$/i, help],
  [
    /^(?:yes|y|yep|yeah|sure|ok|okay|go ahead|do it|confirm(?:ed)?|proceed|go)(?: please)?[\s!.]*$/i,
    () => ({ want: 'yes' }),
  ],
  [/^(?:no|n|nope|stop|never mind|forget it|don't|do not)\b[\s\S]{0,200}$/i, () => ({ want: 'no' })],
  [/^(?:cancel|stop|abort|end)\b/i, (_, text) => withId(text, 'cancel')],
  [
    /^(?:show|get|what about|how is|status of|check|where is|what is)?\s*(?:the |my )?(?:status of )?(?:the |my )?task\b/i,
    (_, text) => withId(text, 'task'),
  ],
  [
    /^(?:list|show|what are|which are|get)?\s*(?:me )?(?:all )?(?:of )?(?:the |my )(?:last |recent |running )?(?:tasks|runs)\b/i,
    () => ({ want: 'tasks' }),
  ],
  [/^(?:list|show) (?:tasks|runs)\b/i, () => ({ want: 'tasks' })],
  [
    /^(?:list|show|what are|which are|get)?\s*(?:me )?(?:all )?(?:of )?(?:the |my )?connections\b/i,
    () => ({ want: 'connections' }),
  ],
  [
    /^(?:what|which|list|show)(?: are| me)?(?: the)? tools(?: does| has| of| on| at| for| in)+ (?:the |my )?(?:connection |server )?(\S+)/i,
    ([, what]) => ({ want: 'connection_tools', what: clean(what) }),
  ],
  [
    /^(?:what is|what's|what are|show|list)?\s*(?:me )?(?:the )?(?:hot|trending|popular|most used|most run)\b/i,
    () => ({ want: 'hot' }),
  ],
  [
    /^call (\S+) (?:on|of|at|from|through|via) (?:the |my )?(?:connection |server )?(\S+)([\s\S]*)$/i,
    ([, tool, connection, rest], _, tail) => ({
      want: 'call',
      tool: clean(tool),
      connection: clean(connection),
      given: afterWith(`${rest}${tail}`),
    }),
  ],
  [
    /^(?:compare|diff|(?:what is |what's |tell me |show )?(?:the )?differences? between)\s+(?=\S)([\s\S]+)$/i,
    ([, rest], _, tail) => comparison(`${rest}${tail}`),
  ],
  [
    new RegExp(
      `^(?:find|search(?: for)?|look for|get)\\s+(?:me )?([\\s\\S]{1,300}?)[,;]?\\s+(?:and(?: then)?|then)\\s+${RUN}\\b\\s*(?:it|one|that|this|them|the (?:best|first)(?: one)?)?([\\s\\S]*)$`,
      'i',
    ),
    ([, what, rest], _, tail) => ({ want: 'run', what: clean(what), given: afterWith(`${rest}${tail}`) }),
  ],
  [new RegExp(`^(?:${RUN}|call)\\s+(?=\\S)([\\s\\S]+)$`, 'i'), ([, rest], _, tail) => running(`${rest}${tail}`)],
  [
    /^(?:what can|what could|what does|what do)\s+([\s\S]{1,300}?)(?:\s+(?:do|offer|support|need|take|want)\b[\s\S]*)?$/i,
    ([, what]) => ({ want: 'inspect', what: clean(what) }),
  ],
  [
    /^(?:what is|what's|what are|who is|tell me (?:more )?about|describe|inspect|explain|details (?:of|about|on|for)|more (?:about|on)|how (?:do|can|would) i (?:use|run|install|call)|how does|info(?:rmation)? (?:on|about)|about|open)\s+([\s\S]{1,300}?)(?:\s+work)?$/i,
    ([, what]) => ({ want: 'inspect', what: clean(what) }),
  ],
  [
    /^show\s+(?:me\s+)?((?:the\s+)?(?:first|second|third|fourth|fifth|last|\d{1,2})\b[\s\S]{0,40})$/i,
    ([, what]) => ({ want: 'inspect', what: clean(what) }),
  ],
  [
    /^(?:find|search(?: the registry)?(?: for)?|look(?:ing)? for|look up|list|show(?: me)?|discover|browse|is there|are there|do you (?:have|know)|have you got|which|recommend|suggest|i need|i want|i am looking for|i'm looking for|get me|give me|any|what)\b\s*([\s\S]*)$/i,
    ([, rest]) => finding(rest),
  ],
];

export function readIntent(asked: string): Intent {
  for (const head of headsOf(asked))
    for (const [pattern, read] of RULES) {
      const match = pattern.exec(head);
      const intent = match === null ? null : read(match as unknown as string[], head, asked.trim().slice(MOST));
      if (intent !== null) return intent;
    }
  return finding(asked) ?? { want: 'help' };
}

/** Whether it is a wish at all, and no mere answer to a question. */
export const isWish = (asked: string): boolean =>
  headsOf(asked).some((head) => RULES.some(([pattern]) => pattern.test(head)));

/** Phrases begin a sentence, with or without polite words; what follows may be long. */
function headsOf(asked: string): string[] {
  const text = asked.trim();
  const head = text.length > MOST ? text.slice(0, MOST) : text.replace(/[?!.]{1,10}$/, '');
  return [head, head.replace(POLITE, '')];
}

function help(): Intent {
  return { want: 'help' };
}

function withId(text: string, want: 'task' | 'cancel'): Intent | null {
  const id = ID.exec(text)?.[0];
  if (id !== undefined) return { want, id: id.toLowerCase() };
  return /\b(?:task|run|it|that)\b/i.test(text) ? { want, id: '' } : null;
}

const TYPES: [RegExp, string][] = [
  [/\b(?:mcp )?servers?\b/i, 'server'],
  [/\bskills?\b/i, 'skill'],
  [/\bharness(?:es)?\b/i, 'harness'],
  [/\brigs?\b/i, 'rig'],
];

const FILLING =
  /\b(?:a|an|the|any|some|me|my|for|to|of|that|which|who|can|could|would|is|are|there|do|does|with|tools?|capabilit(?:y|ies)|listings?|something|anything|things?|please|i|you|have|one|ones|about|in|on|mcp|servers?|skills?|harness(?:es)?|rigs?)\b/gi;

function finding(rest = ''): Intent | null {
  const said = rest.slice(0, 400).replace(/[?!."`]+/g, ' ');
  const listing_type = TYPES.find(([pattern]) => pattern.test(said))?.[1];
  const query = said.replace(FILLING, ' ').replace(/\s+/g, ' ').trim() || said.trim();
  if (query === '') return null;
  return { want: 'find', query: query.slice(0, 200), ...(listing_type === undefined ? {} : { listing_type }) };
}

/** The middle is the first joining word outside of brackets. */
function comparison(rest = ''): Intent | null {
  const text = rest.replace(/^between\s+/i, '');
  let depth = 0;
  const JOIN = /\s(?:and|with|to|vs\.?|versus|against|or)\s/iy;
  for (let at = 0; at < text.length; at++) {
    if ('{['.includes(text[at] as string)) depth++;
    else if ('}]'.includes(text[at] as string)) depth--;
    JOIN.lastIndex = at;
    const found = depth === 0 ? JOIN.exec(text) : null;
    if (found !== null)
      return { want: 'compare', one: clean(text.slice(0, at)), other: clean(text.slice(at + found[0].length)) };
  }
  return null;
}

/** What stands before `with`, a bracket or a `key=`, and what stands after it. */
function running(rest = ''): Intent {
  const cut = /\s(?:with|using|on|over|for|given|where)\s|:\s|[\s,](?=[{[])|[\s,](?=[A-Za-z_][\w.-]{0,63}=)|\n/i.exec(
    rest.slice(0, MOST_NAME),
  );
  if (cut === null) return { want: 'run', what: clean(rest), given: '' };
  return { want: 'run', what: clean(rest.slice(0, cut.index)), given: afterWith(rest.slice(cut.index)) };
}

const afterWith = (rest = ''): string =>
  rest
    .replace(
      /^[\s:,]*(?:(?:with|using|on|over|for|given|where)\b\s*)?(?:(?:the |this |these )?(?:input|arguments?|parameters?|data)\b\s*(?:of |is |are )?[:=]?\s*)?/i,
      '',
    )
    .trim();

/** A name without what is said around it. */
export const clean = (text = ''): string => (text.length > MOST_NAME ? text.trim() : cleaned(text.trim()));

const cleaned = (text: string): string =>
  text
    .replace(/^(?:the|a|an|my|this|that|your)\s+/i, '')
    .replace(
      /^(?:(?:first-party|mcp)\s+)?(?:skill|tool|server|listing|capability|connection|rig|harness)\s+(?=\S)/i,
      '',
    )
    .replace(/(?<!\s)\s+(?:skill|tool|server|listing|capability)$/i, '')
    .replace(/^["'`“”«»]+|["'`“”«»?!.,;:]+$/g, '')
    .trim();
