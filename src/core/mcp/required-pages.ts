import type { ElicitRequest } from '@modelcontextprotocol/client';

/** The error of revision 2025-11-25 by which a server refuses a call until its user has opened a page. */
export const PAGE_REQUIRED = -32042;

/** More pages of one refusal are not shown. */
const MOST_PAGES = 3;

/** The pages that an error of the client asks to open, untrusted; none for other errors. */
export function requiredPages(error: unknown): ElicitRequest['params'][] {
  const { code, data } = Object(error) as { code?: unknown; data?: unknown };
  const { elicitations } = Object(data) as { elicitations?: unknown };
  if (code !== PAGE_REQUIRED || !Array.isArray(elicitations)) return [];
  return elicitations.slice(0, MOST_PAGES).map((page) => {
    const { message, url } = Object(page) as { message?: unknown; url?: unknown };
    return { mode: 'url', message: textOf(message), url: textOf(url), elicitationId: '' };
  });
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
