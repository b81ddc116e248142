import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { Question } from '@maw/games/kernel/question.ts';
import { readRecord } from '@maw/games/records/read-record.ts';
import { replay } from '@maw/games/records/replay.ts';
import { root } from '../equipment/source/repository.ts';

const record = readRecord(JSON.parse(readFileSync(join(import.meta.dirname, 'werewolf-7-a7.json'), 'utf8')));

const DOCUMENT = join(root, '../shared/seeds/001-llm-werewolf-xu.txt');
const here = existsSync(DOCUMENT) ? it : it.skip;

describe(`the words of the document${existsSync(DOCUMENT) ? '' : ' (skipped: the text of document 001 is not beside the repository)'}`, () => {
  const lines = () => {
    const whole = readFileSync(DOCUMENT, 'utf8');
    return whole.slice(whole.lastIndexOf('A.7 A Complete Round Example')).split('\n');
  };
  const option = (name: string) => (/\d/.test(name) ? `seat:${Number(/\d/.exec(name)![0]) - 1}` : 'pass');

  here('choose what the record chooses, one after another', () => {
    const said = lines().flatMap((line) => {
      const [, who, text] = /^Player (\d): (I (?:choose|vote)\b.*)$/.exec(line) ?? [];
      if (who === undefined || text === undefined) return [];
      const own = text.includes('myself') ? `Player ${who}` : (/Player \d/.exec(text)?.[0] ?? '');
      return [[Number(who) - 1, text.includes('pass') ? 'pass' : option(own)]];
    });
    expect(said).toHaveLength(50);
    expect(record.acts.map(({ seat, says }) => [seat, says[0]])).toEqual(said);
  });

  here('offer what the game offers, list for list', () => {
    const lists = lines().flatMap((line) => {
      const list = /options please: \[(.*?)\]|options: \[(Player.*?)\]/.exec(line);
      return list ? [(list[1] ?? list[2]!).split(', ').map(option).join()] : [];
    });
    const asked = replay(record).events.flatMap((e) => (e.type === 'asked' ? [e['question'] as Question] : []));
    const perVoter = (q: Question) => (q.inTurn ? q.of.map(() => q.options.join()) : [q.options.join()]);
    const offered = asked.filter((q) => q.verb === 'choose' && q.of.length > 0 && !q.id.endsWith('/save')).flatMap(perVoter);
    expect(lists).toHaveLength(49);
    expect(offered).toEqual(lists);
  });

  here('have the order of speaking that the record has', () => {
    const first = lines().flatMap((line) => /^Moderator .*(?:The first|The next) (Player \d), you(?:,| please)/.exec(line)?.[1] ?? []);
    expect(first.slice(0, 7).map((name) => Number(name.at(-1)) - 1)).toEqual(record.deal['order']);
  });
});
