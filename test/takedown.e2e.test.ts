import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { AGAIN, SERVER, takedownStand } from './takedown-stand.ts';
import { GIVEN, ofAll, ofListing, ofMadeBefore, ofPublished, PAYLOAD, type Surface } from './takedown-surfaces.ts';

/** What operators take down is given out nowhere, and everywhere again once they let it back. */

const stand = await takedownStand();
after(stand.close);

/** All wrong responses are reported together. */
async function each(surfaces: readonly Surface[], when: string, fits: (surface: Surface, answer: string) => boolean) {
  const wrong: string[] = [];
  for (const surface of surfaces) {
    const answer = await surface.ask();
    if (!fits(surface, answer)) wrong.push(`${surface.name}, ${when}: ${answer.slice(0, 600)}`);
  }
  assert.deepEqual(wrong, []);
}

const areShown = (surfaces: readonly Surface[], when: string) =>
  each(surfaces, when, ({ shown }, answer) => shown.test(answer));

const areDown = (surfaces: readonly Surface[], when: string) =>
  each(surfaces, when, ({ down }, answer) =>
    down === null ? answer.startsWith('200') && !GIVEN.test(answer) : down.test(answer) && !PAYLOAD.test(answer),
  );

test('a takedown hides a listing on every surface, including earlier tasks, until it is lifted', async () => {
  const surfaces = [
    ...ofListing(stand, SERVER, await stand.idOf(SERVER)),
    ...ofPublished(stand),
    ...ofMadeBefore(stand),
    ...ofAll(stand),
  ];
  await stand.settle();
  await areShown(surfaces, 'before');
  await stand.takeDown();
  await areDown(surfaces, 'down');
  assert.match(await stand.work(), /"status_reason":"taken_down"/, 'a task that was begun before');
  await stand.lift();
  await areShown(surfaces, 'let back');

  await stand.takeDown();
  await stand.listAgain();
  const again = ofListing(stand, AGAIN, await stand.idOf(AGAIN));
  await areShown(again, 'listed again');
  await stand.carry();
  await areDown([...again, ...ofAll(stand)], 'listed again, and known by what it shares');
});
