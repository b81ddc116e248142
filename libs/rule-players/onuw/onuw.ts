import { type Seat, stepOf } from '@maw/games/kernel/question.ts';
import { SIX } from '@maw/games/onuw/state.ts';
import { type Opinion, opinionOn } from '../conversation/converse.ts';
import { type Gist, unansweredIn } from '../conversation/hearing.ts';
import type { Heard } from '../conversation/understand.ts';
import type { Answer, Asking, Moment } from '../moment.ts';
import type { Floor, Strategy } from '../strategy.ts';
import { beliefOf, ownEvidence, publicEvidence } from './belief.ts';
import { truth } from './claim.ts';
import { type Known, newRecord, recordNews } from './record.ts';
import { type Occasion, sentences } from './sentences.ts';
import { type Beliefs, isHiding, nightChoice, speech, tacticalSpeech, voteFor } from './speaking.ts';
import { a, readSpeech, understand, wordsOf } from './speech.ts';

/** The most speeches in free talk, besides conversation. */
const MAX_STATEMENTS = 3;

/** The strategy for One Night Ultimate Werewolf. */
export const onuwStrategy: Strategy<Known, Beliefs | { readonly [about: string]: never }, Occasion> = {
  book: sentences,
  roles: SIX,
  understand,
  gist: gistOf,
  earsAt({ deck }) {
    const roles = wordsOf(deck);
    if (roles.length === SIX.length) return { roles, understand, gist: gistOf };
    const held = roles.filter((card) => deck.includes(card));
    return { roles: held, understand: (heard) => understand({ ...heard, roles }), gist: (heard) => gistOf({ ...heard, roles }) };
  },
  begin: () => newRecord(),
  fold: recordNews,

  /** By night there is no evidence, and no choice depends on it. The public belief matters only to deceivers. */
  believe(known, moment) {
    if (!known.game.roles.length || isNight(moment)) return {};
    const own = beliefOf(ownEvidence(known, moment));
    return isHiding(own, moment) ? { ...own, seen: beliefOf(publicEvidence(known, moment)).wolf } : own;
  },

  act(known, belief, moment, dice, floor) {
    const { voice, tactic, hearing } = floor;
    if (!known.game.roles.length) return { answers: [], known }; // before the deal
    if (isNight(moment))
      return { answers: moment.questions.map((asking) => ({ question: asking.id, says: nightChoice(asking, dice, known) })), known };
    const answers: Answer[] = [];
    let { mine } = known;
    for (const asking of moment.questions) {
      if (asking.verb === 'choose') {
        const option = `seat:${voteFor(known, belief as Beliefs, moment)}`;
        if (asking.options.some(({ is }) => is === option) && !moment.standing[asking.id])
          answers.push({ question: asking.id, says: [option] });
      } else if (mayTalk(asking, mine.said.length)) {
        const here = {
          known,
          belief: belief as Beliefs,
          moment,
          maxChars: asking.maxChars,
          dice,
          voice,
          unanswered: unansweredIn(hearing),
        };
        const { text, lie } = tactic === undefined ? speech(here) : tacticalSpeech(tactic, here);
        if (text === undefined || mine.said.includes(text)) continue;
        answers.push({ question: asking.id, says: [text] });
        mine = { said: [...mine.said, text], lie };
      }
    }
    const after = mine === known.mine ? known : { ...known, mine };
    // Small talk would change what the tactic says.
    return { answers, known: after, ...(tactic === undefined ? { opinion: opinionOf(known, belief as Beliefs, moment, floor) } : {}) };
  },
};

function gistOf(heard: Heard): Gist {
  const { claim, suspects } = readSpeech(heard);
  return { against: suspects, isClaim: claim.role !== undefined && claim.role !== 'villager' };
}

/** It suspects whom it would vote for, unless it takes nobody for a Werewolf. */
function opinionOf(known: Known, belief: Beliefs, moment: Moment, { voice, hearing }: Floor<Occasion>): Opinion {
  const wolf = belief.seen ?? belief.wolf;
  const vote = voteFor(known, belief, moment);
  const suspect = vote !== undefined && (wolf[vote] ?? 0) > 0.1 ? vote : undefined;
  const others = moment.players.flatMap(({ seat }) => (seat === moment.seat || seat === suspect ? [] : [seat]));
  const claims = Object.entries(known.claims).map(([by, { looks = [] }]) => ({ by: Number(by), looks }));
  const opinion = opinionOn(suspect, others, (seat) => wolf[seat] ?? 0, others, {
    votes: [],
    accusations: Object.entries(known.suspects).map(([by, about]) => ({ by: Number(by), about })),
    innocent: [],
    found: claims.flatMap(({ by, looks }) => looks.flatMap(({ about, card }) => (card === 'werewolf' ? [{ by, about }] : []))),
  });
  const { mine, claims: claimed, deck } = known;
  const name = (seat: Seat): string => moment.players[seat]!.name;
  const role = mine.said.length ? (mine.lie ?? truth(known, moment.seat)).role : undefined;
  const isSingle = role && deck.filter((card) => card === role).length === 1;
  const rival = isSingle ? moment.players.find(({ seat }) => seat !== moment.seat && claimed[seat]?.role === role)?.seat : undefined;
  const isSaid = (text: string): boolean => text.includes(`${name(rival!)}, we cannot`);
  return {
    ...opinion,
    contradiction: rival === undefined || hearing.own.some(isSaid) ? undefined : voice('countered', { by: name(rival), card: a(role!) }),
    reason: () => reasonFor(suspect),
  };

  function reasonFor(seat: Seat | undefined): string | undefined {
    if (seat === undefined) return undefined;
    if (seat === rival) return voice('clauseMine', { who: '{who}' });
    return !claimed[seat]?.role && known.heard.includes(seat) ? voice('clauseNoCard', { who: '{who}' }) : undefined;
  }
}

const isNight = ({ questions }: Moment): boolean => questions.every(({ id }) => id.split('/').slice(0, -1).includes('night'));

/** Once per round of talk; in free talk a few times. */
const mayTalk = ({ id, final }: Asking, said: number): boolean => stepOf(id) === 'talk' && (final || said < MAX_STATEMENTS);
