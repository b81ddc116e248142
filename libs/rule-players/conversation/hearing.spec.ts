import { describe, expect, it } from '@jest/globals';
import { avalonStrategy } from '../avalon/avalon.ts';
import { mawStrategy } from '../maw/maw.ts';
import { onuwStrategy } from '../onuw/onuw.ts';
import type { Moment } from '../moment.ts';
import { type Ears, type Hearing, listen, newHearing } from './hearing.ts';

const names = ['Ann', 'Ben', 'Cleo', 'Dan'];
const phase = 'round-1/day-1';
const people: Hearing = { ...newHearing, isForPeople: true };

/** What a seat remembers of a line that Ann wrote. */
function heard(text: string, seat: number, before: Partial<Hearing> = {}, ears: Ears = mawStrategy): Hearing {
  const players = names.map((name, n) => ({ seat: n, name, alive: true }));
  const news = [{ event: undefined, by: 0, speech: text, room: `${phase}/talk`, line: 1 }];
  return listen({ ...people, phase, ...before }, { table: 't', seat, phase, players, news, now: 0 } as unknown as Moment, ears);
}
const others = [1, 2, 3];
const cuesOf = (text: string, ears?: Ears) => others.flatMap((seat) => heard(text, seat, {}, ears).cues.map(({ is }) => is));

describe('a line of a person', () => {
  it.each(['I am the werewolf', 'yes im the wolf you got me ahahaha'])('that says %j is taken for a joke by one of the table', (text) => {
    expect(cuesOf(text)).toEqual(['confessed']);
    expect(cuesOf(text, onuwStrategy)).toEqual(['confessed']);
  });

  it.each(['i am not werewolf', 'im no wolf i swear', 'if i was the werewolf', 'Ben is the werewolf', 'are you the werewolf'])(
    'that says %j is no confession',
    (text) => expect(cuesOf(text)).not.toContain('confessed'),
  );

  it('that claims to be Merlin or Percival is noticed at Avalon, and a Servant is not', () => {
    expect(cuesOf('im percy btw', avalonStrategy)).toEqual(['claimHeard', 'claimHeard', 'claimHeard']);
    expect(cuesOf('just a loyal servant, i know nothing', avalonStrategy)).toEqual([]);
  });

  it('that claims a card is noticed, and a Villager is not', () => {
    expect(cuesOf('i was troublemaker', onuwStrategy)).toEqual(['claimHeard', 'claimHeard', 'claimHeard']);
    expect(cuesOf('started as villager, no idea what i am now', onuwStrategy)).toEqual([]);
  });

  it('that asks why somebody is answered by those who are against that player', () => {
    const asked = (before: (seat: number) => Partial<Hearing>) =>
      others.filter((seat) => heard('why Cleo?', seat, before(seat)).asked.length);
    expect(asked((seat) => (seat === 3 ? { named: 2 } : {}))).toEqual([3]);
    expect(asked((seat) => (seat === 1 ? { ballots: { phase, by: { 1: 2 } } } : {}))).toEqual([1]);
    expect(asked(() => ({}))).toEqual([]);
  });

  it('that only names a player with a question mark asks for an opinion', () => {
    expect(heard('Ben??', 1).asked).toEqual([{ by: 0, subject: 'suspect' }]);
  });

  it.each(['who left?', 'can the killer please tell who he is so we can kill him?'])('that says %j asks nobody for a suspect', (text) =>
    expect(others.flatMap((seat) => heard(text, seat).asked)).toEqual([]),
  );

  it('that mourns a player mourns for all', () => {
    expect(heard('oh no, Dan is dead', 1, { dead: [3], mourned: [3] }).mourned).toEqual([]);
    expect(heard('oh no', 1, { dead: [3], mourned: [3] }).mourned).toEqual([3]);
  });

  it('that tells what another has said is remembered as such, a vote as a vote', () => {
    expect(heard('ben says hes seer', 2).reported).toMatchObject({ of: 1, about: 1, isSaid: true });
    expect(heard('ben voted for cleo', 2).reported).toMatchObject({ of: 1, about: 2, isSaid: false });
    expect(heard('ben never said cleo is a wolf', 2).reported).toBeUndefined();
  });
});
