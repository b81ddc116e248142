import { expect, it } from '@jest/globals';
import { pollUntil } from '@maw/async/poll-until.ts';
import { ADMIN, inProcessWeb } from '../web/in-process-web.ts';
import { answerTo, openText, withoutId } from './holder-twins.ts';
import { tampering } from './planted-leaks.ts';
import { type Tamper, wiretap } from './wiretap.ts';

// Who is ready, and since when, shows to no other seat, spectator or stranger before all are: in no status, header, size, body or time of any
// route and stream. The clock is set by hand, so that times are compared exactly.

const NAMES = ['Ann', 'Bo', 'Cy', 'Dora', 'Eve'] as const;
const VOTE = 'round-1/day-1/vote';
const NEVER_MS = 86_400_000;
const WAIT_MS = 300_000;
/** At each second of the day, who says it. In both twins the last one is Eve; Ann and the spectator look on. */
const TWINS: readonly (readonly (readonly number[])[])[] = [
  [[1, 2], [3], [], [0], [4]],
  [[], [3], [2], [0, 1], [4]],
];

/** What others read in one twin: by moment and address, and by stream. */
async function playTwin(moments: readonly (readonly number[])[], tamper?: Tamper): Promise<ReadonlyMap<string, string>> {
  const clock = { ms: 1_767_225_600_000 };
  const tap = wiretap(tamper);
  const here = await inProcessWeb({ lobbyEveryMs: 0, streamKeepAliveMs: NEVER_MS }, { hub: tap.hub, now: () => clock.ms });
  const fine = ({ status, text, body }: Awaited<ReturnType<typeof here.post>>) => {
    if (status >= 300) throw new Error(`${status}: ${text}`);
    return body;
  };
  try {
    const terms = { rules: 'maw', seed: 'ready', seats: NAMES.map(() => ({ kind: 'person' })), lobbyMs: NEVER_MS };
    const options = { pace: 'people', dayMs: 300_000, nightMs: 30_000 };
    const { table } = fine(await here.post('/tables', { ...terms, options }, ADMIN));
    const at = `/tables/${table}`;
    const seats: string[] = [];
    for (const name of NAMES) seats.push(fine(await here.post(`${at}/seats`, { name }, ADMIN)).token);
    const spectator = fine(await here.post('/tokens', { role: 'spectator', table }, ADMIN)).token;
    const act = async (seat: number, says: readonly string[]) => fine(await here.post(`${at}/acts`, { question: VOTE, says }, seats[seat]));
    for (const seat of NAMES.keys()) await act(seat, [`seat:${(seat + 1) % NAMES.length}`]);

    const readers = [seats[0]!, spectator];
    const streams = await Promise.all(
      readers.flatMap((token) =>
        [`${at}/events`, `${at}/events?schemas=true`, '/lobby'].map(async (path) => ({
          path,
          ...(await openText(here.url + path, token)),
        })),
      ),
    );
    const got = new Map<string, string>();
    const read = async (when: string): Promise<void> => {
      for (const [reader, token] of [...readers, undefined].entries())
        for (const path of [`${at}/view`, `${at}/tape`, at, '/tables', `${at}/again`, `${at}/rooms/round-1/day-1/Village/who`])
          got.set(withoutId(`${when}, ${reader}: ${path}`, table), withoutId(await answerTo(here.url, 'GET', path, token), table));
    };
    for (const [second, ready] of moments.entries()) {
      for (const seat of ready) await act(seat, []);
      await read(`second ${second}`);
      clock.ms += 1_000;
    }
    const isTold = ({ path, text }: (typeof streams)[number]): boolean => path === '/lobby' || text().includes('"hastened"');
    await pollUntil('the end of the day in every stream', () => streams.every(isTold));
    for (const [n, { path, text, close }] of streams.entries()) {
      await close();
      got.set(withoutId(`${n} ${path}`, table), withoutId(text(), table));
    }
    return got;
  } finally {
    await here.close();
  }
}

/** Where the twins differ. */
async function differences(tamper: () => Tamper | undefined = () => undefined): Promise<readonly string[]> {
  const [one, other] = await Promise.all(TWINS.map((moments) => playTwin(moments, tamper())));
  // Ann sees that she is ready herself, in both at the same second.
  expect([one!.size, other!.size]).toEqual([96, 96]);
  return [...one!].flatMap(([what, text]) => (other!.get(what) === text ? [] : [`${what}: ${text} against ${other!.get(what)}`]));
}

it('who is ready shows to nobody else in answers or streams before all are', async () => expect(await differences()).toEqual([]), WAIT_MS);

it(
  'would show in answers if a summary told how many are ready',
  async () => {
    const tellingHowMany = (): Tamper => {
      const ready = new Set<number>();
      const tell = tampering('table.view.reply', ({ summary }) => ({ summary: { ...(summary as object), opened: ready.size } }));
      return (message) => {
        const { data } = JSON.parse(message.parcel.body.toString()) as { data: { seat: number; says?: readonly string[] } };
        if (message.parcel.type === 'table.act' && !data.says?.length) ready.add(data.seat);
        return tell(message);
      };
    };
    const found = await differences(tellingHowMany);
    expect(found.map((what) => what.slice(0, 11))).toContain('second 0, 1');
  },
  WAIT_MS,
);
