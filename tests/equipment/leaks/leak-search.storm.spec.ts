import { describe, expect, it } from '@jest/globals';
import { catalogue, ruleSetNamed } from '@maw/games/catalogue.ts';
import type { Log } from '@maw/telemetry/log.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import { type Evidence, MARK, play, type Terms } from './observed-game.ts';
import { findLeaks } from './leak-search.ts';
import { PLANTED_LEAKS, tampering, withLines } from './planted-leaks.ts';

// Plays whole games with the real services and searches every message, span, log line and metric for information hidden from its reader.

const minute = 60_000;
const RECIPES: readonly Terms['recipe'][] = ['react', 'random', 'rules', 'react', 'rules'];

/** The phases of the table, one after another. */
const phasesOf = (spans: readonly string[]): readonly string[] =>
  spans.flatMap((span) => (JSON.parse(span) as { attributes: Record<string, string> }).attributes['maw.phase'] ?? []);

/** Checks that the game had secrets and that all channels were recorded. */
function isWorthIt({ tape, heard, spans, lines, metrics: text }: Evidence): void {
  expect(tape.some(({ event }) => event.type === 'dealt')).toBe(true);
  expect(new Set(tape.flatMap(({ event }) => JSON.stringify(event).match(MARK) ?? [])).size).toBeGreaterThan(0);
  for (const type of ['seat.decide', 'table.moved', 'table.view', 'table.view.reply'])
    expect([type, heard.some(({ parcel }) => parcel.type === type)]).toEqual([type, true]);
  expect(spans.some((span) => span.includes('"maw.seat":'))).toBe(true);
  // The timeline of the table as announced, each phase once, without the names of night phases.
  const rung = heard.flatMap(({ parcel }) => (parcel.type === 'table.moved' ? [JSON.parse(parcel.body.toString()).data] : []));
  const places = rung.map(({ stage, phase }: { readonly stage: string; readonly phase: string }) => phase || stage);
  const phases = phasesOf(spans).filter((phase, i, all) => phase !== all[i - 1]);
  expect(phases).toEqual(places.filter((place, i) => place !== places[i - 1]));
  expect([phases[0], phases.at(-1)]).toEqual(['lobby-0', 'over']);
  expect(phases.slice(1, -1)).toContain('round');
  expect(lines.length).toBeGreaterThan(0);
  expect(text).toContain('maw_acts_total{');
}

describe('no reader gets information hidden from it', () => {
  it.each(catalogue.map((set, i) => [set.name, RECIPES[i % RECIPES.length]!, set] as const))(
    'in a game of %s with `%s` minds',
    async (name, recipe, set) => {
      const evidence = await play({ set, seed: `hunt-${name}`, recipe });
      expect(findLeaks(evidence)).toEqual([]);
      isWorthIt(evidence);
      if (recipe === 'react') expect(evidence.heard.some(({ parcel }) => parcel.type === 'llm.complete')).toBe(true);
    },
    10 * minute,
  );
});

describe('the leak search finds', () => {
  const set = ruleSetNamed('onuw');

  it('roles, cards, speech and reasons that are shown to operators', async () => {
    const plant = (log: Log): void => Object.values(PLANTED_LEAKS).forEach((each) => each(log));
    const found = findLeaks(await play({ set, seed: 'planted', recipe: 'random', plant }));
    metrics.refusals.remove({ service: 'gamemaster', reason: 'seer at 1' });
    expect(
      found
        .map((one) =>
          one
            .split(':')
            .slice(0, 2)
            .join(':')
            .replace(/: \{.*|: maw_.*/s, ''),
        )
        .toSorted(),
    ).toEqual([
      'a log tells of a seer',
      'a log tells why a mind did it: Because of 17 things',
      'a metric tells of a seer',
      'a span tells of a seat in round-1/night',
      'a span tells of a werewolf',
      'a span tells of the secret round-1/night',
      'a span tells what was said: mk1x1q',
    ]);
  });

  it('hidden roles, events and whispers in messages to seats', async () => {
    const doorbell = tampering('table.moved', () => ({ note: 'the robber is at 2' }));
    const question = tampering('seat.decide', (data) => ({
      players: (data['players'] as object[]).map((one, seat) => (seat === 1 ? { ...one, card: 'troublemaker' } : one)),
      news: [...(data['news'] as object[]), { n: 1, at: 1, event: { type: 'looked', by: 1, at: 'centre:0', card: 'seer' } }],
      more: 'mk99x1q',
    }));
    const found = findLeaks(await play({ set, seed: 'planted', recipe: 'random', tamper: (message) => doorbell(question(message)) }));
    for (const what of [
      /^table\.moved for everybody tells of a robber/,
      /^seat\.decide for eye \d tells of a troublemaker/,
      /^seat\.decide for eye \d tells event 1 otherwise/,
      /^seat\.decide for eye \d tells what it may not hear: mk99x1q/,
    ])
      expect([String(what), found.some((one) => what.test(one))]).toEqual([String(what), true]);
  });

  it('lines of secret rooms and whispers in doorbells, and none of public rooms', async () => {
    const found = findLeaks(await play({ set: ruleSetNamed('maw'), seed: 'planted', recipe: 'random', tamper: withLines() }));
    const rooms = found.flatMap(
      (one) => /^(room\.line|table\.moved) for eye audience tells a line .*?"room":"([^"]*)"/.exec(one)?.slice(1).join(' ') ?? [],
    );
    const names = rooms.map((room) => room.replace(/ .*\/|-\d+$/g, (part) => (part.startsWith(' ') ? ' ' : '')));
    expect([...new Set(names)].toSorted()).toEqual([
      'room.line Hideout',
      'room.line Whisper',
      'table.moved Hideout',
      'table.moved Whisper',
    ]);
  });
});
