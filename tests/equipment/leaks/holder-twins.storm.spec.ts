import { expect, it } from '@jest/globals';
import { type Holder, type HolderTwin, playHolderTwin, type Reading } from './holder-twins.ts';
import { tampering } from './planted-leaks.ts';
import type { Tamper } from './wiretap.ts';

// Whether a mind, a person or a program plays a seat shows to no other seat, spectator or stranger: in no status, header, size, body or time of any route
// and stream, and in no work that a route does. The clock is set by hand, so that times are compared exactly. No mind ever answers by itself:
// a route that waited for who plays the seat would never end.

const WAIT_MS = 600_000;
const HOLDERS: readonly Holder[] = ['mind', 'person', 'both', 'agent'];

/** What differs from the twin with a mind, and how. */
const differences = (one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): readonly string[] =>
  [...new Set([...one.keys(), ...other.keys()])].flatMap((what) =>
    one.get(what) === other.get(what) ? [] : [`${what}:\n${one.get(what)}\nagainst\n${other.get(what)}`],
  );

async function mustBeAlike(reading: Reading, of: (twin: HolderTwin) => ReadonlyMap<string, string>, atLeast: number): Promise<void> {
  const [mind, ...people] = await Promise.all(HOLDERS.map((holder) => playHolderTwin(holder, reading)));
  expect(of(mind!).size).toBeGreaterThanOrEqual(atLeast);
  for (const twin of people) expect(differences(of(mind!), of(twin))).toEqual([]);
  const [first, ...handed] = people[1]!.holders;
  expect([mind!.holders, people[0]!.holders, people[2]!.holders, first]).toEqual([['mind'], ['person'], ['person'], 'person']);
  expect(handed.length).toBeGreaterThan(2);
}

it('is hidden in every answer to those who may not know it', () => mustBeAlike('routes', ({ answers }) => answers, 200), WAIT_MS);

it('is hidden in every stream', () => mustBeAlike('streams', ({ streams }) => streams, 7), WAIT_MS);

/** A summary that shows when a seat is asked by messages, as minds are. */
function tellingWhoIsAsked(): Tamper {
  let asked = 0;
  const tell = tampering('table.view.reply', ({ summary }) => ({ summary: { ...(summary as object), opened: asked } }));
  return (message) => {
    if (message.parcel.type === 'seat.decide') asked++;
    return tell(message);
  };
}

it(
  'shows in answers once a summary tells how often minds are asked',
  async () => {
    const [mind, person] = await Promise.all(
      (['mind', 'person'] as const).map((holder) => playHolderTwin(holder, 'routes', tellingWhoIsAsked())),
    );
    expect(differences(mind!.answers, person!.answers).join()).toContain('a spectator: GET');
  },
  WAIT_MS,
);
