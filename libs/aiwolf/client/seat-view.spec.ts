import { describe, expect, it } from '@jest/globals';
import { inferOptions } from '../logs/infer-options.ts';
import { readLog } from '../logs/log.ts';
import { readLoggedGame } from '../logs/logged-game.ts';
import { reenact } from '../logs/reenact.ts';
import { aiwolf } from '@maw/games/aiwolf/aiwolf.ts';
import { aiwolfOptions } from '@maw/games/aiwolf/options.ts';
import { readOptions } from '@maw/games/kernel/options.ts';
import { play } from '@maw/games/kernel/play.ts';
import { type Seat, seatOf } from '@maw/games/kernel/question.ts';
import { type Capture, captures, logOf, withCaptures } from './captures.suite.ts';
import { anytimeDay, naturalGame, protocolGame } from './packets.suite.ts';
import { naturalNotice } from './natural-notice.ts';
import { protocolNotice } from './protocol-notice.ts';
import { askedFor, beginPhase, beginView, endTurn, type Choice, eventsOf, type SeatEvent, type SeatView } from './seat-view.ts';

const sorted = (texts: readonly string[]): string[] => texts.toSorted((a, b) => (a < b ? -1 : 1));
const SPOKEN = /\/(?:talk|whisper)$/;

/** What a seat saw in a conversation. */
function seen({ division, packets }: Pick<Capture, 'division' | 'packets'>) {
  const events: SeatEvent[] = [];
  let view: SeatView | undefined;
  for (const text of packets) {
    const notice = division === 'protocol' ? protocolNotice(text) : naturalNotice(text);
    if (notice.terms && notice.request === 'INITIALIZE') {
      const begun = beginView(notice.terms, notice.situation!);
      view = begun.view;
      events.push(...begun.events);
    } else if (view) {
      events.push(...eventsOf(view, notice, 0));
      if (notice.phase) events.push(...(notice.phase.isBegun ? beginPhase(view, notice.phase.place, 0).events : endTurn(view)));
      if (notice.wantsAnswer && notice.request !== 'NAME') events.push(...askedFor(view, notice.request as Choice, 0).events);
    }
  }
  return { view: view!, events };
}

/** The events of a game as lines, with names for seats: what the servers tell, without times and the order of speakers. */
function linesOf(events: readonly { readonly type: string }[], names: readonly string[], me: Seat): string[] {
  const named = (option: string) => (option.startsWith('seat:') ? names[seatOf(option)]! : option);
  const bySeat = (list: readonly unknown[]) => {
    const pairs = names.map((name, seat) => `${name}=${String(list[seat])}`);
    return sorted(pairs).join(' ');
  };
  const others = ({ type, ...rest }: SeatEvent): string =>
    `${type} ${JSON.stringify(rest, (key, value: unknown) => (key === 'seat' || key === 'by' ? names[value as Seat] : value))}`;
  const lineOf = (event: SeatEvent): string | undefined => {
    const asked = event.type === 'asked' ? event.question.id : 'question' in event ? event.question : '';
    const id = asked.replace('round-1/', '');
    if (event.type === 'opened' || event.type === 'joined' || event.type === 'began') return undefined;
    if (event.type === 'dealt') return `dealt ${bySeat(event.roles)}`;
    // the rules say once more when nobody has anything left
    if (event.type === 'ordered')
      return event.left.some((left) => left > 0) ? `ordered ${event.place} ${event.turn} ${bySeat(event.left)}` : undefined;
    if (event.type === 'asked') {
      const isOwn = !SPOKEN.test(id) && event.question.of.includes(me);
      return isOwn ? `asked ${id}: ${sorted(event.question.options.map(named)).join()}` : undefined;
    }
    if (event.type === 'answered') return SPOKEN.test(id) ? `${id}: ${names[event.answer.by]}: ${event.answer.says[0]}` : undefined;
    if (event.type === 'passed') return `${id}: ${names[event.seat]}: Skip`; // as the log has it
    if (event.type === 'settled')
      return `settled ${id} ${sorted(event.answers.map(({ by, says }) => `${names[by]}>${named(says[0]!)}`)).join(' ')}`;
    if (event.type === 'killed' || event.type === 'executed') return `${event.type} ${names[event.seat]}`;
    return others(event);
  };
  return (events as readonly SeatEvent[]).flatMap((event) => lineOf(event) ?? []);
}

/** What the server never tells: whispers of day 0 after a wolf's last, and the first round of a vote in the natural-language division. */
const isUntold = (line: string): boolean => /night-0|ordered whisper/.test(line) || line.startsWith('settled day-1/vote ');
const byDay = (lines: readonly string[]): string[] => {
  let day = 0;
  return sorted(lines.map((line) => `${line.startsWith('dawned') ? ++day : day} ${line}`));
};

