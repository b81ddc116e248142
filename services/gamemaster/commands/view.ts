import type { ReplyData, Data } from '@maw/contracts/contracts.ts';
import type { TableSummary } from '@maw/contracts/messages/schemas.ts';
import { ruleSetNamed } from '@maw/games/catalogue.ts';
import { lifeOf } from '@maw/games/match/match.ts';
import type { Instant } from '@maw/games/kernel/question.ts';
import { optionsAtOpening } from '@maw/games/kernel/options.ts';
import { Refusal } from '@maw/games/kernel/refusal.ts';
import type { RuleSet } from '@maw/games/kernel/rule-set.ts';
import { causeOf } from '../messages/cause.ts';
import { askingOf, briefOf, playersOf, seenData } from '../messages/derive-messages.ts';
import { fitInPage } from '@maw/contracts/fit-in-page.ts';
import { clockOf } from '../state/table-state.ts';
import { type LoadedTable, summaryOf, told } from '../tables/table-cache.ts';
import { requireSeatAccess } from './require-seat-access.ts';

/** The reply, as it is written. */
type ViewReply = Omit<ReplyData<'table.view'>, 'summary'> & { readonly summary: TableSummary };

/**
 * One page of what an eye has seen, and what it may answer now.
 * @throws Refusal not-an-option when there is no such seat; forbidden when the sender may not look through this eye
 */
export function viewOf(
  { state }: LoadedTable,
  { eye, after, limit, causes }: Data<'table.view'>,
  sender: string | undefined,
  now: Instant,
): ViewReply {
  const view = state.views.get(eye);
  if (!view) throw new Refusal('not-an-option', `the table has no seat ${eye}`);
  if (eye !== 'audience') requireSeatAccess(state, eye, sender);
  const isCaused = causes && eye === 'narrator';
  const page = view.seen.slice(after, after + limit);
  // The narrator sees every event, so that its numbers are those of the tape.
  const seen = fitInPage(
    page.map((one) => (isCaused ? { ...seenData(one), cause: causeOf(state, state.tape[one.n - 1]!.cause) } : seenData(one))),
  );
  const { game, standing } = state;
  const common = {
    summary: told(summaryOf(state)),
    seen,
    more: after + seen.length < view.seen.length,
    last: view.seen.length,
    alive: playersOf(state, eye).map(({ alive }) => alive),
    clock: { now, ...clockOf(state) },
  };
  if (typeof eye !== 'number') return { ...common, asked: [], brief: '' };
  const own = view.standing;
  return {
    ...common,
    asked: game.asked(standing, eye).map((q) => askingOf(state, q, eye)),
    brief: briefOf(state, eye),
    life: lifeOf(own.game, own.open, state.rules.out(own.game), eye),
    holder: standing.game.holders[eye]!,
  };
}

/** The rule sets that can be played here; one of them with its text, when it is named. @throws Refusal unknown-rules, bad-option */
export function rulesOf({ rules, players, options }: Data<'table.rules'>, from: readonly RuleSet[]): ReplyData<'table.rules'> {
  if (rules === undefined) return { sets: from.map(termsOf) };
  const set = ruleSetNamed(rules, from);
  return { sets: [{ ...termsOf(set), text: set.text(players ?? set.players.usual, optionsAtOpening(set.options, options)) }] };
}

/** The rules of a table, with the text that its minds read. */
export function rulesOfTable({ state, rulesText }: LoadedTable, from: readonly RuleSet[]): ReplyData<'table.rules'> {
  return { sets: [{ ...termsOf(ruleSetNamed(state.standing.game.opening.rules, from)), text: rulesText }] };
}

const termsOf = ({ name, version, says, players, options }: RuleSet) => ({
  name,
  version,
  says,
  players,
  options: options as Record<string, { kind: string }>,
});
