/**
 * Takes the pictures of the console: `npm run screenshots` writes docs/pictures/*.webp. People with fixed lines play a seeded game at a real table,
 * minds play others. Times come from a clock of the script, so that a picture changes only when the page does. Needs Chromium.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pollUntil } from '@maw/async/poll-until.ts';
import { memoryStore } from '../equipment/memory-store/memory-store.ts';
import { root } from '../equipment/source/repository.ts';
import { type PlayHouse, type Seated, seatPeople, startPlayHouse } from '../console/play-house.suite.ts';

const FOLDER = join(root, 'docs/pictures');
const MAX_BYTES = 80_000;
const QUALITY = 90;
const NAMES = ['Ann', 'Bob', 'Cleo', 'Dev', 'Eve', 'Finn'];
const SEED = 'pictures';
const LONG = { dayMs: 300_000, nightMs: 120_000, pace: 'people', graceSeconds: 1, shortestDaySeconds: 0 };

/** The time of all services and pages. It stands still while people play, who take as long as this script says. */
let time = Date.UTC(2026, 0, 9, 20, 0, 0);
const since = performance.now();
let isRunning = true;
Date.now = () => Math.round(time + (isRunning ? performance.now() - since : 0));

function stopClock(at: number): void {
  isRunning = false;
  time = at;
}

interface View {
  readonly seen: readonly { readonly event: { readonly question?: { readonly id?: string } } }[];
}

interface Shot {
  readonly file: string;
  readonly path: string;
  readonly token: string;
  /** What must be there before the picture is taken. */
  readonly ready: string;
  /** The button that is clicked first, and what must then be there in a frame. */
  readonly click?: string;
  readonly framed?: string;
  readonly colorScheme?: 'light' | 'dark';
  readonly width?: number;
  readonly height?: number;
}

async function take(
  house: PlayHouse,
  { file, path, token, ready, click, framed, colorScheme = 'light', width = 1280, height = 800 }: Shot,
): Promise<void> {
  const isPhone = width < 500;
  const look = { viewport: { width, height }, colorScheme, hasTouch: isPhone, isMobile: isPhone, reducedMotion: 'reduce' } as const;
  const context = await house.browser.newContext(look);
  const page = await context.newPage();
  await page.clock.setFixedTime(Date.now());
  await page.goto(`${house.url}${path}#token=${token}`);
  if (click !== undefined) await page.getByRole('button', { name: click }).click();
  await page.locator(ready).first().waitFor();
  if (framed !== undefined) await page.frameLocator('iframe').locator(framed).first().waitFor();
  await page.evaluate('document.fonts.ready.then(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))');
  const session = await context.newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY });
  await context.close();
  const bytes = Buffer.from(data, 'base64');
  if (bytes.length > MAX_BYTES) throw new Error(`${file}.webp has ${bytes.length} bytes; at most ${MAX_BYTES} belong into the repository`);
  await writeFile(join(FOLDER, `${file}.webp`), bytes);
  process.stdout.write(`${file}.webp ${bytes.length}\n`);
}

/** What is said by day, by the one who is accused or by one of the others. */
const linesAbout = (accused: string): readonly (readonly [by: 'accused' | number, text: string])[] => [
  [0, 'Good morning. Somebody here sleeps by day and hunts by night.'],
  ['accused', 'I was at the mill until dawn.'],
  [2, 'I saw a light at the mill, but nobody in it.'],
  [4, `${accused} answered before anybody asked. I do not like that.`],
  [1, 'Bold words. Who voted so fast in the last game?'],
  [3, `Let us hear ${accused} once more before anybody votes.`],
  ['accused', 'Ask me what you like. I have nothing to hide.'],
];

