import type { Capstan, SignedIn } from '../../sdk/src/index.ts';
import type { Hunk } from '../parts/line-diff.ts';
import type { Html } from './html.ts';
import type { User } from './visitor.ts';

/** A page: a path and what stands there. One file a page under web/pages, named in pages.ts. */
export interface Page {
  get(visit: Visit): Answer | Promise<Answer>;
  /** What its form sends, checked to come from a page of ours. */
  post?(visit: Visit & { form: URLSearchParams }): Answer | Promise<Answer>;
}

export type Answer = View | Away | Download;

export interface View {
  /** Without the service's name. */
  title: string;
  description?: string;
  content: Html;
  status?: number;
  /** Path of the same in Markdown. */
  markdown?: string;
  /** Path of the same in JSON. */
  json?: string;
  /** Not for search engines. */
  unlisted?: boolean;
  /** `Set-Cookie` values. */
  cookies?: readonly string[];
  /** An address elsewhere that the browser goes on to by itself. */
  onward?: string;
}

/** Something to keep as a file. */
export interface Download {
  file_name: string;
  media_type: string;
  body: string | Uint8Array;
  cookies?: readonly string[];
}

/** To another page. */
export interface Away {
  location: string;
  status?: 303 | 308;
  cookies?: readonly string[];
}

/** One request of a reader. */
export interface Visit {
  /** As sent, without the query. */
  path: string;
  params: Record<string, string>;
  query: URLSearchParams;
  headers: Record<string, string | string[] | undefined>;
  /** The API, asked as this reader. */
  capstan: Capstan;
  /** Null where nobody is signed in. */
  user: User | null;
  site: Site;
  /** `Set-Cookie` values that keep a sign-in in this browser, or end it there. */
  session: {
    keep(signedIn: Pick<SignedIn, 'access_token' | 'expires_in'> & { device_token?: string }): string[];
    drop(): string[];
    /** For a sign-in by email: the token of this browser, where it signed in before, and the wish for one. */
    device(): { device_token?: string; remember_device: true };
  };
}

/** What all pages know of the service. */
export interface Site {
  title: string;
  description: string;
  version: string;
  /** Where others reach the service, without a slash at the end. */
  base_url: string;
  /** Markdown of ours or of a stranger as safe HTML: no raw HTML, only web links, no pictures. */
  renderMarkdown(text: string): Promise<string>;
  /** Null where the texts differ in too much to be told line by line. */
  lineDiff(from: string, to: string): Promise<Hunk[] | null>;
  /** Whether one can sign in with Google here. */
  has_google: boolean;
  /** The guides of this version, by name. */
  guides(): Promise<ReadonlyMap<string, string>>;
  /** The contract as an OpenAPI document. */
  openapi(): Promise<OpenApi>;
  /** Every problem code, in order. */
  problem_codes(): Promise<readonly { code: string; status: number; meaning: string; reasons: readonly string[] }[]>;
  now(): number;
}

/** What the reference reads of an OpenAPI 3.1 document. */
export interface OpenApi {
  info: { title: string; version: string; description: string };
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, unknown>>;
  components: { schemas: Record<string, unknown> };
}
