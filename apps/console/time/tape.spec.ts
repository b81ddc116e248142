import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { catalogue } from '@maw/games/catalogue.ts';
import { werewolf7 } from '@maw/games/werewolf-7/werewolf-7.ts';
import type { Eye } from '@maw/games/kernel/question.ts';
import { playthrough } from '@maw/tests/equipment/laws/playthrough.ts';
import type { Seen } from '../api/shapes.ts';
import { lineOf, partsOf } from '../scene/lines.ts';
import { marksOf, sameMoment } from './marks.ts';
import { firstPhase, phaseAfter } from './phase.ts';
import { createTape, deriveView } from './tape.ts';

/** Seeded games of every rule set. */
const games = catalogue.map((set) => {
  const players = set.players.usual;
  const played = playthrough(set, { players, seed: `console ${set.name}`, options: {} }, 1).table;
  return { set, played, players };
});
const seenOf = (events: readonly { readonly type: string }[]): readonly Seen[] =>
  events.map((event, i) => ({ n: i + 1, at: i, event }) as Seen);
const foldOf = (events: readonly { readonly type: string }[]) => {
  const tape = createTape();
  for (const seen of seenOf(events)) tape.append(seen);
  return tape;
};

describe.each(games)('the tape of a game of $set.name', ({ played, players }) => {
  const narrator = foldOf(played.tape);
  const eyes: readonly Eye[] = ['narrator', 'audience', ...Array.from({ length: players }, (_, seat) => seat)];

  it('has at every position what the view folds to, for every eye', () => {
    for (const eye of eyes) {
      const view = played.game.view(played.tape, eye);
      const derived = createTape();
      deriveView(narrator, eye, derived, 0);
      expect(derived.moments.map(({ seen }) => seen.event)).toEqual(view);
      let position = played.game.begin();
      for (const [i, event] of view.entries()) {
        position = played.game.evolve(position, event);
        if (!isDeepStrictEqual(derived.moments[i]!.after, position)) expect(derived.moments[i]!.after).toEqual(position);
      }
    }
  });

  it('tells lines with players set apart and marks phases and the end', () => {
    const lines = narrator.moments.flatMap((moment) => lineOf(narrator.rules!, moment) ?? []);
    const seats = lines.flatMap(({ parts = [] }) => parts.flatMap((part) => (typeof part === 'string' ? [] : [part.seat])));
    expect(new Set(seats).size).toBe(players);
    const text = lines.flatMap(({ parts = [], text: said = '' }) => [...parts.filter((part) => typeof part === 'string'), said]).join('');
    for (const name of played.standing.game.names) expect(text).not.toContain(name!);
    const marks = marksOf(narrator);
    expect(marks.at(-1)?.kind).toBe('end');
    expect(marks.filter(({ kind }) => kind === 'phase').length).toBeGreaterThan(1);
  });

  it('finds the same moment through other eyes', () => {
    const audience = createTape();
    deriveView(narrator, 'audience', audience, 0);
    for (const [i, { source }] of audience.moments.entries()) {
      expect(sameMoment(audience, i + 1, narrator)).toBe(source);
      expect(sameMoment(narrator, source, audience)).toBe(i + 1);
    }
  });
});

it('leaves the hunt for Merlin when the holder of the Lady is asked, but not when the Assassin is', () => {
  const before = phaseAfter(firstPhase, { type: 'led', quest: 2, proposal: 3 });
  const asked = (id: string) => ({ type: 'asked', question: { id } });
  const hunt = [{ type: 'sought' }, asked('quest-2/assassinate')].reduce(phaseAfter, before);
  expect(hunt.kind).toBe('hunt');
  expect(phaseAfter(hunt, asked('round-1/quest-2/lady'))).toEqual(before);
});

it('shows the morning of an election as the beginning of a phase', () => {
  const options = { sheriff: 'elected' };
  const { tape } = playthrough(werewolf7, { players: 7, seed: 'election', options }, 1).table;
  const { moments, rules } = foldOf(tape);
  const gathered = moments.find(({ seen }) => seen.event.type === 'gathered')!;
  expect(lineOf(rules!, gathered)).toMatchObject({ kind: 'phase' });
});

it('takes characters that stand for players out of speech', () => {
  expect(partsOf('\ue001 votes for \ue000.')).toEqual([{ seat: 1 }, ' votes for ', { seat: 0 }, '.']);
});
