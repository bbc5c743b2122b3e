import { saveItems } from '../../test/example-items.ts';
import { until } from '../../test/until.ts';
import { openWorld } from '../../test/world.ts';
import { report } from '../catalog/serve.ts';
import { runningWords, syntheticItems } from '../catalog/synthetic.ts';

/** The whole service with all of its tools, over a catalog of so many listings. */
const [count = '0'] = process.argv.slice(2);
const world = await openWorld({ CAPSTAN_LIMIT_MCP: '999999/1s' });
await saveItems(world.database.db, syntheticItems(Number(count), runningWords()));
const listed = async () => (await world.get<{ total_count: number }>('/api/marketplace/registry?limit=1')).total_count;
// Nothing is counted while the index is being built.
await until('all listings', async () => (await listed()) === Number(count));
const { url } = await world.listen();
report({ address: '127.0.0.1', family: 'IPv4', port: Number(new URL(url).port) });
