import { describe, expect, it } from '@jest/globals';
import { catalogue } from '@maw/games/catalogue.ts';
import { doneIn } from '../noninterference/world-pair.ts';
import { type PairedRun, difference, runPair } from './paired-run.ts';
import { PAIRS } from './world-pairs.ts';
import { telling } from './planted-leaks.ts';

// The projection law over the services: worlds that differ only in what an eye may not know give its services the same.

const WAIT_MS = 600_000;
const RULES = Object.keys(PAIRS);
const NUMBERS = [0, 1, 2, 3, 4, 5];

function mustBeAlike(both: PairedRun): void {
  expect(difference(both)).toBeUndefined();
  expect(both.differs).toBe(true);
  expect(both.got[0].length).toBeGreaterThan(20);
}

it('is tried with every rule set', () => {
  expect(RULES.toSorted()).toEqual(catalogue.map(({ name }) => name).toSorted());
});

describe.each(RULES)('what the services of an eye get in %s', (rules) => {
  const pairs = NUMBERS.map((n) => PAIRS[rules]!(n));

  it.each(NUMBERS)(
    'is the same in worlds that differ in what it may not know: pair %i',
    async (n) => {
      mustBeAlike(await runPair(pairs[n]!, { probes: 6 }));
    },
    WAIT_MS,
  );

  it('is tried for seats and the audience, in worlds in which other things are done', () => {
    const eyes = new Set(pairs.map(({ eye }) => eye));
    expect(eyes.size).toBeGreaterThan(3);
    expect(eyes).toContain('audience');
    const other = pairs.filter(({ worlds: [one, second] }) => JSON.stringify(doneIn(one)) !== JSON.stringify(doneIn(second)));
    expect(other.length).toBeGreaterThan(2);
  });
});

/** Pairs of which the eye is a seat that waits for long. */
const PATIENT = [
  ['maw', 2],
  ['aiwolf', 4],
  ['avalon', 1],
  ['onuw', 3],
  ['werewolf-7', 0],
] as const;

it.each(PATIENT)(
  'is the same in %s, however often a seat tries what it may not do: pair %i',
  async (rules, n) => {
    const pair = PAIRS[rules]!(n);
    expect(pair.eye).not.toBe('audience');
    mustBeAlike(await runPair(pair, { probes: 30, persistence: 11 }));
  },
  WAIT_MS,
);

/** What a question could tell that its seat may not know: something of another message. */
const TOLD: { readonly [rules: string]: Parameters<typeof telling>[0] } = {
  'maw': ({ room, members }) => (String(room).endsWith('/Hideout') ? members : undefined),
  'aiwolf': ({ room, members }) => (String(room).endsWith('/Hideout') ? members : undefined),
  'avalon': ({ seat, questions }) => (JSON.stringify(questions ?? '').includes('"is":"fail"') ? seat : undefined),
  'onuw': ({ seat, phase }) => (String(phase).startsWith('round-1/night') ? seat : undefined),
  'werewolf-7': ({ seat, phase }) => (/\/wolf-\d$/.test(String(phase)) ? seat : undefined),
};

it.each(RULES)(
  'would be found to differ in %s if a question told who is who',
  async (rules) => {
    const found: (string | undefined)[] = [];
    for (let n = 0; n < 12 && !found.some(Boolean); n++)
      found.push(difference(await runPair(PAIRS[rules]!(n), { tamper: () => telling(TOLD[rules]!) })));
    expect(found.at(-1)).toMatch(/It was told: /);
  },
  WAIT_MS,
);
