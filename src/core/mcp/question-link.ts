import { reachOf } from '#core/outbound/address.ts';

/** A page that a server asks a person to open (elicitation by URL). Nothing here ever opens it. */
export interface QuestionLink {
  /** As a browser would write it. */
  url: string;
  /** The host with its port, in ASCII: names that look like another one are seen as `xn--…`. */
  host: string;
}

const MOST_CHARS = 2_048;
/** Names that lead nowhere but into the network of the person. */
const LOCAL_NAME = /(?:^|\.)(?:localhost|localdomain|local|internal|intranet|private|corp|home|lan|home\.arpa)$/;

/**
 * Reads the link of an untrusted server, or says why no person is shown it, as the end of a sentence. Names are not resolved: the
 * browser of the person does that.
 */
export function readLink(text: unknown): QuestionLink | { refused: string } {
  if (typeof text !== 'string' || text === '') return { refused: 'it has no address' };
  if (text.length > MOST_CHARS) return { refused: `its address is longer than ${MOST_CHARS} characters` };
  // Parsers of addresses leave some of these out or replace them, and people do not see others.
  if (/[\s\\\p{C}]/u.test(text)) return { refused: 'its address has invisible characters or backslashes' };
  const url = URL.parse(text);
  if (url === null) return { refused: 'its address is invalid' };
  if (url.protocol !== 'https:') return { refused: 'only https addresses are shown' };
  if (url.username !== '' || url.password !== '') return { refused: 'its address has a user name or password' };
  const reach = reachOf(url.hostname);
  const name = url.hostname.replace(/\.$/, '');
  if (reach === 'name' ? !name.includes('.') || LOCAL_NAME.test(name) : reach !== 'public')
    return { refused: `${url.hostname} is in the local network of its reader` };
  return { url: url.href, host: url.host };
}
