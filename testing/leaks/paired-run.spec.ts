import { describe, expect, it } from '@jest/globals';
import { catalogue } from '@maw/games/catalogue.ts';
import { doneIn } from '../noninterference/world-pair.ts';
import { type PairedRun, difference, runPair } from './paired-run.ts';
import { PAIRS } from './world-pairs.ts';
import { telling } from './planted-leaks.ts';

// Noninterference of the services: in worlds that differ only in what an eye may not know, its services receive the same.

const WAIT_MS = 600_000;
const RULES = Object.keys(PAIRS);
const NUMBERS = [0, 1, 2, 3, 4, 5];

function mustBeAlike(both: PairedRun): void {
  expect(difference(both)).toBeUndefined();
  expect(both.differs).toBe(true);
  expect(both.got[0].length).toBeGreaterThan(20);
}

it('covers every rule set', () => {
  expect(RULES.toSorted()).toEqual(catalogue.map(({ name }) => name).toSorted());
});

describe.each(RULES)('the services of an eye in %s', (rules) => {
  const pairs = NUMBERS.map((n) => PAIRS[rules]!(n));

  it.each(NUMBERS)(
    'receive the same in both worlds of pair %i',
    async (n) => {
      mustBeAlike(await runPair(pairs[n]!, { probes: 3 }));
    },
    WAIT_MS,
  );

  it('are compared for seats and the audience, in worlds with different acts', () => {
    const eyes = new Set(pairs.map(({ eye }) => eye));
    expect(eyes.size).toBeGreaterThan(2);
    expect(eyes).toContain('audience');
    const other = pairs.filter(({ worlds: [one, second] }) => JSON.stringify(doneIn(one)) !== JSON.stringify(doneIn(second)));
    expect(other.length).toBeGreaterThan(1);
  });
});

/** Pairs whose eye is a seat that waits for long. */
const PATIENT = [
  ['maw', 2],
  ['aiwolf', 4],
  ['avalon', 1],
  ['onuw', 3],
  ['werewolf-7', 0],
] as const;

it.each(PATIENT)(
  'gives the services the same in %s despite illegal attempts: pair %i',
  async (rules, n) => {
    const pair = PAIRS[rules]!(n);
    expect(pair.eye).not.toBe('audience');
    mustBeAlike(await runPair(pair, { probes: 8, persistence: 8 }));
  },
  WAIT_MS,
);

/** A planted leak per rule set: an extra field of a question. */
const TOLD: { readonly [rules: string]: Parameters<typeof telling>[0] } = {
  'maw': ({ room, members }) => (String(room).endsWith('/Hideout') ? members : undefined),
  'aiwolf': ({ room, members }) => (String(room).endsWith('/Hideout') ? members : undefined),
  'avalon': ({ seat, questions }) => (JSON.stringify(questions ?? '').includes('"is":"fail"') ? seat : undefined),
  'onuw': ({ seat, phase }) => (String(phase).startsWith('round-1/night') ? seat : undefined),
  'werewolf-7': ({ seat, phase }) => (/\/wolf-\d$/.test(String(phase)) ? seat : undefined),
};

it.each(RULES)(
  'detects a planted leak in %s',
  async (rules) => {
    const found: (string | undefined)[] = [];
    for (let n = 0; n < 12 && !found.some(Boolean); n++)
      found.push(difference(await runPair(PAIRS[rules]!(n), { tamper: () => telling(TOLD[rules]!) })));
    expect(found.at(-1)).toMatch(/It was told: /);
  },
  WAIT_MS,
);
