import { markdown, type Reply } from '#core/http/operation.ts';
import type { ItemDetail } from './item-detail.ts';
import { itemMd } from './item-md.ts';

/** GET /api/marketplace/registry/{provider}/{id}/md, called by get.ts, because only the database can tell the two paths apart. */
export const itemMdReply = (detail: ItemDetail): Reply => markdown(itemMd(detail), { headers: { vary: 'accept' } });
