import type { Headers } from './session.ts';

/** Reads a submitted form: fields, and files where it was sent as `multipart/form-data` (RFC 7578). One pass, bounded. */

export interface Upload {
  /** Name of the field. */
  field: string;
  /** As the browser sends it: a name, or a path below the chosen folder. */
  path: string;
  bytes: Uint8Array;
}

export interface ReadForm {
  form: URLSearchParams;
  uploads: Upload[];
}

/** More parts than any of our forms sends. What follows them is not read. */
const MOST_PARTS = 1_000;
const MOST_HEADER_CHARS = 4_096;

/** `body` has one character per byte if it is multipart. A malformed body has the fields before the fault. */
export function readForm(headers: Headers, body: string): ReadForm {
  const [, quoted, plain] =
    /^multipart\/form-data\s*;.*?\bboundary=(?:"([^"]{1,100})"|([^\s;]{1,100}))/is.exec(`${headers['content-type']}`) ??
    [];
  const boundary = quoted ?? plain;
  if (boundary === undefined) return { form: new URLSearchParams(body), uploads: [] };
  const read: ReadForm = { form: new URLSearchParams(), uploads: [] };
  const mark = `\r\n--${boundary}`;
  const text = `\r\n${body}`;
  let at = text.indexOf(mark);
  for (let parts = 0; at >= 0 && parts < MOST_PARTS; parts++) {
    const start = at + mark.length;
    if (text.startsWith('--', start)) break;
    const end = text.indexOf(mark, start);
    if (end < 0) break;
    takePart(text.slice(start, end), read);
    at = end;
  }
  return read;
}

function takePart(part: string, { form, uploads }: ReadForm): void {
  const blank = part.indexOf('\r\n\r\n');
  if (blank < 0 || blank > MOST_HEADER_CHARS) return;
  const head = utf8(part.slice(0, blank)).toString();
  const field = parameterIn(head, 'name');
  if (field === null) return;
  const bytes = utf8(part.slice(blank + 4));
  const path = parameterIn(head, 'filename');
  if (path === null) form.append(field, bytes.toString());
  // A browser sends an empty part for a file field that nothing was chosen in.
  else if (path !== '') uploads.push({ field, path, bytes });
}

const utf8 = (latin1: string): Buffer => Buffer.from(latin1, 'latin1');

/** Browsers escape quotes and line ends in names by percent signs. */
function parameterIn(head: string, name: 'name' | 'filename'): string | null {
  const line = head.split('\r\n').find((each) => /^content-disposition:/i.test(each)) ?? '';
  const found = [...line.matchAll(/;[ \t]*(name|filename)="([^"]*)"/gi)].find(
    ([, named]) => named?.toLowerCase() === name,
  );
  return found?.[2]?.replace(/%22|%0D|%0A/gi, (escaped) => decodeURIComponent(escaped)) ?? null;
}
