import type { Setting } from '#core/config/config.ts';
import { isLoopbackHost } from '#core/outbound/loopback.ts';

/** The services whose workflows may publish: GitHub Actions, and others that the operator names. Pure. */

export const ISSUER_KINDS = ['github', 'gitlab'] as const;
type IssuerKind = (typeof ISSUER_KINDS)[number];

export interface Issuer {
  /** In requests and on pages. */
  name: string;
  /** How its tokens describe a workflow. */
  kind: IssuerKind;
  /** `iss` of its tokens. */
  url: string;
}

const GITHUB_ACTIONS: Issuer = { name: 'github', kind: 'github', url: 'https://token.actions.githubusercontent.com' };

const FORM = 'comma-separated: name=kind:url, such as gitlab=gitlab:https://gitlab.com';

/** A name that is already taken, such as `github`, is replaced. */
export const issuersSetting = (name: string, description: string): Setting<readonly Issuer[]> => ({
  name,
  default: '',
  description,
  secret: false,
  form: FORM,
  parse: (text) => {
    const named = text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '')
      .map(issuerIn);
    return [...new Map([GITHUB_ACTIONS, ...named].map((issuer) => [issuer.name, issuer])).values()];
  },
});

function issuerIn(text: string): Issuer {
  const [, name, kind, address = ''] = /^([a-z][a-z0-9-]{0,39})=(github|gitlab):(\S{1,500})$/.exec(text) ?? [];
  const url = URL.parse(address);
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopbackHost(url.hostname));
  if (name === undefined || url === null || !isSafe || url.search !== '' || url.hash !== '')
    throw new Error(`must be ${FORM}; the URL must be https, or http on a loopback address`);
  return { name, kind: kind as IssuerKind, url: address.replace(/(?<!\/)\/+$/, '') };
}

/** Where people see the repositories of an issuer, without a trailing slash. */
export const webOf = ({ url }: Issuer): string =>
  url === GITHUB_ACTIONS.url ? 'https://github.com' : new URL(url).origin;
