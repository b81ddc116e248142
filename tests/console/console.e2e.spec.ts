import { afterAll, beforeAll, describe } from '@jest/globals';
import { chromiumPath } from '../equipment/servers/chromium.ts';
import { accessibilitySuite } from './accessibility.suite.ts';
import { contestsSuite } from './contests.suite.ts';
import { eveningSuite } from './evening.suite.ts';
import { firstScreenSuite } from './first-screen.suite.ts';
import { insideSuite } from './inside.suite.ts';
import { linksSuite } from './links.suite.ts';
import { layoutSuite } from './layout.suite.ts';
import { manyTablesSuite } from './many-tables.suite.ts';
import { type PlayHouse, startPlayHouse } from './play-house.suite.ts';
import { playbackSuite } from './playback.suite.ts';
import { playSuite } from './play.suite.ts';
import { storySuite } from './story.suite.ts';
import { tabsSuite } from './tabs.suite.ts';
import { watchSuite } from './watch.suite.ts';

const minute = 60_000;

// One system and one browser for all: each start of them takes seconds.
(chromiumPath === undefined ? describe.skip : describe)('the console in Chromium', () => {
  let house: PlayHouse;
  beforeAll(async () => {
    house = await startPlayHouse();
  }, 10 * minute);
  afterAll(() => house?.close(), 10 * minute);
  const startedHouse = () => house;

  watchSuite(startedHouse);
  playSuite(startedHouse);
  linksSuite(startedHouse);
  storySuite(startedHouse);
  eveningSuite(startedHouse);
  tabsSuite(startedHouse);
  insideSuite(startedHouse);
  accessibilitySuite(startedHouse);
  layoutSuite(startedHouse);
  firstScreenSuite(startedHouse);
  playbackSuite(startedHouse);
  contestsSuite(startedHouse);
  manyTablesSuite(startedHouse);
});
