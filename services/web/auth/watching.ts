import type { ViewName } from '@maw/contracts/http/route.ts';
import type { ReplyData } from '@maw/contracts/contracts.ts';
import type { Eye } from '@maw/games/kernel/question.ts';
import type { Bearer } from './roles.ts';
import { denied } from './authorize.ts';
import { Problem } from '../problem.ts';

type Summary = ReplyData<'table.view'>['summary'];
/** Looks up what the table shows to whom. It says nothing that depends on a seat, so a refusal is the same whoever plays there. */
type ReadSummary = () => Promise<Pick<Summary, 'stage' | 'spectators' | 'afterwards' | 'insight'>>;
type Terms = Awaited<ReturnType<ReadSummary>>;

/** What a bearer may see of a table. */
export interface Access {
  readonly eye: Eye;
  /** Whether events say what led to them. */
  readonly showsCauses: boolean;
}

/** The eye through which the bearer may see the table, and what it sees. @throws Problem no-token, forbidden, unreadable */
export async function accessFor(bearer: Bearer, table: string, as: ViewName | undefined, readSummary: ReadSummary): Promise<Access> {
  let found: ReturnType<ReadSummary> | undefined;
  const summary: ReadSummary = () => (found ??= readSummary());
  const eye = await eyeFor(bearer, table, as, summary);
  return { eye, showsCauses: eye === 'narrator' && (await mayReadThoughts(bearer, table, summary)) };
}

/**
 * The eye through which the bearer may see the table. While it runs, a seat sees through its own only; once it is over, every eye opens to those
 * for whom it was opened.
 * @throws Problem no-token, forbidden, unreadable
 */
export async function eyeFor(bearer: Bearer, table: string, as: ViewName | undefined, summary: ReadSummary): Promise<Eye> {
  const { pass } = bearer;
  if (pass.role === 'admin') return eyeNamed(as ?? 'narrator');
  if (!isAt(bearer, table)) throw notPermitted(bearer, table, as);
  if (pass.role === 'seat' && (as === undefined || as === 'seat' || as === `seat:${pass.seat}`)) return pass.seat;
  const wanted = as ?? (pass.role === 'spectator' ? (pass.view ?? 'audience') : 'audience');
  if (wanted === 'audience' && pass.role !== 'seat') return 'audience';
  const terms = await summary();
  const isOpen = wanted === 'narrator' ? seesNarrator(bearer, terms) : isOpenAfterwards(bearer, terms);
  if (!isOpen) throw notPermitted(bearer, table, as, terms);
  return eyeNamed(wanted);
}

/** @throws Problem no-token, forbidden */
export async function requireInsight(bearer: Bearer, table: string, summary: ReadSummary): Promise<void> {
  if (await mayReadThoughts(bearer, table, summary)) return;
  throw denied(bearer, `only an administrator may read the thoughts of ${table}, and others as its \`insight\` and \`afterwards\` say`);
}

/** Whether the bearer may know what minds thought: that tells minds from people. */
async function mayReadThoughts(bearer: Bearer, table: string, summary: ReadSummary): Promise<boolean> {
  if (bearer.pass.role === 'admin') return true;
  if (!isAt(bearer, table)) return false;
  const terms = await summary();
  const isTime = terms.insight === 'live' || (terms.insight === 'after' && terms.stage === 'over');
  return isTime && seesNarrator(bearer, terms);
}

/** Whether the bearer may watch the table at all. */
const isAt = ({ pass }: Bearer, table: string): boolean =>
  pass.role === 'anybody' || ((pass.role === 'seat' || pass.role === 'spectator') && pass.table === table);

/** While the table runs, the view of the narrator takes the permission of both token and table. */
const seesNarrator = (bearer: Bearer, terms: Terms): boolean =>
  isOpenAfterwards(bearer, terms) ||
  (bearer.pass.role === 'spectator' && bearer.pass.view === 'narrator' && terms.spectators === 'narrator');

/** Whether the table is over and shows everything to the bearer. */
const isOpenAfterwards = (bearer: Bearer, { stage, afterwards }: Terms): boolean => stage === 'over' && opensTo(bearer, afterwards);

const opensTo = ({ pass }: Bearer, afterwards: Terms['afterwards']): boolean =>
  afterwards === 'everybody' || (afterwards === 'seats' && pass.role === 'seat');

/** @throws Problem unreadable for the seat of a bearer that has none */
function eyeNamed(as: ViewName): Eye {
  if (as === 'seat') throw new Problem('unreadable', 'say which seat: as=seat:3');
  return as === 'audience' || as === 'narrator' ? as : Number(as.slice('seat:'.length));
}

function notPermitted(bearer: Bearer, table: string, as: ViewName | undefined, terms?: Terms): Problem {
  const what = as === undefined ? `watching ${table}` : `watching ${table} as ${as}`;
  const isLater = terms && terms.stage !== 'over' && opensTo(bearer, terms.afterwards);
  return denied(bearer, `this token does not permit ${what}${isLater ? ' before it is over' : ''}`);
}
