import type { Capstan, SignedIn } from '../../sdk/src/index.ts';
import type { Hunk } from '../parts/line-diff.ts';
import type { Html } from './html.ts';
import type { LinkedData } from './json-ld.ts';
import type { ReadForm } from './read-form.ts';
import type { Remember } from './remember.ts';
import type { User } from './visitor.ts';

/** A page. Each has one file under web/pages and is registered in pages.ts. */
export interface Page {
  /** Null if the page does not exist for this reader. */
  get(visit: Visit): Answer | null | Promise<Answer | null>;
  /** Handles a form, after the check that a page of this service sent it. */
  post?(visit: Visit & ReadForm): Answer | null | Promise<Answer | null>;
}

export type Answer = View | Away | Download;

export interface View {
  /** The title without the name of the service. */
  title: string;
  description?: string;
  content: Html;
  status?: number;
  /** Path of the Markdown version. */
  markdown?: string;
  /** Path of the JSON version. */
  json?: string;
  /** Shown where the page is linked. */
  picture?: { path: string; width: number; height: number; alt: string };
  /** What the page shows, for search engines. */
  data?: LinkedData;
  /** Whether search engines must not index it. */
  unlisted?: boolean;
  /** `Set-Cookie` values. */
  cookies?: readonly string[];
  /** The browser loads the page again after so many seconds. */
  again_s?: number;
  /** An external address that the browser is sent to automatically. */
  onward?: string;
}

/** A file: a download, or an image of a page. */
export interface Download {
  file_name: string;
  media_type: string;
  body: string | Uint8Array;
  /** Displayed by our pages instead of saved: only for image types without scripts. */
  is_image?: boolean;
  /** The same for every reader: others may show it and keep it for a day. */
  is_public?: boolean;
  cookies?: readonly string[];
}

/** A redirect. */
export interface Away {
  location: string;
  status?: 303 | 308;
  cookies?: readonly string[];
}

/** One request of a reader. */
export interface Visit {
  /** The requested path without the query. */
  path: string;
  params: Record<string, string>;
  query: URLSearchParams;
  headers: Record<string, string | string[] | undefined>;
  /** The API client with the reader's session. */
  capstan: Capstan;
  /** Null without a session. */
  user: User | null;
  site: Site;
  /** `Set-Cookie` values that store or clear the session in this browser. */
  session: {
    keep(signedIn: Pick<SignedIn, 'access_token' | 'expires_in'> & { device_token?: string }): string[];
    drop(): string[];
    /** `Set-Cookie` values that store where to go after an emailed link; an empty path forgets it. */
    keepReturn(path: string): string[];
    readReturn(): string | null;
    /** For a sign-in by email: the device token of this browser, or the request for a new one. */
    device(): { device_token?: string; remember_device: true };
  };
}

/** The parts of the service that pages use. */
export interface Site {
  title: string;
  description: string;
  version: string;
  /** The public address of the service, without a trailing slash. */
  base_url: string;
  /** Markdown as safe HTML: no raw HTML, only web links, no images. */
  renderMarkdown(text: string): Promise<string>;
  /** Null if the texts have too many differences to compare line by line. */
  lineDiff(from: string, to: string): Promise<Hunk[] | null>;
  /** Resolves in a turn of the event loop that no other page gets: for parts that take milliseconds to make. */
  turn(): Promise<void>;
  /** Whether Google sign-in is configured. */
  has_google: boolean;
  /** Whether emails are sent; otherwise they are written to files. */
  has_mail: boolean;
  /** Whether a language model is configured. */
  has_model: boolean;
  /** Whether listed servers are probed. */
  has_probes: boolean;
  /** The guides of this version, by name. */
  guides(): Promise<ReadonlyMap<string, string>>;
  /** The contract as an OpenAPI document. */
  openapi(): Promise<OpenApi>;
  /** Every error code, in order. */
  problem_codes(): Promise<readonly { code: string; status: number; meaning: string; reasons: readonly string[] }[]>;
  /** A search over texts: their places, the best first. It ranks as the search for tools does. */
  ranking(
    texts: readonly { title: string; within: string; text: string }[],
  ): Promise<(search: string, limit: number) => number[]>;
  now(): number;
  remember: Remember;
  /** Makes hidden and reordering characters visible, as every finished page does. */
  visible(text: string): string;
}

/** The parts of an OpenAPI 3.1 document that the reference uses. */
export interface OpenApi {
  info: { title: string; version: string; description: string };
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, unknown>>;
  components: { schemas: Record<string, unknown> };
}
