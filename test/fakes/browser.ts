/** A browser as far as redirects and cookies go. Like real ones, it takes Secure cookies from loopback. */

export interface Browser {
  /** One request, redirects not followed. */
  send(url: string, init?: RequestInit): Promise<Response>;
  /** Follows redirects until another response, or until the next address begins with `stop`. */
  visit(url: string, stop?: string): Promise<Visit>;
  /** The cookies that an origin set, by name. */
  cookies(origin: string): Map<string, string>;
}

interface Visit {
  /** The last address; with `stop`, the one that was not visited. */
  url: string;
  /** Undefined where `stop` was met. */
  response: Response | undefined;
  /** Every address on the way. */
  trail: string[];
}

const MAX_HOPS = 20;

/** `ask` reaches the servers; over sockets where left out. */
export function createBrowser(ask: (url: string, init: RequestInit) => Promise<Response> = fetch): Browser {
  const jar = new Map<string, Map<string, string>>();
  const cookies = (origin: string): Map<string, string> => {
    const held = jar.get(origin) ?? new Map<string, string>();
    jar.set(origin, held);
    return held;
  };
  const send = async (url: string, init: RequestInit = {}): Promise<Response> => {
    const held = cookies(new URL(url).origin);
    const headers = new Headers(init.headers);
    if (held.size > 0) headers.set('cookie', [...held].map(([name, value]) => `${name}=${value}`).join('; '));
    const response = await ask(url, { ...init, headers, redirect: 'manual' });
    for (const cookie of response.headers.getSetCookie()) keep(held, cookie);
    return response;
  };
  const visit = async (url: string, stop?: string): Promise<Visit> => {
    const trail: string[] = [];
    for (let next = url; trail.length < MAX_HOPS; ) {
      if (stop !== undefined && next.startsWith(stop)) return { url: next, response: undefined, trail };
      trail.push(next);
      const response = await send(next);
      const location = response.headers.get('location');
      if (location === null) return { url: next, response, trail };
      await response.body?.cancel();
      next = new URL(location, next).href;
    }
    throw new Error(`more than ${MAX_HOPS} redirects: ${trail.join(' ')}`);
  };
  return { send, visit, cookies };
}

function keep(held: Map<string, string>, cookie: string): void {
  const [pair = '', ...attributes] = cookie.split(';').map((part) => part.trim());
  const at = pair.indexOf('=');
  const isGone = attributes.some(
    (attribute) => /^max-age=0$/i.test(attribute) || /^expires=thu, 01 jan 1970/i.test(attribute),
  );
  if (isGone) held.delete(pair.slice(0, at));
  else held.set(pair.slice(0, at), pair.slice(at + 1));
}