/** A day and the beginning of a night. The village is about to execute one of its own. */
async function playedByPeople(house: PlayHouse): Promise<void> {
  const { table, seats } = await seatPeople(house, NAMES, LONG, { seed: SEED });
  const { token: audience } = (await house.post('/tokens', { role: 'spectator', table })) as { token: string };
  const isWolf = ({ brief }: Seated): boolean => brief.includes('Werewolf');
  const accused = seats.findLast((seat) => seat.seat > 0 && !isWolf(seat))!;
  const others = seats.filter((seat) => seat !== accused);
  const speak = (room: string, { token }: Seated, text: string) => {
    time += 9_000;
    return house.post(`/tables/${table}/speech`, { room, text }, token);
  };
  const choose = (question: string, { token }: Seated, { seat }: Seated) => {
    time += 4_000;
    return house.post(`/tables/${table}/acts`, { question, says: [`seat:${seat}`] }, token);
  };
  for (const [by, text] of linesAbout(NAMES[accused.seat]!)) await speak('Village', by === 'accused' ? accused : others[by]!, text);
  const day = 'round-1/day-1/vote';
  await choose(day, others[4]!, accused);
  await choose(day, accused, others[4]!);
  await choose(day, others[3]!, accused);
  const here = { path: `/t/${table}`, ready: '[role=log] article >> nth=4' };
  await take(house, { ...here, file: 'table', token: audience });
  const own = { token: seats[0]!.token, ready: 'section[aria-label=You] fieldset' };
  await take(house, { ...here, ...own, file: 'play' });
  await take(house, { ...here, ...own, file: 'play-phone', colorScheme: 'dark', width: 390, height: 844 });
  for (const by of [0, 1]) await choose(day, others[by]!, accused);
  time += 1_500; // the countdown
  const isNight = async () =>
    ((await house.get(`/tables/${table}/view?as=narrator&limit=1000`)) as View).seen.some(
      ({ event }) => event.question?.id === 'round-1/night-1/hunt',
    );
  await pollUntil('the night', isNight);
  const [wolf] = others.filter(isWolf);
  const prey = others.find((seat) => !isWolf(seat))!;
  await speak('Hideout', wolf!, `${NAMES[prey.seat]} asks too many questions.`);
  await choose('round-1/night-1/hunt', wolf!, prey);
  await take(house, {
    path: `/t/${table}?as=narrator`,
    token: house.admin,
    ready: '[data-phase=night]',
    file: 'night',
    colorScheme: 'dark',
  });
}

async function over(house: PlayHouse, table: string): Promise<string> {
  const isOver = async () => ((await house.get(`/tables/${table}`)) as { stage: string }).stage === 'over';
  await pollUntil('the end of a game', isOver, { timeoutMs: 20 * 60_000 });
  return table;
}

/** Finished games of minds, for the leaderboard and the beliefs. */
async function playedByMinds(house: PlayHouse): Promise<{ readonly maw: string; readonly avalon: string }> {
  const mind = (recipe: string) => ({ kind: 'mind', recipe });
  const seats = [...[0, 1, 2, 3].map(() => mind('rules')), ...[4, 5, 6].map(() => mind('random'))];
  const open = async (terms: object): Promise<string> =>
    ((await house.post('/tables', { seed: SEED, afterwards: 'everybody', ...terms })) as { table: string }).table;
  const options = { dayMs: 3_000, nightMs: 1_500 };
  const maw = await open({ rules: 'maw', seats, options, rounds: 3 });
  await over(house, maw);
  const avalon = await open({ rules: 'avalon', seats: seats.slice(1, 6), options: {} });
  return { maw, avalon: await over(house, avalon) };
}

/** A finished contest of two minds. Returns its address. */
async function playedContest(house: PlayHouse): Promise<string> {
  const agents = ['rules', 'random'].map((name) => ({ name, recipe: name }));
  const contest = { name: 'rules-against-random', agents, games: [{ rules: 'werewolf-7' }], schedule: { kind: 'sides', deals: 20 } };
  await house.post('/contests', { contest });
  const isOver = async () =>
    ((await house.get('/contests/rules-against-random')) as { summary: { state: string } }).summary.state === 'finished';
  await pollUntil('the end of a contest', isOver, { timeoutMs: 10 * 60_000 });
  return '/console/operate?show=contests&contest=rules-against-random';
}

async function takePictures(house: PlayHouse): Promise<void> {
  await mkdir(FOLDER, { recursive: true });
  const { maw, avalon } = await playedByMinds(house);
  const contest = await playedContest(house);
  stopClock(Date.UTC(2026, 0, 9, 20, 15, 0));
  const { table } = (await house.post('/tables', { rules: 'avalon', players: 5, people: 2, seed: SEED })) as { table: string };
  await playedByPeople(house);
  const { admin: token } = house;
  await take(house, { path: contest, file: 'contest', token, ready: 'main table', click: 'Make the report', framed: 'svg', height: 1300 });
  await take(house, { path: '/', file: 'tables', token, ready: 'main li', height: 620 });
  await take(house, { path: '/console/leaderboard', file: 'leaderboard', token, ready: 'main ol > li', height: 440 });
  await take(house, { path: '/console/open', file: 'open', token, ready: 'form button[type=submit]' });
  await take(house, { path: `/t/${table}/invite`, file: 'invite', token, ready: 'svg[role=img]', height: 690 });
  await take(house, {
    path: `/t/${avalon}/story`,
    file: 'story',
    token,
    ready: 'section:has(h2:text("When it turned")):not(:has-text("Reading"))',
    colorScheme: 'dark',
    height: 1000,
  });
  const beliefs = { path: `/t/${maw}/inside?view=beliefs&seat=0&role=wolf`, ready: 'main table' };
  await take(house, { ...beliefs, file: 'beliefs', token, colorScheme: 'dark' });
}

// The clock leaps, which is no outage.
const heartbeat = { beat: () => Promise.resolve({ now: Date.now(), outages: [], absences: [] }) };
const house = await startPlayHouse({ ...memoryStore(), heartbeat });
try {
  await takePictures(house);
} finally {
  await house.close();
}
