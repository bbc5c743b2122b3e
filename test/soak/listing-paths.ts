import { checkListingPaths } from '../listing-paths.ts';

/** `npm run soak -- listing-paths`: every listing (of CAPSTAN_TEST_DATA, if set) by its encoded and plain path and as Markdown. */
const asked = await checkListingPaths(1);
process.stdout.write(`${asked} listings found by all their paths\n`);