describe('what a seat sees in a published server', () => {
  it('is what its table of our own would show it, from packets of the protocol division', () => {
    const { view, events } = seen(protocolGame);
    expect(linesOf(events, ['A1', 'A2', 'A3'], view.me)).toEqual([
      'dealt A1=hidden A2=seer A3=hidden',
      'asked night-0/divine: A1,A2,A3',
      'settled night-0/divine ',
      'gazed {"by":"A2","seat":"A1"}',
      'dawned {"day":1}',
      'divined {"by":"A2","seat":"A1","found":"human"}',
      'ordered talk 0 A1=10 A2=10 A3=10',
      'day-1/turn-0/talk: A3: VOTE Agent[01]',
      'day-1/turn-0/talk: A2: Skip',
      'day-1/turn-0/talk: A1: Over',
      'settled day-1/turn-0/talk ',
      'ordered talk 1 A1=10 A2=10 A3=9',
      'day-1/turn-1/talk: A2: Over',
      'settled day-1/turn-1/talk ',
      'asked day-1/vote: A1,A2,A3',
      'settled day-1/vote A1>A2 A2>A3 A3>A1',
      'tied {"vote":"vote"}',
      'asked day-1/vote-2/vote: A1,A2,A3',
      'settled day-1/vote-2/vote A1>A3 A2>A3 A3>A2',
      'executed A3',
      'asked night-1/divine: A1,A2',
      'settled night-1/divine ',
      'dawned {"day":2}',
      'unharmed {}',
      'ended {"winner":"village","because":"no-werewolves"}',
    ]);
  });

  it('is told apart by day and place from histories of the natural-language division, each utterance once', () => {
    const { view, events } = seen(naturalGame);
    expect(view.terms.names).toEqual(['Ann', 'Bob', 'Cid', 'Dot', 'Eve', 'Fay']);
    expect(linesOf(events, view.terms.names, view.me)).toEqual([
      'dealt Ann=hidden Bob=werewolf Cid=hidden Dot=werewolf Eve=hidden Fay=hidden',
      'ordered whisper 0 Ann=0 Bob=4 Cid=0 Dot=4 Eve=0 Fay=0',
      'night-0/turn-0/whisper: Dot: first',
      'settled night-0/turn-0/whisper ',
      'ordered talk 0 Ann=4 Bob=4 Cid=4 Dot=4 Eve=4 Fay=4',
      'day-0/turn-0/talk: Eve: hi',
      'day-0/turn-0/talk: Bob: Over',
      'settled day-0/turn-0/talk ',
      'ordered whisper 0 Ann=0 Bob=4 Cid=0 Dot=4 Eve=0 Fay=0',
      'night-0/whisper-2/turn-0/whisper: Dot: second',
      'settled night-0/whisper-2/turn-0/whisper ',
      'dawned {"day":1}',
      'asked day-1/vote: Ann,Bob,Cid,Dot,Eve,Fay',
      'executed Ann',
      'asked night-1/attack: Bob,Cid,Dot,Eve,Fay',
      'settled day-1/vote Bob>Ann Cid>Ann',
      'settled night-1/attack Bob>Cid Dot>Cid',
      'dawned {"day":2}',
      'killed Cid',
      'ended {"winner":"werewolves","because":"parity"}',
    ]);
  });

  it('is one talk, at any time, each utterance once, from broadcasts and the history at the end of the day', () => {
    const { view, events } = seen(anytimeDay);
    expect(linesOf(events, view.terms.names, view.me)).toEqual([
      'dealt Ann=hidden Bob=werewolf Cid=hidden Dot=werewolf Eve=hidden Fay=hidden',
      'ordered whisper 0 Ann=0 Bob=2 Cid=0 Dot=2 Eve=0 Fay=0',
      'night-0/turn-0/whisper: Dot: first',
      'settled night-0/turn-0/whisper ',
      'ordered talk 0 Ann=2 Bob=2 Cid=2 Dot=2 Eve=2 Fay=2',
      'day-0/turn-0/talk: Eve: hi',
      'day-0/turn-0/talk: Eve: well',
      'settled day-0/turn-0/talk ',
      'day-0/turn-0/talk: Cid: Over',
    ]);
  });

  withCaptures('equals the projection of the re-enacted log for every capture of a game that has one', () => {
    let compared = 0;
    for (const capture of captures) {
      const log = logOf(capture);
      if (log === undefined) continue;
      const logged = readLoggedGame(readLog(log));
      const options = inferOptions(logged);
      const { view, events } = seen(capture);
      const { names } = view.terms;
      const players = capture.division === 'protocol' ? names : logged.players;
      const me = players.indexOf(names[view.me]!);
      const theirs = play(aiwolf.rules(players.length, options)).view(reenact(logged, options).events, me);
      const told = (lines: readonly string[]) => byDay(lines.filter((line) => !isUntold(line)));
      expect({ name: capture.name, lines: told(linesOf(events, names, view.me)) }).toEqual({
        name: capture.name,
        lines: told(linesOf(theirs, players, me)),
      });
      const all = new Set(linesOf(theirs, players, me));
      const heard = linesOf(events, names, view.me).filter((line) => line.startsWith('night-0'));
      expect(heard.filter((line) => !all.has(line))).toEqual([]);
      compared++;
    }
    expect(compared).toBeGreaterThan(20);
  });

  withCaptures('reads from the settings of the protocol division what its log was played with', () => {
    const capture = captures.find(({ name }) => name === 'n15-WEREWOLF')!;
    const { view } = seen(capture);
    const { turnMs: _, roles: __, ...own } = view.options;
    const { turnMs: ___, roles: ____, ...logged } = readOptions(aiwolfOptions, inferOptions(readLoggedGame(readLog(logOf(capture)!))));
    expect(own).toEqual(logged);
  });
});
