import { markdown, type Reply } from '../../platform/http/operation.ts';
import type { ItemDetail } from './item-detail.ts';
import { itemMarkdown } from './item-markdown.ts';

/** GET /api/marketplace/registry/{provider}/{id}/md, by way of get-item.ts: only the database can tell their paths apart. */
export const markdownReply = (detail: ItemDetail): Reply =>
  markdown(itemMarkdown(detail), { headers: { vary: 'accept' } });
