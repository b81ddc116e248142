import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { RECORDING_PAGE, type Recording, recordingFile } from '@maw/console/recording/recording.ts';
import { findingsInEveryLook } from '../equipment/servers/axe.ts';
import { pageTests } from './page-tests.suite.ts';
import { openPage, type PlayHouse, seatPeople, voteOut } from './play-house.suite.ts';

const CONTEST = {
  name: 'looks',
  agents: ['a', 'b'].map((name) => ({ name, recipe: 'random' })),
  games: [{ rules: 'onuw' }],
  schedule: { kind: 'sides', deals: 1 },
};
const LONG = { dayMs: 600_000, nightMs: 600_000 };

/** Every page, loaded once and looked at by day and by night, on a desk and on a phone. What minds thought is looked at where minds play. */
export const accessibilitySuite = (startedHouse: () => PlayHouse): void =>
  describe('a page, by day and by night, on a desk and on a phone', () => {
    const it = pageTests(startedHouse);
    let house: PlayHouse;
    let folder: string;
    const tables = { gathering: '', live: '', over: '' };
    let seat: string;
    let spectator: string;
    beforeAll(async () => {
      house = startedHouse();
      folder = await mkdtemp(join(tmpdir(), 'maw-looks-'));
      const [gathering, live, over] = await Promise.all([
        house.post('/tables', { rules: 'maw', players: 4, people: 4, lobbyMs: 3_600_000 }) as Promise<{ table: string }>,
        seatPeople(house, ['Ann', 'Bo', 'Cy', 'Dora'], LONG),
        seatPeople(house, ['Ann', 'Bo', 'Cy'], LONG),
      ]);
      Object.assign(tables, { gathering: gathering.table, live: live.table, over: over.table });
      seat = live.seats[0]!.token;
      spectator = ((await house.post('/tokens', { role: 'spectator', table: live.table })) as { token: string }).token;
      await voteOut(house, over);
      await house.post('/contests', { contest: CONTEST });
    });
    afterAll(() => rm(folder, { recursive: true }));

    const savedFile = async (): Promise<string> => {
      const { seen } = (await house.get(`/tables/${tables.over}/view?as=narrator`)) as Pick<Recording, 'seen'>;
      const page = await readFile(join(house.consoleDir, RECORDING_PAGE), 'utf8');
      const file = join(folder, 'game.html');
      await writeFile(file, recordingFile(page, { name: tables.over, eye: 'narrator', made: 0, seen }));
      return `file://${file}`;
    };

    /** A name, the address with or without a token of its own, and what shows that it is there. */
    const visits: readonly (readonly [string, () => string | Promise<string>, string])[] = [
      ['the tables', () => '/', 'main li'],
      ['the leaderboard', () => '/console/leaderboard', 'main ol > li'],
      ['the choice of a record', () => '/console/record', 'input[type=file]'],
      ['the form to open a table', () => '/console/open', 'form button[type=submit]'],
      ['invitations', () => `/t/${tables.gathering}/invite`, 'svg[role=img]'],
      ['the door of a table', () => `/t/${tables.gathering}/join`, 'main form'],
      ['a live table, for a seat', () => `/t/${tables.live}#token=${seat}`, 'section[aria-label=You] fieldset'],
      ['a table that is over, for the narrator', () => `/t/${tables.over}?as=narrator`, '[role=log] p'],
      ['a saved file', savedFile, 'canvas'],
      ['a finished game for newcomers', () => '/console/demo', 'canvas'],
      ['tables of operators', () => '/console/operate', 'main table'],
      ['contests of operators', () => '/console/operate?show=contests', 'main table'],
      ['a contest', () => '/console/operate?show=contests&contest=looks', 'main table'],
      ['models of operators', () => '/console/operate?show=models', 'main table'],
      ['tokens of operators', () => '/console/operate?show=tokens', 'main table'],
      ['the audit log', () => '/console/operate?show=audit', 'main table'],
      ['a page that is not there', () => '/console/nothing', 'main a'],
      ['a table that is not there', () => '/t/nothing', '[role=alert]'],
      ['an eye that is not permitted', () => `/t/${tables.live}?as=narrator#token=${spectator}`, '[role=alert]'],
      ['a door without a token', () => '/#', 'input[type=password]'],
    ];
    for (const [name, path, ready] of visits)
      it(`hinders nobody: ${name}`, async () => {
        const at = await path();
        const page = await openPage(
          house,
          at.startsWith('file:') ? at : `${house.url}${at}${at.includes('#') ? '' : `#token=${house.admin}`}`,
        );
        await page.locator(ready).first().waitFor();
        expect(await findingsInEveryLook(page)).toEqual([]);
      });
  });
