import type { Eye } from '@maw/games/kernel/question.ts';
import { Refusal } from '@maw/games/kernel/refusal.ts';
import type { LoadedTable } from '../tables/table-cache.ts';

type State = LoadedTable['state'];

/**
 * The web service may look through every eye, the contest service through that of the narrator once the table is over, the servers for outside
 * agents through those of seats that persons hold now, all others only through those of seats that minds play now.
 * @throws Refusal forbidden
 */
export function requireSeatAccess({ standing }: State, eye: Eye | undefined, sender: string | undefined): void {
  if (sender === 'contest') {
    if (eye === 'narrator' && standing.game.stage === 'over') return;
    throw new Refusal('forbidden', 'the contest service sees what everybody sees, and everything once the table is over');
  }
  const holder = sender === 'aiwolf' ? 'person' : 'mind';
  if (sender === 'web' || (typeof eye === 'number' && standing.game.holders[eye] === holder)) return;
  throw new Refusal('forbidden', holder === 'mind' ? 'no mind plays this seat' : 'no person holds this seat');
}

/**
 * The seats of outside agents are taken by their servers, and no others are; those of programs by whoever has the key.
 * @param agent the name of the key
 * @throws Refusal already-seated for others; forbidden for those servers
 */
export function requireOwnSeat({ standing }: State, seat: number | undefined, sender: string | undefined, agent?: string): void {
  const plan = seat === undefined ? undefined : standing.game.opening.seats[seat];
  const key = sender === 'aiwolf' ? undefined : agent; // its agents have no keys, whatever it says
  if (plan?.agent !== key) throw new Refusal('already-seated', `seat ${seat} is not for you: take another one`);
  if (key !== undefined) return;
  const isOutside = plan?.isOutside === true;
  if (isOutside === (sender === 'aiwolf')) return;
  if (isOutside) throw new Refusal('already-seated', `seat ${seat} is for an outside agent: take another one`);
  throw new Refusal('forbidden', 'the seat is not for an outside agent');
}

/** The servers for outside agents may hand over only the seats that were opened for persons; programs in contests none. @throws Refusal forbidden */
export function requireSeatForPerson({ standing }: State, seat: number, sender: string | undefined): void {
  const plan = standing.game.opening.seats[seat];
  if (plan?.isOutside && plan.agent !== undefined) throw new Refusal('forbidden', 'in a contest nobody plays for a program');
  if (sender === 'aiwolf' && plan && plan.kind !== 'person') throw new Refusal('forbidden', 'the seat was not opened for a person');
}

/** The servers for outside agents may end only tables where such agents sit. @throws Refusal forbidden */
export function requireTableOfAgents({ standing }: State, sender: string | undefined): void {
  if (sender !== 'aiwolf' || standing.game.opening.seats.some(({ isOutside }) => isOutside)) return;
  throw new Refusal('forbidden', 'no outside agent sits at this table');
}
