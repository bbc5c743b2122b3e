import { readValues, type Values } from './values.ts';

/** What a message asks for: `run NAME …`, `show NAME`, `my runs`, `yes`, values for the previous run, or a search for its words. Pure. */

export type Request =
  | { want: 'run'; target: string; place: number | null; rest: string }
  | { want: 'show'; target: string; place: number | null }
  | { want: 'runs' }
  | { want: 'yes' }
  | { want: 'answer'; values: Values }
  | { want: 'find'; query: string };

const RUN = /^(?:please\s{1,8})?run\s{1,8}(?=\S)/i;
const SHOW = /^(?:please\s{1,8})?(?:show|describe)\s{1,8}(?=\S)/i;
const RUNS = /^(?:(?:please\s{1,8})?(?:show|list)\s{1,8})?my\s{1,8}(?:last\s{1,8})?(?:runs|tasks|receipts)[.!?]?$/i;
const PLACE =
  /^(?:the\s{1,8})?(?:number\s{1,8}|#)?(\d{1,2}|first|second|third|fourth|fifth)(?:\s{1,8}one)?(?=\s|[.,:!]|$)/i;
const NAME = /^(?:"([^"\n]{1,300})"|“([^”\n]{1,300})”|`([^`\n]{1,300})`|(\S{1,300}))/;
const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth'];

/** Stop words of a search. */
const FILLING =
  /^(?:a|an|the|some|any|for|to|of|with|and|that|which|me|my|you|i|is|are|there|do|does|can|could|want|need|please|find|search|look|show|list|what|how|help|hello|hi|hey|thanks|yes|no|skills?|servers?|tools?)$/i;

export function readRequest(text: string): Request {
  const said = text.trim();
  if (/^yes(?: please)?[.!]?$/i.test(said)) return { want: 'yes' };
  if (RUNS.test(said)) return { want: 'runs' };
  const shown = readShow(said);
  if (shown !== null) return shown;
  const run = RUN.exec(said);
  if (run !== null) return readRun(said.slice(run[0].length));
  const values = readValues(said);
  if (values.words.length === 0) return { want: 'answer', values };
  const words = values.words.map((word) => word.replace(/^[("'[]{1,10}/, '').replace(/[)"'\].,:;!?]{1,10}$/, ''));
  const query = [...words.filter((word) => !FILLING.test(word)), ...values.quoted].join(' ').trim();
  return { want: 'find', query: query.slice(0, 200).toWellFormed() };
}

/** Null if more than a name or a number follows: then the words are searched for. */
function readShow(said: string): Request | null {
  const show = SHOW.exec(said);
  const named = show === null ? null : readRun(said.slice(show[0].length));
  if (named === null || !/^[.!?]?$/.test(named.rest.trim())) return null;
  return { want: 'show', target: named.target, place: named.place };
}

function readRun(text: string): Extract<Request, { want: 'run' }> {
  const [whole, place] = PLACE.exec(text) ?? [];
  if (whole !== undefined && place !== undefined) {
    const ordinal = ORDINALS.indexOf(place.toLowerCase());
    return {
      want: 'run',
      target: '',
      place: ordinal < 0 ? Number(place) - 1 : ordinal,
      rest: text.slice(whole.length),
    };
  }
  const [name = '', ...names] = NAME.exec(text) ?? [];
  const target = (names.find((found) => found !== undefined) ?? '').replace(/[.,:;!?]{1,10}$/, '');
  return { want: 'run', target, place: null, rest: text.slice(name.length) };
}
